"""Index runs that meet other processes, or are killed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from config.settings import IndexSettings
from retrieval.embedding.loading import load_embedder
from retrieval.errors import IndexBusy
from retrieval.indexing import index_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from retrieval.retriever import Retriever
    from retrieval.types import IndexReport

    RunIndex = Callable[..., IndexReport]

KILLS = 10

_INDEX = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from config.settings import IndexSettings
from retrieval.embedding.loading import load_embedder
from retrieval.indexing import index_vault

def wait(done, total):
    if sys.argv[3] == "wait":
        print(done, flush=True)
        sys.stdin.readline()
    return True

embedder = load_embedder("bundled") if sys.argv[4] == "bundled" else None
print("ready", flush=True)
index_vault(
    Path(sys.argv[1]), Path(sys.argv[2]), IndexSettings(), embedder, now=datetime(2025, 1, 1, tzinfo=UTC),
    full=sys.argv[5] == "full", progress=wait, batch_files=20,
)
print("done", flush=True)
"""


def _start(vault: Path, index_file: Path, *, wait: bool, model: str, full: bool) -> subprocess.Popen[str]:
    words = ["wait" if wait else "run", model, "full" if full else "update"]
    process = subprocess.Popen(
        [sys.executable, "-c", _INDEX, str(vault), str(index_file), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.fixture
def many_notes(write_note: Callable[[str, str], Path]) -> None:
    """300 notes of one to three sections."""
    words = "rotate backup keys ranking fusion vault index search note feed signal router domain score".split()
    chance = random.Random(4)
    for number in range(300):
        sections = [" ".join(chance.choices(words, k=40)) for _ in range(1 + number % 3)]
        body = "\n\n".join(f"## Section {i}\n\n{text}." for i, text in enumerate(sections))
        write_note(f"f{number % 7}/n{number}.md", f"# Note {number}\n\n{body}\n")


def test_a_second_run_at_the_same_time_is_told_who_is_indexing(
    many_notes: None, vault: Path, index_file: Path, run_index: RunIndex
) -> None:
    """The second run changes nothing and names the process; when the first has ended, it may go."""
    with _start(vault, index_file, wait=True, model="none", full=False) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "20\n"
        with pytest.raises(IndexBusy, match=f"process {first.pid} "):
            run_index(embedder=None)
        first.communicate("\n" * 20)
    assert first.returncode == 0
    assert run_index(embedder=None).unchanged == 300


def test_readers_are_undisturbed_while_an_index_is_made_anew(
    many_notes: None,
    vault: Path,
    index_file: Path,
    run_index: RunIndex,
    open_retriever: Callable[..., Retriever],
) -> None:
    """Searches from another process give the old answer until the new index is complete, and then the new one."""
    run_index(embedder=None)
    retriever = open_retriever()
    before = retriever.search("rotate backup keys")
    assert len(before.results) == 10
    with _start(vault, index_file, wait=True, model="none", full=True) as writer:
        assert writer.stdout is not None
        assert writer.stdin is not None
        for done in range(20, 301, 20):
            assert writer.stdout.readline() == f"{done}\n"
            assert retriever.search("rotate backup keys") == before
            writer.stdin.write("\n")
            writer.stdin.flush()
        assert writer.stdout.readline() == "done\n"
    after = retriever.search("rotate backup keys")
    assert after.index_built != before.index_built
    assert after.results == before.results


@pytest.mark.kill
def test_a_run_killed_at_any_moment_ends_like_an_undisturbed_one(  # noqa: PLR0913, PLR0917  fixtures
    many_notes: None,
    vault: Path,
    index_file: Path,
    tmp_path: Path,
    now: datetime,
    read_index: Callable[..., list[tuple[Any, ...]]],
) -> None:
    """After each SIGKILL the parts of the index agree, and one more run gives the index of an undisturbed run."""
    embedder = load_embedder("bundled")

    def index(file: Path) -> IndexReport:
        return index_vault(vault, file, IndexSettings(), embedder, now=now)

    began = time.monotonic()
    index(tmp_path / "calm.db")
    length_s = 2 * (time.monotonic() - began)
    expected = read_index(tmp_path / "calm.db")
    chance = random.Random(7)
    cut_short = 0
    for number in range(KILLS):
        full = number >= KILLS // 2
        if full:
            index(index_file)
        else:
            index_file.unlink(missing_ok=True)
        with _start(vault, index_file, wait=False, model="bundled", full=full) as process:
            time.sleep(chance.uniform(0, length_s))
            process.kill()
            output, _ = process.communicate()
        cut_short += output != "done\n"
        if full:
            assert read_index() == expected
        index(index_file)
        assert read_index() == expected
    assert cut_short > 0
