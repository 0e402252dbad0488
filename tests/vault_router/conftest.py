"""What the router's tests share: signals and score cards of any shape, a vault, a ledger, the parts of a note."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from config.domains import Domain
from config.settings import RoutingSettings
from intake.ledger import Ledger
from intake.types import (
    Dimension,
    DomainMatch,
    Evidence,
    ScoreCard,
    Signal,
    SignalId,
    SourceKind,
    SourceRef,
)
from vault_router.delivery import deliver
from vault_router.writer import NoteWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from vault_router.types import DeliveryReport

MOMENT = datetime(2026, 3, 4, 5, 6, 7, 890, tzinfo=UTC)


@pytest.fixture(scope="session")
def make_signal() -> Callable[..., Signal]:
    """Return a maker of signals: a number for the id, and whatever fields matter."""

    def make(number: int = 1, **changes: Any) -> Signal:  # noqa: ANN401  fields of every type
        fields: dict[str, Any] = {
            "id": SignalId(f"{number:016x}"),
            "source": SourceRef(SourceKind.FEED, "https://example.org/feed", "Example"),
            "url": f"https://example.org/{number}",
            "canonical_url": f"https://example.org/{number}",
            "title": f"Signal {number}",
            "author": "A. Writer",
            "published": MOMENT,
            "date_guessed": False,
            "captured": MOMENT,
            "tags": (),
            "body": f"Body of {number}.\n",
        }
        return Signal(**(fields | changes))

    return make


@pytest.fixture(scope="session")
def make_card() -> Callable[..., ScoreCard]:
    """Return a maker of score cards: the composite, and the domains' scores, best first."""

    def make(composite: float = 0.7, **domains: float) -> ScoreCard:
        dimension = Dimension(composite, (Evidence("language model", composite),))
        ranked = sorted((domains or {"ai": 0.9, "web": 0.1}).items(), key=lambda item: -item[1])
        return ScoreCard(
            relevance=dimension,
            actionability=Dimension(0.12345, (Evidence("2 commands", 0.12345),)),
            depth=Dimension(0.0),
            authority=dimension,
            composite=composite,
            domains=tuple(DomainMatch(name, score) for name, score in ranked),
            rules="test-1",
        )

    return make


@pytest.fixture(scope="session")
def domains() -> tuple[Domain, ...]:
    """Three domains; the second is the dearest, the third is muted."""
    return (
        Domain("ai", "AI", "", 0.5, {}),
        Domain("web", "Work/Web", "", 0.9, {}),
        Domain("gossip", "Gossip", "", 0.0, {}),
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the folder of an empty vault."""
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def writer(root: Path) -> NoteWriter:
    """Return a writer of that vault."""
    return NoteWriter(root, RoutingSettings())


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """Return an empty ledger beside that vault."""
    with Ledger.open(tmp_path / "state.db") as opened:
        yield opened


@pytest.fixture
def record(ledger: Ledger, make_signal: Callable[..., Signal]) -> Callable[..., Signal]:
    """Return what makes a signal, as `make_signal` does, and records it."""

    def make(number: int = 1, **changes: object) -> Signal:
        signal = make_signal(number, **changes)
        assert ledger.record([signal]).new == (signal.id,)
        return signal

    return make


@pytest.fixture
def deliver_with(ledger: Ledger, writer: NoteWriter, domains: tuple[Domain, ...]) -> Callable[..., DeliveryReport]:
    """Return a delivery of what is recorded: the scorer, and whom to tell of progress."""

    def run(
        score: Callable[[Signal], ScoreCard], on_progress: Callable[[object], None] | None = None
    ) -> DeliveryReport:
        return deliver(ledger, score, domains, writer, RoutingSettings(), on_progress=on_progress)

    return run


@pytest.fixture(scope="session")
def properties_of() -> Callable[[str], dict[str, Any]]:
    """Return a reader of a note's properties that takes nothing but the first block between `---` lines."""

    def read(note: str) -> dict[str, Any]:
        lines = note.split("\n")
        assert lines[0] == "---"
        end = lines.index("---", 1)
        loaded = yaml.safe_load("\n".join(lines[1:end]))
        assert isinstance(loaded, dict)
        return loaded

    return read
