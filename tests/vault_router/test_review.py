"""The review queue: a person's word moves a signal once, from whichever window it comes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from intake.errors import UnknownSignal
from intake.ledger import Ledger
from intake.ledger.database import open_database
from intake.types import Decision, SignalState
from vault_router.errors import ReviewConflict, UnknownDomain, UnsafeNotePath, VaultNotWritable
from vault_router.notes import read_sluice_id
from vault_router.review import ReviewQueue

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from config.domains import Domain
    from intake.types import ScoreCard, Signal
    from vault_router.types import DeliveryReport
    from vault_router.writer import NoteWriter

NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)
FIRST, SECOND, THIRD = (f"{n:016x}" for n in (1, 2, 3))


@pytest.fixture
def open_queue(writer: NoteWriter, domains: tuple[Domain, ...]) -> Callable[[Ledger], ReviewQueue]:
    """Return what opens the queue over a ledger, as each window does for itself."""
    return lambda ledger: ReviewQueue(ledger, writer, domains)


@pytest.fixture
def queue(
    open_queue: Callable[[Ledger], ReviewQueue],
    ledger: Ledger,
    record: Callable[..., Signal],
    make_card: Callable[..., ScoreCard],
) -> ReviewQueue:
    """Return a queue in which three signals wait, the second of them the best."""
    for number, composite in enumerate([0.41, 0.54, 0.41], 1):
        signal = record(number)
        ledger.save_card(signal.id, make_card(composite, ai=0.5, web=0.45))
        ledger.queue(signal.id, "ai")
    return open_queue(ledger)


def test_the_best_waits_first(queue: ReviewQueue) -> None:
    """Equals wait in the order of recording."""
    assert [entry.signal.id for entry in queue.waiting()] == [SECOND, FIRST, THIRD]


def test_a_signal_is_shown_by_the_beginning_of_its_id(queue: ReviewQueue) -> None:
    """The whole id works too; an unknown or ambiguous one is an error."""
    assert queue.show(FIRST).signal.title == "Signal 1"
    with pytest.raises(UnknownSignal):
        queue.show("ffff")
    with pytest.raises(UnknownSignal):
        queue.show("0000")


def test_a_kept_signal_becomes_a_note(queue: ReviewQueue, ledger: Ledger, root: Path) -> None:
    """The note lies in the proposed domain, and the decision is a label."""
    path = queue.keep(FIRST, at=NOW)

    assert path == "AI/Signal 1.md"
    assert read_sluice_id(root / path) == FIRST
    entry = ledger.find(FIRST)
    assert (entry.state, entry.domain, entry.note_path) == (SignalState.WRITTEN, "ai", path)
    (label,) = ledger.decisions()
    assert (label.signal_id, label.decision, label.domain, label.at) == (FIRST, Decision.KEEP, "ai", NOW)
    assert [e.signal.id for e in queue.waiting()] == [SECOND, THIRD]


def test_a_person_may_choose_another_domain(queue: ReviewQueue, ledger: Ledger, root: Path) -> None:
    """The note goes to that folder, tagged with that domain alone, and the label names it."""
    path = queue.keep(FIRST, at=NOW, domain="web")

    assert path == "Work/Web/Signal 1.md"
    assert "\ndomain: web\ntags:\n- web\nscores:" in (root / path).read_text(encoding="utf-8")
    assert [label.domain for label in ledger.decisions()] == ["web"]


def test_a_dropped_signal_leaves_the_queue(queue: ReviewQueue, ledger: Ledger, root: Path) -> None:
    """Nothing is written, and the decision is a label."""
    queue.drop(FIRST, at=NOW)

    assert ledger.find(FIRST).state is SignalState.DROPPED
    assert [(label.decision, label.domain) for label in ledger.decisions()] == [(Decision.DROP, "ai")]
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("first", ["keep", "drop"])
@pytest.mark.parametrize("second", ["keep", "drop"])
def test_a_decision_is_made_once(first: str, second: str, queue: ReviewQueue, ledger: Ledger) -> None:
    """Another window that still shows the signal is told what became of it, and changes nothing."""
    getattr(queue, first)(FIRST, at=NOW)
    before = ledger.find(FIRST)

    with pytest.raises(ReviewConflict, match=r"does not wait for review: it is (written|dropped)"):
        getattr(queue, second)(FIRST, at=NOW)
    assert ledger.find(FIRST) == before
    assert len(list(ledger.decisions())) == 1


@pytest.mark.parametrize("action", ["keep", "drop"])
def test_a_decision_made_between_look_and_word_wins(
    action: str,
    queue: ReviewQueue,
    open_queue: Callable[[Ledger], ReviewQueue],
    tmp_path: Path,
    root: Path,
) -> None:
    """A second process that drops the signal at the last moment is a conflict, and no note appears."""

    class Overtaken(Ledger):
        """A ledger in which another process is faster by a moment."""

        def decide(self, *args: Any, **kwargs: Any) -> bool:  # noqa: ANN401  passed through
            with Ledger.open(tmp_path / "state.db") as other:
                open_queue(other).drop(FIRST, at=NOW)
            return super().decide(*args, **kwargs)

    with Overtaken(open_database(tmp_path / "state.db")) as slow:
        with pytest.raises(ReviewConflict, match="it is dropped"):
            getattr(open_queue(slow), action)(FIRST, at=NOW)
        assert len(list(slow.decisions())) == 1
    assert list(root.rglob("*.md")) == []


def test_an_unknown_domain_names_the_choices(queue: ReviewQueue, ledger: Ledger) -> None:
    """The signal goes on waiting."""
    with pytest.raises(UnknownDomain, match="no domain is called 'cooking'; choose one of: ai, web, gossip"):
        queue.keep(FIRST, at=NOW, domain="cooking")
    assert ledger.find(FIRST).state is SignalState.QUEUED


def test_a_kept_note_that_cannot_be_written_is_written_by_the_next_delivery(
    queue: ReviewQueue, ledger: Ledger, root: Path, deliver_with: Callable[..., DeliveryReport]
) -> None:
    """The decision is not lost with the disk."""
    unmounted = root.rename(root.with_name("unmounted"))
    with pytest.raises(VaultNotWritable):
        queue.keep(FIRST, at=NOW)
    assert ledger.find(FIRST).state is SignalState.WRITING
    unmounted.rename(root)

    report = deliver_with(lambda _: pytest.fail("a kept signal is not scored again"))

    assert [item.note_path for item in report.items] == ["AI/Signal 1.md"]


def test_a_folder_outside_the_vault_decides_nothing(
    queue: ReviewQueue, ledger: Ledger, root: Path, tmp_path: Path
) -> None:
    """The signal goes on waiting, without a label."""
    (root / "AI").symlink_to(tmp_path)

    with pytest.raises(UnsafeNotePath):
        queue.keep(FIRST, at=NOW)
    assert ledger.find(FIRST).state is SignalState.QUEUED
    assert list(ledger.decisions()) == []
