"""`make bench`: ours and the naive build on the same vault, in turn, in one run.

    python benchmarks [--vault FOLDER] [--rounds 3]

Without a folder, the real vault of SLUICE_DATA is taken, or a generated one where that is not set. Prints the median
of every figure for both, the spread, and the ratio. Each round runs both, step by step and in turn, so that a noisy
machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SLUICE = Path(sys.executable).with_name("sluice")
MODEL = HERE.parent / "retrieval" / "embedding" / "bundled"

WORDS = (
    "index query vault note search backup restore server client table column row vector cosine rank score feed entry "
    "chunk heading link folder file hash cache page commit lock reader writer process thread memory disk network "
    "because however therefore measure result default option command value error warning message question answer"
).split()


CHANGED_FILES = 100
COLD_QUERIES = 5
"""Fresh processes per program and round, of which the median counts."""

PROCESS_UNITS = (", wall s", ", CPU s", ", peak MB")
UNITS = {
    "index size, MB": ("",),
    "passages": ("",),
    "cold query": (", ms", ", peak MB"),
    "warm query": (", median ms", ", p95 ms"),
}
"""What the figures of a step are, where it is not a whole process."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One process.

    Attributes:
        wall_s: Seconds by the clock.
        cpu_s: Seconds of processor time, user and system.
        peak_mb: Largest resident memory.
        output: Standard output.
    """

    wall_s: float
    cpu_s: float
    peak_mb: float
    output: str

    def figures(self) -> list[float]:
        """Return times and memory."""
        return [self.wall_s, self.cpu_s, self.peak_mb]


def run(command: list[str], environment: dict[str, str]) -> Measured:
    """Run a process to its end and measure it."""
    with tempfile.TemporaryFile("w+") as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.PIPE, text=True)
        _, status, used = os.wait4(process.pid, 0)  # its own usage, where RUSAGE_CHILDREN has the peak of all so far
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.stderr is not None
        with process.stderr as messages:
            if process.returncode:
                raise SystemExit(f"{' '.join(command)} failed: {messages.read()}")
        output.seek(0)
        peak_bytes = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        return Measured(wall, used.ru_utime + used.ru_stime, peak_bytes / 1e6, output.read())


def generate_vault(folder: Path, notes: int = 2000) -> None:
    """Write notes of random words: enough to compare two programs, not to judge results."""
    chance = random.Random(1)  # noqa: S311  a repeatable vault
    for number in range(notes):
        sections = [
            f"## {' '.join(chance.choices(WORDS, k=3))}\n\n{' '.join(chance.choices(WORDS, k=120))}." for _ in range(4)
        ]
        (folder / f"{number:05}.md").write_text(
            f"---\ntitle: Note {number}\ntags: [a, b]\n---\n" + "\n\n".join(sections), encoding="utf-8"
        )


def questions_from(vault: Path, number: int = 100) -> list[str]:
    """Take six to ten words in a row out of random notes."""
    chance = random.Random(2)  # noqa: S311  repeatable questions
    notes = sorted(vault.rglob("*.md"))
    found: list[str] = []
    while len(found) < number:
        words = [w for w in chance.choice(notes).read_text("utf-8", "replace").split() if w.isalpha()]
        if len(words) > 20:  # noqa: PLR2004  room to choose from
            start = chance.randrange(len(words) - 10)
            found.append(" ".join(words[start : start + chance.randint(6, 10)]))
    return found


class Program:
    """One of the two programs: how each step of a round is started."""

    def __init__(self, name: str, vault: Path, work: Path, questions: Path) -> None:
        self.name = name
        self.questions = str(questions)
        self.database = work / "naive.db" if name == "naive" else work / "state" / "index.db"
        self._vault = str(vault)
        self._environment = {
            **os.environ,
            "SLUICE_VAULT": str(vault),
            "SLUICE_STATE_DIR": str(work / "state"),
            "HF_HUB_OFFLINE": "1",
        }

    def index(self) -> Measured:
        """Index the vault from nothing."""
        if self.name == "naive":
            return self._naive("index", self._vault, str(self.database), str(MODEL))
        return self._run([str(SLUICE), "index", "--json"])

    def update(self) -> Measured:
        """Bring the index up to date."""
        if self.name == "naive":
            return self._naive("update", self._vault, str(self.database), str(MODEL))
        return self._run([str(SLUICE), "index", "--json"])

    def query(self, text: str) -> Measured:
        """Answer one query in a fresh process."""
        if self.name == "naive":
            return self._naive("query", str(self.database), str(MODEL), text)
        return self._run([str(SLUICE), "search", "--json", text])

    def warm(self) -> list[float]:
        """Answer all queries in one process; return the seconds of each."""
        if self.name == "naive":
            done = self._naive("warm", str(self.database), str(MODEL), self.questions)
        else:
            done = self._run([sys.executable, str(HERE / "warm.py"), str(self.database), self.questions])
        times: list[float] = json.loads(done.output)
        return times

    def _naive(self, *arguments: str) -> Measured:
        return self._run([sys.executable, str(HERE / "naive.py"), *arguments])

    def _run(self, command: list[str]) -> Measured:
        return run(command, self._environment)


def one_round(vault: Path, work: Path, questions: list[str], *, ours_first: bool) -> dict[str, tuple[float, float]]:
    """Run both programs step by step and return (naive, ours) for every figure."""
    question_file = work / "questions"
    question_file.write_text("\n".join(questions), encoding="utf-8")
    both = [
        Program(name, vault, work, question_file) for name in (("ours", "naive") if ours_first else ("naive", "ours"))
    ]
    steps: dict[str, dict[str, list[float]]] = {}
    outputs: dict[str, str] = {}
    for program in both:
        full = program.index()
        outputs[program.name] = full.output
        steps.setdefault("full index", {})[program.name] = full.figures()
    for program in both:
        steps.setdefault("nothing changed", {})[program.name] = program.update().figures()
    for program in both:
        steps.setdefault("index size, MB", {})[program.name] = [program.database.stat().st_size / 1e6]
    change_files(vault, CHANGED_FILES)
    for program in both:
        steps.setdefault(f"{CHANGED_FILES} files changed", {})[program.name] = program.update().figures()
    for program in both:
        cold = [program.query(question) for question in questions[:COLD_QUERIES]]
        steps.setdefault("cold query", {})[program.name] = [
            statistics.median(done.wall_s for done in cold) * 1e3, statistics.median(done.peak_mb for done in cold)
        ]  # fmt: skip
    for program in both:
        times = program.warm()
        steps.setdefault("warm query", {})[program.name] = [statistics.median(times) * 1e3, percentile(times) * 1e3]
    for program in both:
        steps.setdefault("passages", {})[program.name] = [json.loads(outputs[program.name])["chunks"]]
    return {
        name + unit: (naive, ours)
        for name, found in steps.items()
        for unit, naive, ours in zip(UNITS.get(name, PROCESS_UNITS), found["naive"], found["ours"], strict=False)
    }


def change_files(vault: Path, number: int) -> None:
    """Append a paragraph to notes spread over the vault."""
    notes = sorted(vault.rglob("*.md"))
    for note in notes[:: max(1, len(notes) // number)][:number]:
        with note.open("a", encoding="utf-8") as text:
            text.write("\n\nA paragraph that was added between two runs, long enough to be a part of a passage.\n")


def percentile(values: list[float], share: float = 0.95) -> float:
    """Return the value below which the share of values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def find_vault(named: str | None, work: Path) -> Path:
    """Return a copy of the vault to measure on: notes are changed in it."""
    vault = work / "vault"
    data = os.environ.get("SLUICE_DATA")
    if named:
        shutil.copytree(named, vault)
        return vault
    vault.mkdir()
    if data:
        with tarfile.open(Path(data) / "vault-16894.tar.xz") as archive:
            archive.extractall(vault, filter="data")
    else:
        generate_vault(vault)
    return vault


def report(rounds: list[dict[str, tuple[float, float]]]) -> None:
    """Print medians, spread and ratios."""
    print(f"{'':32}{'naive':>10}{'(spread)':>22}{'ours':>10}{'(spread)':>22}{'naive/ours':>12}")
    for name in rounds[0]:
        naive, ours = ([figures[name][program] for figures in rounds] for program in (0, 1))
        ratio = statistics.median(naive) / statistics.median(ours)
        print(f"{name:32}{_with_spread(naive)}{_with_spread(ours)}{ratio:11.2f}x", flush=True)


def _with_spread(values: list[float]) -> str:
    spread = f"({min(values):.2f} to {max(values):.2f})"
    return f"{statistics.median(values):10.2f}{spread:>22}"


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vault", help="folder of Markdown notes")
    parser.add_argument("--rounds", type=int, default=3)
    options: Any = parser.parse_args()
    rounds = []
    with tempfile.TemporaryDirectory(prefix="sluice-bench-") as folder:
        vault = find_vault(options.vault, Path(folder))
        questions = questions_from(vault)
        for number in range(options.rounds):
            work = Path(folder) / f"round{number}"
            work.mkdir()
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
            rounds.append(one_round(vault, work, questions, ours_first=bool(number % 2)))
    report(rounds)


if __name__ == "__main__":
    main()
