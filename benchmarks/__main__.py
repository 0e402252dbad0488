"""`make bench`: ours and the naive build on the same vault, in turn, in one run.

    python benchmarks [--vault FOLDER] [--rounds 3]

Without a folder, the real vault of SLUICE_DATA is taken, or a generated one where that is not set. Prints the median
of every figure for both, the spread of ours, and the ratio. Each round runs both, so that a noisy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
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


@dataclass(frozen=True, slots=True)
class Measured:
    """One process.

    Attributes:
        wall_s: Seconds by the clock.
        cpu_s: Seconds of processor time, user and system.
        output: Standard output.
    """

    wall_s: float
    cpu_s: float
    output: str


def run(command: list[str], environment: dict[str, str]) -> Measured:
    """Run a process to its end and measure it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(wall, cpu, done.stdout)


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


def one_round(vault: Path, work: Path, questions: list[str]) -> dict[str, tuple[float, float]]:
    """Run both programs once and return (naive, ours) for every figure."""
    naive = [sys.executable, str(HERE / "naive.py")]
    state, database = work / "state", work / "naive.db"
    environment = {**os.environ, "SLUICE_VAULT": str(vault), "SLUICE_STATE_DIR": str(state), "HF_HUB_OFFLINE": "1"}
    question_file = work / "questions"
    question_file.write_text("\n".join(questions), encoding="utf-8")
    theirs = run([*naive, "index", str(vault), str(database), str(MODEL)], environment)
    ours = run([str(SLUICE), "index", "--json"], environment)
    again = run([str(SLUICE), "index", "--json"], environment)
    cold_naive = run([*naive, "query", str(database), str(MODEL), questions[0]], environment)
    cold_ours = run([str(SLUICE), "search", "--json", questions[0]], environment)
    warm_naive = json.loads(run([*naive, "warm", str(database), str(MODEL), str(question_file)], environment).output)
    warm_command = [sys.executable, str(HERE / "warm.py"), str(state / "index.db"), str(question_file)]
    warm_ours = json.loads(run(warm_command, environment).output)
    return {
        "full index, wall s": (theirs.wall_s, ours.wall_s),
        "full index, CPU s": (theirs.cpu_s, ours.cpu_s),
        "unchanged vault, wall s": (theirs.wall_s, again.wall_s),
        "cold query, ms": (cold_naive.wall_s * 1e3, cold_ours.wall_s * 1e3),
        "warm query, median ms": (statistics.median(warm_naive) * 1e3, statistics.median(warm_ours) * 1e3),
        "warm query, p95 ms": (percentile(warm_naive) * 1e3, percentile(warm_ours) * 1e3),
        "index size, MB": (database.stat().st_size / 1e6, (state / "index.db").stat().st_size / 1e6),
        "passages": (json.loads(theirs.output)["chunks"], json.loads(ours.output)["chunks"]),
    }


def percentile(values: list[float], share: float = 0.95) -> float:
    """Return the value below which the share of values lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def find_vault(named: str | None, work: Path) -> Path:
    """Return the vault to measure on."""
    if named:
        return Path(named)
    vault = work / "vault"
    vault.mkdir()
    data = os.environ.get("SLUICE_DATA")
    if data:
        with tarfile.open(Path(data) / "vault-16894.tar.xz") as archive:
            archive.extractall(vault, filter="data")
    else:
        generate_vault(vault)
    return vault


def report(rounds: list[dict[str, tuple[float, float]]]) -> None:
    """Print medians, spread and ratios."""
    print(f"{'':26}{'naive':>12}{'ours':>12}{'ours, spread':>22}{'ratio':>9}")
    for name in rounds[0]:
        naive = statistics.median(r[name][0] for r in rounds)
        values = [r[name][1] for r in rounds]
        ours = statistics.median(values)
        spread = f"{min(values):.2f} to {max(values):.2f}"
        print(f"{name:26}{naive:12.2f}{ours:12.2f}{spread:>22}{naive / ours:8.1f}x")


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
            rounds.append(one_round(vault, work, questions))
    report(rounds)


if __name__ == "__main__":
    main()
