"""The public face of the ledger: one connection, and every change a transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from intake.ledger import feeds, signals, transitions
from intake.ledger.database import open_database
from intake.ledger.runs import read_last_run, write_run
from intake.types import SignalId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from intake.ledger.database import Database
    from intake.ledger.types import RecordedDecision, RecordReport
    from intake.types import Decision, FeedState, LedgerEntry, ScoreCard, Signal, SignalState


class Ledger:
    """The record of one vault's intake; a context manager that closes its connection.

    It belongs to the thread that opened it. Any method raises LedgerError where the file cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def open(cls, path: Path) -> Ledger:
        """Open the ledger, creating it where there is none; several processes may do so at once.

        Raises:
            LedgerError: The file is damaged, from a newer version, or cannot be opened.
        """
        return cls(open_database(path))

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # Feeds

    def feed_state(self, url: str) -> FeedState:
        """Return what is remembered of a feed; a fresh state where nothing is."""
        return feeds.read_feed(self._database, url)

    def feed_states(self) -> dict[str, FeedState]:
        """Return everything remembered of feeds, by subscribed address."""
        return feeds.read_feeds(self._database)

    def save_feed(self, state: FeedState, new_signals: Sequence[Signal] = ()) -> RecordReport:
        """Remember a feed's state and record its signals, both or neither.

        Validators stored without the entries they stand for would make the next run skip those entries for ever.
        """
        with self._database.transaction():
            report = signals.record_signals(self._database, new_signals)
            feeds.write_feed(self._database, state)
        return report

    # Signals

    def record(self, new_signals: Sequence[Signal]) -> RecordReport:
        """Record signals that are not known yet, each as SEEN or as the DUPLICATE of an earlier one.

        A duplicate has the canonical address of an earlier signal, or a fingerprint at most three bits away.
        """
        with self._database.transaction():
            return signals.record_signals(self._database, new_signals)

    def seen(self, ids: Iterable[SignalId]) -> set[SignalId]:
        """Return those of the ids that were ever recorded."""
        return signals.seen_ids(self._database, ids)

    def pending(self) -> Iterator[LedgerEntry]:
        """Yield what is SEEN, SCORED or WRITING in the order of recording; the caller may write meanwhile."""
        return signals.read_pending(self._database)

    def entries(self, state: SignalState | None = None) -> Iterator[LedgerEntry]:
        """Yield all entries, or those in one state, in the order of recording; the caller may write meanwhile."""
        return signals.read_entries(self._database, state)

    def find(self, id_or_prefix: str) -> LedgerEntry:
        """Return the one signal whose id is, or begins with, a text.

        Raises:
            UnknownSignal: None does, or several do; the message lists them.
        """
        return signals.find_entry(self._database, id_or_prefix)

    def original_of(self, signal_id: SignalId) -> SignalId | None:
        """Return the signal a DUPLICATE repeats, or None."""
        found = self._database.row("SELECT duplicate_of FROM signals WHERE id = ?", (signal_id,))
        return SignalId(found[0]) if found and found[0] else None

    def counts(self) -> dict[SignalState, int]:
        """Count the signals in every state; a state without any counts 0."""
        return signals.count_states(self._database)

    def counts_by_source(self) -> dict[str, dict[SignalState, int]]:
        """Count the signals of every source, by its key, in each state they are in."""
        return signals.count_by_source(self._database)

    # Moves

    def save_card(self, signal_id: SignalId, card: ScoreCard) -> None:
        """Move SEEN or SCORED to SCORED with a card.

        Raises:
            UnknownSignal: There is no such signal.
            LedgerError: The signal is in another state; this holds for every move.
        """
        with self._database.transaction():
            transitions.mark_scored(self._database, signal_id, card)

    def queue(self, signal_id: SignalId, domain: str) -> None:
        """Move SCORED to QUEUED, with the domain the signal would be kept in."""
        with self._database.transaction():
            transitions.mark_queued(self._database, signal_id, domain)

    def drop(self, signal_id: SignalId, domain: str) -> None:
        """Move SEEN, SCORED or QUEUED to DROPPED, with the domain the signal would have been kept in."""
        with self._database.transaction():
            transitions.mark_dropped(self._database, signal_id, domain)

    def begin_writing(self, signal_id: SignalId, domain: str, note_path: str) -> None:
        """Move SCORED, QUEUED or WRITING to WRITING, with the place of the note relative to the vault.

        Raises:
            UnknownSignal: There is no such signal.
            LedgerError: The signal is in another state, or another signal has that place.
        """
        with self._database.transaction():
            transitions.mark_writing(self._database, signal_id, domain, note_path)

    def finish_writing(self, signal_id: SignalId) -> None:
        """Move WRITING to WRITTEN."""
        with self._database.transaction():
            transitions.mark_written(self._database, signal_id)

    def path_taken(self, note_path: str) -> SignalId | None:
        """Return the signal whose note has a path, letter case and Unicode composition apart."""
        return transitions.path_owner(self._database, note_path)

    # Decisions

    def decide(
        self, signal_id: SignalId, decision: Decision, *, domain: str, at: datetime, note_path: str = ""
    ) -> bool:
        """Record a person's decision on a QUEUED signal as a label, and move the signal.

        Args:
            signal_id: The signal.
            decision: DROP moves it to DROPPED. KEEP moves it to WRITING where `note_path` is given; else to SCORED,
                from where the caller has to call `begin_writing`.
            domain: Where it is kept, or would have been kept.
            at: Aware time of the decision.
            note_path: Place of its note relative to the vault.

        Returns:
            False, with nothing changed, where the signal is not QUEUED any more.

        Raises:
            UnknownSignal: There is no such signal.
            LedgerError: Another signal has that place.
        """
        with self._database.transaction():
            return transitions.record_decision(
                self._database, signal_id, decision, domain=domain, at=at, note_path=note_path
            )

    def decisions(self) -> Iterator[RecordedDecision]:
        """Yield every decision, oldest first."""
        return transitions.read_decisions(self._database)

    # Runs

    def last_run(self, job: str) -> datetime | None:
        """Return when the last run of a job began, or None where it never ran."""
        return read_last_run(self._database, job)

    def save_run(self, job: str, *, started: datetime, finished: datetime, outcome: str) -> None:
        """Record a run of a job."""
        with self._database.transaction():
            write_run(self._database, job, started=started, finished=finished, outcome=outcome)
