"""The moves of a signal from state to state; each checks where the signal is and is called inside a transaction."""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING

from intake.errors import LedgerError, UnknownSignal
from intake.ledger.types import RecordedDecision
from intake.serialization import card_to_dict, time_from_text, time_to_text
from intake.types import Decision, SignalId, SignalState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from intake.ledger.database import Database
    from intake.types import ScoreCard

_TO_SCORED = (SignalState.SEEN, SignalState.SCORED)
_TO_QUEUED = (SignalState.SCORED, SignalState.QUEUED)
_TO_DROPPED = (SignalState.SEEN, SignalState.SCORED, SignalState.QUEUED, SignalState.DROPPED)
_TO_WRITING = (SignalState.SCORED, SignalState.QUEUED, SignalState.WRITING)
_TO_WRITTEN = (SignalState.WRITING, SignalState.WRITTEN)

_STATE_OF = "SELECT state FROM signals WHERE id = ?"
_OWNER_OF_PATH = "SELECT id FROM signals WHERE path_key = ? AND path_key != ''"
_ADD_DECISION = "INSERT INTO decisions (signal_id, decision, domain, at) VALUES (?, ?, ?, ?)"
_DECISIONS = """
SELECT sequence, signal_id, decision, domain, at FROM decisions WHERE sequence > ? ORDER BY sequence LIMIT 500
"""


def mark_scored(database: Database, signal_id: SignalId, card: ScoreCard) -> None:
    """Move SEEN or SCORED to SCORED with a card."""
    _expect(database, signal_id, _TO_SCORED, SignalState.SCORED)
    text = json.dumps(card_to_dict(card), separators=(",", ":"))
    database.run("UPDATE signals SET state = 'scored', card = ? WHERE id = ?", (text, signal_id))


def mark_queued(database: Database, signal_id: SignalId, domain: str) -> None:
    """Move SCORED to QUEUED."""
    _expect(database, signal_id, _TO_QUEUED, SignalState.QUEUED)
    _set_state(database, signal_id, SignalState.QUEUED, domain)


def mark_dropped(database: Database, signal_id: SignalId, domain: str) -> None:
    """Move SEEN, SCORED or QUEUED to DROPPED."""
    _expect(database, signal_id, _TO_DROPPED, SignalState.DROPPED)
    _set_state(database, signal_id, SignalState.DROPPED, domain)


def mark_writing(database: Database, signal_id: SignalId, domain: str, note_path: str) -> None:
    """Move SCORED, QUEUED or WRITING to WRITING, with the place of the note.

    Raises:
        LedgerError: Another signal has that place.
    """
    _expect(database, signal_id, _TO_WRITING, SignalState.WRITING)
    owner = path_owner(database, note_path)
    if owner not in {None, signal_id}:
        raise LedgerError(f"{note_path} belongs to signal {owner}; choose another name")
    database.run(
        "UPDATE signals SET state = 'writing', domain = ?, note_path = ?, path_key = ? WHERE id = ?",
        (domain, note_path, _path_key(note_path), signal_id),
    )


def mark_written(database: Database, signal_id: SignalId) -> None:
    """Move WRITING to WRITTEN."""
    _expect(database, signal_id, _TO_WRITTEN, SignalState.WRITTEN)
    database.run("UPDATE signals SET state = 'written' WHERE id = ?", (signal_id,))


def path_owner(database: Database, note_path: str) -> SignalId | None:
    """Return the signal whose note has a path, letter case and Unicode composition apart."""
    found = database.row(_OWNER_OF_PATH, (_path_key(note_path),))
    return SignalId(found[0]) if found else None


def record_decision(  # noqa: PLR0913  the parts of one row
    database: Database, signal_id: SignalId, decision: Decision, *, domain: str, at: datetime, note_path: str
) -> bool:
    """Move a QUEUED signal where a person wants it and keep the decision as a label.

    Returns:
        False, with nothing changed, where the signal is not QUEUED any more.
    """
    if _state_of(database, signal_id) is not SignalState.QUEUED:
        return False
    database.run(_ADD_DECISION, (signal_id, decision.value, domain, time_to_text(at)))
    if decision is Decision.DROP:
        mark_dropped(database, signal_id, domain)
    elif note_path:
        mark_writing(database, signal_id, domain, note_path)
    else:
        _set_state(database, signal_id, SignalState.SCORED, domain)
    return True


def read_decisions(database: Database) -> Iterator[RecordedDecision]:
    """Yield every decision, oldest first."""
    last = 0
    while rows := database.rows(_DECISIONS, (last,)):
        last = rows[-1][0]
        for _, signal_id, decision, domain, at in rows:
            yield RecordedDecision(SignalId(signal_id), Decision(decision), domain, time_from_text(at))


def _state_of(database: Database, signal_id: SignalId) -> SignalState:
    found = database.row(_STATE_OF, (signal_id,))
    if found is None:
        raise UnknownSignal(f"no signal has the id {signal_id}")
    return SignalState(found[0])


def _expect(database: Database, signal_id: SignalId, allowed: tuple[SignalState, ...], target: SignalState) -> None:
    """Refuse a move that would undo what another process did in the meantime.

    Raises:
        UnknownSignal: There is no such signal.
        LedgerError: The signal is in another state.
    """
    state = _state_of(database, signal_id)
    if state not in allowed:
        raise LedgerError(f"signal {signal_id} is {state}; it cannot become {target}")


def _set_state(database: Database, signal_id: SignalId, state: SignalState, domain: str) -> None:
    database.run("UPDATE signals SET state = ?, domain = ? WHERE id = ?", (state.value, domain, signal_id))


def _path_key(note_path: str) -> str:
    """Fold a path so that two paths are equal where some file system takes them for one file."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", note_path).casefold())
