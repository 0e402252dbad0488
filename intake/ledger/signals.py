"""The table of signals: recording each once, and reading them back in the order of recording."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from intake.errors import UnknownSignal
from intake.ledger.duplicates import add_fingerprint, find_original, to_signed
from intake.ledger.types import RecordReport
from intake.serialization import card_from_dict, signal_from_dict, signal_to_dict
from intake.types import LedgerEntry, SignalId, SignalState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from intake.ledger.database import Database
    from intake.types import Signal

PAGE_SIZE = 100
"""Entries read at once: few enough to hold, and never an open cursor while the caller writes."""

PENDING = "state IN ('seen', 'scored', 'writing')"
"""What a run has to take further; written exactly as in the partial index, or SQLite cannot use that."""

MAX_CHOICES = 10
"""Signals named in the message about an ambiguous id."""

_BATCH = 500  # parameters in one statement; older SQLite allows 999
_PREFIX_END = "\U0010ffff"
_COLUMNS = "sequence, state, domain, note_path, card, signal"

_INSERT = """
INSERT INTO signals (id, state, duplicate_of, canonical_url, fingerprint, signal) VALUES (?, ?, ?, ?, ?, ?)
"""
_PAGE = f"SELECT {_COLUMNS} FROM signals {{}} AND sequence > ? ORDER BY sequence LIMIT {PAGE_SIZE}"  # noqa: S608  constants only
# Left to itself SQLite sorts all that is pending, texts included, for every page.
_PENDING_PAGE = _PAGE.format(f"INDEXED BY signals_pending WHERE {PENDING}")
_STATE_PAGE = _PAGE.format("WHERE state = ?")
_ANY_PAGE = _PAGE.format("WHERE TRUE")
_BY_PREFIX = f"SELECT {_COLUMNS} FROM signals WHERE id >= ? AND id < ? ORDER BY id LIMIT {MAX_CHOICES + 1}"  # noqa: S608  constants only
_BY_SOURCE = "SELECT json_extract(signal, '$.source.key'), state, count(*) FROM signals GROUP BY 1, 2"
_SEEN = "SELECT id FROM signals WHERE id IN ({})"


def record_signals(database: Database, signals: Sequence[Signal]) -> RecordReport:
    """Record signals that are not known yet, each as SEEN or as the DUPLICATE of an earlier one.

    Call it inside a transaction.

    Args:
        database: The ledger's file.
        signals: In the order in which they are to be worked on.
    """
    known = seen_ids(database, (signal.id for signal in signals))
    new: list[SignalId] = []
    duplicates: list[SignalId] = []
    for signal in signals:
        if signal.id in known:
            continue
        known.add(signal.id)
        original = find_original(database, signal)
        _insert(database, signal, original)
        (duplicates if original else new).append(signal.id)
    return RecordReport(tuple(new), tuple(duplicates))


def seen_ids(database: Database, ids: Iterable[SignalId]) -> set[SignalId]:
    """Return those of the ids that were ever recorded."""
    wanted = list(dict.fromkeys(ids))
    found: set[SignalId] = set()
    for start in range(0, len(wanted), _BATCH):
        part = wanted[start : start + _BATCH]
        found.update(SignalId(row[0]) for row in database.rows(_SEEN.format(_marks(part)), part))
    return found


def read_pending(database: Database) -> Iterator[LedgerEntry]:
    """Yield what a run has to take further; see PENDING."""
    return _pages(database, _PENDING_PAGE)


def read_entries(database: Database, state: SignalState | None) -> Iterator[LedgerEntry]:
    """Yield the entries in one state, or all of them."""
    return _pages(database, _STATE_PAGE, state.value) if state else _pages(database, _ANY_PAGE)


def find_entry(database: Database, id_or_prefix: str) -> LedgerEntry:
    """Return the one signal whose id is, or begins with, a text.

    Raises:
        UnknownSignal: None does, or several do and none is that id.
    """
    wanted = id_or_prefix.strip().lower()
    rows = database.rows(_BY_PREFIX, (wanted, wanted + _PREFIX_END)) if _is_text(wanted) else []
    entries = [_entry_from_row(row) for row in rows]
    exact = [entry for entry in entries if entry.signal.id == wanted]
    if exact or len(entries) == 1:
        return (exact or entries)[0]
    if not entries:
        raise UnknownSignal(f"no signal has an id that begins with {id_or_prefix!r}")
    choices = ", ".join(f"{entry.signal.id} ({entry.signal.title})" for entry in entries[:MAX_CHOICES])
    more = ", and more" if len(entries) > MAX_CHOICES else ""
    raise UnknownSignal(f"{id_or_prefix!r} begins several ids; give more of one: {choices}{more}")


def count_states(database: Database) -> dict[SignalState, int]:
    """Count the signals in every state; a state without any counts 0."""
    counted = dict(database.rows("SELECT state, count(*) FROM signals GROUP BY state"))
    return {state: counted.get(state.value, 0) for state in SignalState}


def count_by_source(database: Database) -> dict[str, dict[SignalState, int]]:
    """Count the signals of every source in each state, by the source's key."""
    counts: dict[str, dict[SignalState, int]] = {}
    for key, state, number in database.rows(_BY_SOURCE):
        counts.setdefault(str(key), {})[SignalState(state)] = number
    return counts


def _insert(database: Database, signal: Signal, original: SignalId | None) -> None:
    state = SignalState.DUPLICATE if original else SignalState.SEEN
    # ASCII keeps a lone surrogate, which a feed can smuggle in and which is no UTF-8, out of the database.
    text = json.dumps(signal_to_dict(signal), separators=(",", ":"))
    row = (signal.id, state.value, original, storable(signal.canonical_url), to_signed(signal.fingerprint), text)
    database.run(_INSERT, row)
    add_fingerprint(database, signal)


def storable(text: str) -> str:
    """Replace lone surrogates, which SQLite cannot hold, by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _pages(database: Database, sql: str, *parameters: str) -> Iterator[LedgerEntry]:
    """Read page after page, each to its end before its first entry is handed out."""
    last = 0
    while rows := database.rows(sql, (*parameters, last)):
        last = rows[-1][0]
        for row in rows:
            yield _entry_from_row(row)


def _entry_from_row(row: tuple[Any, ...]) -> LedgerEntry:
    _, state, domain, note_path, card, signal = row
    return LedgerEntry(
        signal=signal_from_dict(json.loads(signal)),
        state=SignalState(state),
        card=card_from_dict(json.loads(card)) if card else None,
        domain=domain,
        note_path=note_path,
    )


def _is_text(text: str) -> bool:
    return bool(text) and storable(text) == text


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
