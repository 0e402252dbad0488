"""Looking at an index as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.store.inspection import check_index, summarize_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from retrieval.types import IndexReport

    WriteNote = Callable[[str, str | bytes], Path]
    RunIndex = Callable[..., IndexReport]


@pytest.fixture
def indexed(write_note: WriteNote, run_index: RunIndex) -> IndexReport:
    """An index of two notes, one of them with a problem."""
    write_note("a.md", "# A note\n\nIts text is long enough to be kept as a passage.\n")
    write_note("b.md", "---\ntitle: [broken\n---\n\nIts text is long enough to be kept as a passage.\n")
    return run_index()


def _change(index_file: Path, statement: str) -> None:
    connection = apsw.Connection(str(index_file))
    connection.execute(statement)
    connection.close()


def test_a_summary_counts_what_the_run_reported(indexed: IndexReport, index_file: Path, now: datetime) -> None:
    """Files, passages, vectors, problems and the time of the run are read from the index alone."""
    summary = summarize_index(index_file)
    assert (summary.files, summary.chunks, summary.vectors) == (indexed.files, indexed.chunks, 2)
    assert (summary.built, summary.complete) == (now, True)
    assert summary.problems == indexed.problems
    assert [problem.path for problem in summary.problems] == ["b.md"]
    assert summary.size_bytes == index_file.stat().st_size
    assert summary.fingerprint.endswith("model word-hash:64")


def test_an_interrupted_run_is_not_complete(write_note: WriteNote, run_index: RunIndex, index_file: Path) -> None:
    """What was kept is counted, and that something is missing is said."""
    for name in ("a.md", "b.md"):
        write_note(name, "A text that is long enough to be kept as a passage.\n")
    run_index(batch_files=1, progress=lambda _done, _total: False)
    summary = summarize_index(index_file)
    assert (summary.files, summary.complete) == (1, False)


def test_a_sound_index_has_no_faults(indexed: IndexReport, index_file: Path) -> None:
    """Right after a run everything agrees."""
    assert check_index(index_file) == ()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM files WHERE path = 'a.md'", "1 passages without a file"),
        ("DELETE FROM postings WHERE rowid = 1", "1 passages without postings"),
        ("DELETE FROM chunks WHERE id = 1", "1 vectors without a passage"),
    ],
)
def test_parts_that_disagree_are_named(indexed: IndexReport, index_file: Path, statement: str, fault: str) -> None:
    """A row that lost its counterpart is counted, with the way out."""
    _change(index_file, statement)
    assert any(fault in line and "--full" in line for line in check_index(index_file))


def test_what_cannot_be_inspected_is_an_error(tmp_path: Path) -> None:
    """No index and a file that is none are told apart."""
    for look in (summarize_index, check_index):
        with pytest.raises(IndexMissing):
            look(tmp_path / "index.db")
        bad = tmp_path / "bad.db"
        bad.write_bytes(b"no database " * 400)
        with pytest.raises(IndexDamaged):
            look(bad)
