"""A killed delivery, run again, ends as one that was never disturbed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from intake.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable

    from intake.types import Signal

SCRIPT = Path(__file__).with_name("killed_delivery.py")
KILLED = -signal.SIGKILL
Place = tuple[Path, Path]


@pytest.fixture
def make_place(tmp_path: Path, make_signal: Callable[..., Signal]) -> Callable[[str], Place]:
    """Return what makes a vault and a ledger with forty signals: twins, some for review, some to drop."""

    def make(name: str) -> Place:
        vault, ledger_file = tmp_path / name, tmp_path / f"{name}.db"
        vault.mkdir()
        scores = ["0.9", "0.8", "0.7", "0.5", "0.1"]
        with Ledger.open(ledger_file) as ledger:
            ledger.record([make_signal(n, title=f"Twin {n % 4}", author=scores[n % 5]) for n in range(1, 41)])
        return vault, ledger_file

    return make


def command(place: Place, events: int = 0) -> list[str]:
    """Compose the command line of one delivery."""
    return [sys.executable, str(SCRIPT), str(place[0]), str(place[1]), str(events)]


def run(place: Place, events: int = 0) -> int:
    """Deliver, and return how the process ended."""
    return subprocess.run(command(place, events), check=False, capture_output=True, timeout=60).returncode


def outcome(place: Place) -> tuple[dict[str, bytes], list[tuple[str, str, str]]]:
    """Read every file of the vault, hidden ones included, and where the ledger says each signal is."""
    vault, ledger_file = place
    files = {str(p.relative_to(vault)): p.read_bytes() for p in vault.rglob("*") if p.is_file()}
    with Ledger.open(ledger_file) as ledger:
        return files, [(e.signal.id, e.state.value, e.note_path) for e in ledger.entries()]


@pytest.mark.kill
def test_a_delivery_that_kills_itself_between_any_two_accesses_ends_as_undisturbed(
    make_place: Callable[[str], Place],
) -> None:
    """Killed before an open, a link, a removal or a listing, run after run, it loses, repeats and leaves nothing."""
    undisturbed, disturbed = make_place("undisturbed"), make_place("disturbed")
    assert run(undisturbed) == 0
    draw = random.Random(7)
    kills = 0
    while run(disturbed, draw.randint(1, 90)) == KILLED:
        kills += 1
    assert run(disturbed) == 0

    assert kills >= 3
    assert outcome(disturbed) == outcome(undisturbed)
    assert not [path for path in outcome(disturbed)[0] if Path(path).name.startswith(".")]


@pytest.mark.kill
def test_a_delivery_killed_from_outside_ends_as_undisturbed(make_place: Callable[[str], Place]) -> None:
    """Killed while its ledger or a note is being written, it shows no half note and ends the same."""
    undisturbed, disturbed = make_place("undisturbed"), make_place("disturbed")
    assert run(undisturbed) == 0
    expected = outcome(undisturbed)[0]
    for progress in (1, 7, 4, 9):
        with subprocess.Popen(command(disturbed), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(progress):
                process.stdout.readline()
            process.kill()
        assert process.returncode in {KILLED, 0}  # a slow parent may come too late
        found = outcome(disturbed)[0]
        visible = {path: text for path, text in found.items() if not Path(path).name.startswith(".")}
        assert visible.items() <= expected.items()
    assert run(disturbed) == 0

    assert outcome(disturbed) == outcome(undisturbed)
