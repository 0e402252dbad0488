"""The review queue: what waits for a person, and what the person's word does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intake.types import Decision, SignalState
from vault_router.errors import ReviewConflict, UnknownDomain
from vault_router.placement import place_note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from config.domains import Domain
    from intake.ledger import Ledger
    from intake.types import LedgerEntry
    from vault_router.writer import NoteWriter


class ReviewQueue:
    """One queue for all its front ends: terminal, web page, tools of an agent.

    The truth is in the ledger and is read again for every step, so that several front ends may be open at once.
    """

    def __init__(self, ledger: Ledger, writer: NoteWriter, domains: Sequence[Domain]) -> None:
        """Open the queue.

        Args:
            ledger: The open ledger.
            writer: Writer of the vault.
            domains: The configured domains.
        """
        self._ledger = ledger
        self._writer = writer
        self._folders = {domain.name: domain.folder for domain in domains}

    def waiting(self) -> list[LedgerEntry]:
        """List what waits, best composite first; equals in the order of recording."""
        queued = self._ledger.entries(SignalState.QUEUED)
        return sorted(queued, key=lambda entry: -(entry.card.composite if entry.card else 0.0))

    def show(self, id_prefix: str) -> LedgerEntry:
        """Return one signal in whatever state it is.

        Args:
            id_prefix: Its id, or the beginning of it.

        Raises:
            UnknownSignal: No signal, or more than one, has an id that begins so.
        """
        return self._ledger.find(id_prefix)

    def keep(self, id_prefix: str, *, at: datetime, domain: str | None = None) -> str:
        """Make a waiting signal a note, and record the decision as a label.

        Args:
            id_prefix: Its id, or the beginning of it.
            at: Aware UTC time of the decision.
            domain: Where the note belongs; None accepts the proposal.

        Returns:
            Path of the note relative to the vault, with forward slashes.

        Raises:
            UnknownSignal: No signal, or more than one, has an id that begins so.
            ReviewConflict: It does not wait (any more).
            UnknownDomain: No such domain is configured.
            UnsafeNotePath: The domain's folder leads outside the vault; nothing was decided.
            VaultNotWritable: The note cannot be written. Once decided, the next delivery writes it.
        """
        entry = self._waiting_entry(id_prefix)
        signal, chosen = entry.signal, entry.domain if domain is None else domain
        note_path = self._writer.choose_path(signal, self._folder(chosen), self._ledger.path_taken)
        if not self._ledger.decide(signal.id, Decision.KEEP, domain=chosen, at=at, note_path=note_path):
            raise _conflict(self._ledger.find(signal.id))
        assert entry.card is not None, "a signal is scored before it is queued"
        return place_note(self._ledger, self._writer, signal, entry.card, domain=chosen, note_path=note_path)

    def drop(self, id_prefix: str, *, at: datetime) -> None:
        """Put a waiting signal aside, and record the decision as a label.

        Args:
            id_prefix: Its id, or the beginning of it.
            at: Aware UTC time of the decision.

        Raises:
            UnknownSignal: No signal, or more than one, has an id that begins so.
            ReviewConflict: It does not wait (any more).
        """
        entry = self._waiting_entry(id_prefix)
        if not self._ledger.decide(entry.signal.id, Decision.DROP, domain=entry.domain, at=at):
            raise _conflict(self._ledger.find(entry.signal.id))

    def _waiting_entry(self, id_prefix: str) -> LedgerEntry:
        entry = self._ledger.find(id_prefix)
        if entry.state is not SignalState.QUEUED:
            raise _conflict(entry)
        return entry

    def _folder(self, domain: str) -> str:
        if domain not in self._folders:
            choices = ", ".join(self._folders)
            raise UnknownDomain(f"no domain is called {domain!r}; choose one of: {choices}")
        return self._folders[domain]


def _conflict(entry: LedgerEntry) -> ReviewConflict:
    return ReviewConflict(
        f"{entry.signal.title!r} ({entry.signal.id}) does not wait for review: it is {entry.state.value}; "
        "list the queue again"
    )
