"""From the ledger to the vault: every pending signal is scored, routed and brought to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from intake.types import Problem, SignalState, SourceKind
from vault_router.errors import RouterError
from vault_router.notes import strongest_reasons
from vault_router.placement import place_note
from vault_router.routing import favourite, route
from vault_router.types import DeliveredItem, DeliveryReport, Dropped, Outcome, Queued, Routed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from config.domains import Domain
    from config.settings import RoutingSettings
    from intake.ledger import Ledger
    from intake.types import LedgerEntry, ScoreCard, Signal
    from vault_router.writer import NoteWriter


def deliver(  # noqa: PLR0913  the composition root hands in each part on its own
    ledger: Ledger,
    score: Callable[[Signal], ScoreCard],
    domains: Sequence[Domain],
    writer: NoteWriter,
    settings: RoutingSettings,
    *,
    on_progress: Callable[[DeliveredItem | Problem], None] | None = None,
) -> DeliveryReport:
    """Bring every pending signal to its end, in the order of recording.

    Each step is recorded before the next begins, so that a crash at any point loses nothing and repeats nothing:
    the next delivery scores what has no score, routes what has one, and finishes what was being written. A note
    that cannot be written is a problem of its own; its signal stays pending and the others go on.

    Args:
        ledger: The open ledger.
        score: The scorer; called only for signals that have no score yet.
        domains: The configured domains, at least one.
        writer: Writer of the vault.
        settings: The two thresholds.
        on_progress: Called after each signal with what became of it.

    Raises:
        LedgerError: The ledger cannot be used.
    """
    delivery = _Delivery(ledger, score, domains, writer, settings)
    items: list[DeliveredItem] = []
    problems: list[Problem] = []
    for entry in ledger.pending():
        try:
            result: DeliveredItem | Problem = delivery.finish(entry)
        except RouterError as err:
            result = Problem(subject=entry.signal.title, message=str(err))
        match result:
            case DeliveredItem():
                items.append(result)
            case Problem():
                problems.append(result)
            case _:  # pragma: no cover
                assert_never(result)
        if on_progress is not None:
            on_progress(result)
    counts = {outcome: sum(item.outcome is outcome for item in items) for outcome in Outcome}
    return DeliveryReport(
        written=counts[Outcome.WRITTEN],
        queued=counts[Outcome.QUEUED],
        dropped=counts[Outcome.DROPPED],
        problems=tuple(problems),
        items=tuple(items),
    )


@dataclass(frozen=True, slots=True)
class _Delivery:
    """What stays the same for every signal of one delivery."""

    ledger: Ledger
    score: Callable[[Signal], ScoreCard]
    domains: Sequence[Domain]
    writer: NoteWriter
    settings: RoutingSettings

    def finish(self, entry: LedgerEntry) -> DeliveredItem:
        """Take one signal from wherever it is to its end."""
        card = entry.card
        if card is None:
            card = self.score(entry.signal)
            self.ledger.save_card(entry.signal.id, card)
        if entry.state is SignalState.WRITING:
            return self._write(entry.signal, card, entry.domain, entry.note_path)
        return self._follow(entry.signal, card)

    def _follow(self, signal: Signal, card: ScoreCard) -> DeliveredItem:
        routing = route(card, self.domains, self.settings)
        if isinstance(routing, Dropped) and signal.source.kind is not SourceKind.FEED:
            # What a person took in by hand is not dropped without their word.
            routing = Queued(routing.domain or favourite(self.domains).name)
        match routing:
            case Routed(domain):
                folder = next(d.folder for d in self.domains if d.name == domain)
                note_path = self.writer.choose_path(signal, folder, self.ledger.path_taken)
                self.ledger.begin_writing(signal.id, domain, note_path)
                return self._write(signal, card, domain, note_path)
            case Queued(domain):
                self.ledger.queue(signal.id, domain)
                return _item(signal, card, Outcome.QUEUED, domain)
            case Dropped(domain, reason):
                self.ledger.drop(signal.id, domain)
                return _item(signal, card, Outcome.DROPPED, domain, reason=reason)
            case _:  # pragma: no cover
                assert_never(routing)

    def _write(self, signal: Signal, card: ScoreCard, domain: str, note_path: str) -> DeliveredItem:
        path = place_note(self.ledger, self.writer, signal, card, domain=domain, note_path=note_path)
        return _item(signal, card, Outcome.WRITTEN, domain, note_path=path)


def _item(  # noqa: PLR0913  the parts of the row
    signal: Signal, card: ScoreCard, outcome: Outcome, domain: str, *, note_path: str = "", reason: str = ""
) -> DeliveredItem:
    return DeliveredItem(
        signal_id=signal.id,
        title=signal.title,
        outcome=outcome,
        domain=domain,
        composite=card.composite,
        note_path=note_path,
        reason=reason,
        why=tuple(strongest_reasons(card)),
    )
