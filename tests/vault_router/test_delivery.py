"""Delivery: every pending signal comes to its end once, wherever the last run stopped."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from config.settings import RoutingSettings
from intake.types import Problem, ScoreCard, Signal, SignalState, SourceKind, SourceRef
from vault_router.notes import read_sluice_id
from vault_router.types import DeliveredItem, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from intake.ledger import Ledger
    from vault_router.types import DeliveryReport


class Stopped(Exception):
    """Raised where a test lets a delivery crash."""


@pytest.fixture
def scored() -> Counter[str]:
    """Count how often each signal was scored."""
    return Counter()


@pytest.fixture
def run(
    deliver_with: Callable[..., DeliveryReport], make_card: Callable[..., ScoreCard], scored: Counter[str]
) -> Callable[[], DeliveryReport]:
    """Return one delivery; the composite score of a signal is its author's name."""

    def score(signal: Signal) -> ScoreCard:
        scored[signal.id] += 1
        return make_card(float(signal.author), ai=0.9, web=0.2)

    return lambda: deliver_with(score)


@pytest.fixture
def begin(
    ledger: Ledger, record: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> Callable[[str], Signal]:
    """Return what leaves a signal as a crash does that comes between its place in the ledger and its note."""

    def crash(note_path: str) -> Signal:
        signal = record(title="Promised")
        ledger.save_card(signal.id, make_card(0.9))
        ledger.begin_writing(signal.id, "ai", note_path)
        return signal

    return crash


def tree(root: Path) -> dict[str, bytes]:
    """Read every file of a vault, hidden ones included."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def states(ledger: Ledger) -> list[SignalState]:
    """List the states in the order of recording."""
    return [entry.state for entry in ledger.entries()]


def test_every_signal_comes_to_its_end(
    run: Callable[[], DeliveryReport], record: Callable[..., Signal], ledger: Ledger, root: Path
) -> None:
    """One is written, one queued, one dropped, and the report says so in the order of recording."""
    for number, score in enumerate(["0.9", "0.5", "0.1"], 1):
        record(number, author=score)

    report = run()

    assert states(ledger) == [SignalState.WRITTEN, SignalState.QUEUED, SignalState.DROPPED]
    assert (report.written, report.queued, report.dropped, report.problems) == (1, 1, 1, ())
    assert [(item.outcome, item.domain, item.composite, item.note_path) for item in report.items] == [
        (Outcome.WRITTEN, "ai", 0.9, "AI/Signal 1.md"),
        (Outcome.QUEUED, "ai", 0.5, ""),
        (Outcome.DROPPED, "ai", 0.1, ""),
    ]
    assert [bool(item.reason) for item in report.items] == [False, False, True]
    assert list(tree(root)) == ["AI/Signal 1.md"]


def test_without_a_domain_a_feed_entry_is_dropped_and_a_capture_waits(
    deliver_with: Callable[..., DeliveryReport], record: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """Nothing speaks for a domain of the first; the second waits in the favourite one, which a person may correct."""
    record(1)
    record(2, source=SourceRef(SourceKind.CAPTURE, "capture"))
    report = deliver_with(lambda _signal: make_card(0.1, ai=0.0))
    assert [(item.outcome, item.domain) for item in report.items] == [(Outcome.DROPPED, ""), (Outcome.QUEUED, "web")]


def test_a_second_delivery_does_nothing(
    run: Callable[[], DeliveryReport],
    record: Callable[..., Signal],
    ledger: Ledger,
    root: Path,
    scored: Counter[str],
) -> None:
    """Nothing is scored, written or moved again."""
    for number, score in enumerate(["0.9", "0.5", "0.1"], 1):
        record(number, author=score)
    run()
    before = tree(root), states(ledger)

    report = run()

    assert (report.items, report.problems) == ((), ())
    assert (tree(root), states(ledger)) == before
    assert set(scored.values()) == {1}


def test_a_scored_signal_is_not_scored_again(
    run: Callable[[], DeliveryReport],
    record: Callable[..., Signal],
    ledger: Ledger,
    scored: Counter[str],
    make_card: Callable[..., ScoreCard],
) -> None:
    """A card from before a crash decides, whatever the scorer would say now."""
    ledger.save_card(record(author="0.0").id, make_card(0.9))

    assert run().written == 1
    assert not scored


@pytest.mark.parametrize("edited", ["", "my own words\n"])
def test_a_note_that_was_being_written_is_finished_at_its_place(
    edited: str,
    run: Callable[[], DeliveryReport],
    begin: Callable[[str], Signal],
    ledger: Ledger,
    root: Path,
) -> None:
    """The place in the ledger holds, and a note that arrived before the crash is left to the person's edits."""
    signal = begin("AI/Place.md")
    if edited:
        (root / "AI").mkdir()
        (root / "AI/Place.md").write_text(f"---\nsluice_id: {signal.id}\n---\n{edited}", encoding="utf-8")

    report = run()

    assert [item.note_path for item in report.items] == ["AI/Place.md"]
    assert list(tree(root)) == ["AI/Place.md"]
    assert read_sluice_id(root / "AI/Place.md") == signal.id
    assert (root / "AI/Place.md").read_text(encoding="utf-8").endswith(edited or "\n\nBody of 1.\n")
    assert states(ledger) == [SignalState.WRITTEN]


def test_a_stranger_at_the_promised_place_is_left_alone(
    run: Callable[[], DeliveryReport], begin: Callable[[str], Signal], ledger: Ledger, root: Path
) -> None:
    """The note goes to another name of the same folder, and the ledger knows it."""
    signal = begin("Old/Promised.md")
    (root / "Old").mkdir()
    (root / "Old/Promised.md").write_text("mine\n", encoding="utf-8")

    report = run()

    assert [item.note_path for item in report.items] == ["Old/Promised 2.md"]
    assert ledger.find(signal.id).note_path == "Old/Promised 2.md"
    assert tree(root)["Old/Promised.md"] == b"mine\n"
    assert read_sluice_id(root / "Old/Promised 2.md") == signal.id


def test_a_note_that_cannot_be_written_stops_no_other(
    deliver_with: Callable[..., DeliveryReport],
    record: Callable[..., Signal],
    ledger: Ledger,
    root: Path,
    make_card: Callable[..., ScoreCard],
) -> None:
    """It is a problem, it stays pending, and it is written once the cause is gone."""
    for number in (1, 2, 3):
        record(number)
    obstacle = root / "AI"
    obstacle.write_text("a file where the folder should be\n", encoding="utf-8")
    seen: list[object] = []

    def score(signal: Signal) -> ScoreCard:
        return make_card(0.9, **{"web" if signal.title == "Signal 2" else "ai": 0.9})

    report = deliver_with(score, seen.append)

    assert [problem.subject for problem in report.problems] == ["Signal 1", "Signal 3"]
    assert [item.note_path for item in report.items] == ["Work/Web/Signal 2.md"]
    assert [type(row) for row in seen] == [Problem, DeliveredItem, Problem]

    obstacle.unlink()
    again = deliver_with(score)

    assert [item.note_path for item in again.items] == ["AI/Signal 1.md", "AI/Signal 3.md"]
    assert states(ledger) == [SignalState.WRITTEN] * 3


def test_a_program_that_takes_every_name_is_a_problem(
    run: Callable[[], DeliveryReport],
    record: Callable[..., Signal],
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Names are not tried for ever, and the signal stays pending."""

    def taken(_source: Path, _target: Path) -> None:
        raise FileExistsError

    monkeypatch.setattr(os, "link", taken)
    record(author="0.9")

    report = run()

    assert ["takes every name" in problem.message for problem in report.problems] == [True]
    assert states(ledger) == [SignalState.WRITING]


def test_a_folder_that_leads_outside_is_a_problem(
    run: Callable[[], DeliveryReport],
    record: Callable[..., Signal],
    ledger: Ledger,
    root: Path,
    tmp_path: Path,
) -> None:
    """Nothing is written through the link, and the message names the way out."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "AI").symlink_to(outside)
    record(author="0.9")

    report = run()

    assert ["remove the link" in problem.message for problem in report.problems] == [True]
    assert list(outside.iterdir()) == []
    assert states(ledger) == [SignalState.SCORED]


@pytest.mark.parametrize("crash_at", range(1, 7))
def test_a_crash_at_any_signal_changes_no_name(
    crash_at: int,
    deliver_with: Callable[..., DeliveryReport],
    record: Callable[..., Signal],
    root: Path,
    make_card: Callable[..., ScoreCard],
) -> None:
    """Twins get the same numbers whether a run was disturbed or not."""
    for number in range(1, 7):
        record(number, title="Twin")
    calls = itertools.count(1)

    def score(_signal: Signal) -> ScoreCard:
        if next(calls) == crash_at:
            raise Stopped
        return make_card(0.9)

    with pytest.raises(Stopped):
        deliver_with(score)
    deliver_with(score)

    found = {path: read_sluice_id(root / path) for path in tree(root)}
    names = ["AI/Twin.md", *(f"AI/Twin {n}.md" for n in range(2, 7))]
    assert found == {name: f"{n:016x}" for n, name in enumerate(names, 1)}


@pytest.mark.parametrize(
    "title",
    [
        "../../../etc/passwd", "/etc/passwd", "..\\..\\x", "~/x", ".", "..", "CON", "a\0b", "\u202egpj.exe", "-rf *",
        "---\nsluice_id: 0000000000000009\n---", "key: [value", "x" * 5000, "word " * 1000, "🚀" * 5000, "\u200b",
        "%00", "$(touch x)", "|", "a\r\nb", "\u0000" * 5000,
    ],
)  # fmt: skip
def test_a_hostile_title_ends_as_a_readable_note_in_its_folder(
    title: str,
    run: Callable[[], DeliveryReport],
    record: Callable[..., Signal],
    root: Path,
    properties_of: Callable[[str], dict[str, object]],
) -> None:
    """One visible file in the domain's folder, with properties and a heading that can be read."""
    signal = record(author="0.9", title=title)

    assert run().written == 1

    ((path, content),) = tree(root).items()
    folder, name = path.split("/")
    assert folder == "AI"
    assert name[0] not in ".-"
    assert len(name.encode()) <= RoutingSettings().max_name_bytes
    assert name.isprintable()
    text = content.decode()
    assert properties_of(text)["sluice_id"] == signal.id
    assert re.search(r"\n---\n\n# \S[^\n]*\n\nBody of 1\.\n\Z", text)
    assert all(c.isprintable() or c == "\n" for c in text)
