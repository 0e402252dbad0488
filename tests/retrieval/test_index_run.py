"""Index runs over a vault on disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from config.settings import ChunkSettings, IndexSettings
from retrieval.errors import IndexDamaged, MassDeletion
from retrieval.indexing import run as running
from retrieval.store.connection import PAGE_BYTES, open_for_reading, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from retrieval.embedding.types import Embedder
    from retrieval.types import IndexReport

    WriteNote = Callable[[str, str | bytes], Path]
    RunIndex = Callable[..., IndexReport]
    ReadIndex = Callable[..., list[tuple[Any, ...]]]

ALPHA = "# Alpha\n\nThe first note speaks about rotating the backup keys.\n"
BETA = "# Beta\n\n## One\n\nThe second note has a section on ranking.\n\n## Two\n\nAnd another on fusing two lists.\n"


def _counts(report: IndexReport) -> tuple[int, int, int, int]:
    return report.added, report.updated, report.deleted, report.unchanged


@pytest.fixture
def two_notes(write_note: WriteNote) -> None:
    write_note("alpha.md", ALPHA)
    write_note("sub/beta.md", BETA)


def test_a_first_run_indexes_everything(
    two_notes: None, run_index: RunIndex, read_index: ReadIndex, embedded: list[str]
) -> None:
    """Every passage is stored with its lines, its heading path and a vector."""
    report = run_index()
    assert (report.files, report.chunks, _counts(report)) == (2, 3, (2, 0, 0, 0))
    assert (report.reason, report.problems, report.interrupted) == ("there was no index", (), False)
    rows = read_index()
    assert [(row[0], row[6]) for row in rows] == [
        ("alpha.md", ""), ("sub/beta.md", "One"), ("sub/beta.md", "Two")
    ]  # fmt: skip
    assert all(len(row[-1]) == 64 for row in rows)
    assert len(embedded) == 3
    assert all(text.startswith(("Alpha\n", "Beta\n")) for text in embedded)


def test_a_second_run_changes_nothing(
    two_notes: None, run_index: RunIndex, read_index: ReadIndex, embedded: list[str]
) -> None:
    """Nothing is read, embedded or written, and no reason is given, for there is none."""
    run_index()
    before = read_index()
    embedded.clear()
    report = run_index()
    assert (_counts(report), report.reason, report.files, report.chunks) == ((0, 0, 0, 2), "", 2, 3)
    assert read_index() == before
    assert embedded == []


def test_a_touched_file_is_unchanged(two_notes: None, vault: Path, run_index: RunIndex, embedded: list[str]) -> None:
    """A new modification time costs one reading, no embedding, and nothing at the run after."""
    run_index()
    embedded.clear()
    os.utime(vault / "alpha.md", ns=(5, 5))
    assert _counts(run_index()) == (0, 0, 0, 2)
    os.chmod(vault / "alpha.md", 0o644)  # noqa: PTH101  a change of rights alone
    assert _counts(run_index()) == (0, 0, 0, 2)
    assert embedded == []


def test_a_changed_section_is_the_only_one_embedded(
    two_notes: None, write_note: WriteNote, run_index: RunIndex, embedded: list[str], read_index: ReadIndex
) -> None:
    """Passages of a changed note whose prompt is the same keep their vectors."""
    run_index()
    embedded.clear()
    write_note("sub/beta.md", BETA.replace("another", "a longer one"))
    assert _counts(run_index()) == (0, 1, 0, 1)
    assert [text.splitlines()[1] for text in embedded] == ["Two"]
    assert "a longer one" in read_index()[-1][-2]


def test_a_deleted_file_leaves_the_index(
    two_notes: None, vault: Path, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """Its passages, postings and vectors are gone; the others stay."""
    run_index()
    (vault / "sub" / "beta.md").unlink()
    report = run_index()
    assert (_counts(report), report.files, report.chunks) == ((0, 0, 1, 1), 1, 1)
    assert [row[0] for row in read_index()] == ["alpha.md"]


def test_a_renamed_file_keeps_its_vectors(
    two_notes: None, vault: Path, run_index: RunIndex, read_index: ReadIndex, embedded: list[str]
) -> None:
    """A new path is a new file, but nothing is embedded for it; a copy left behind is a file of its own."""
    run_index()
    before = read_index()
    embedded.clear()
    (vault / "alpha.md").rename(vault / "zeta.md")
    assert _counts(run_index()) == (1, 0, 1, 1)
    assert embedded == []
    (row,) = [row for row in read_index() if row[0] == "zeta.md"]
    assert row[1:] == before[0][1:]
    (vault / "alpha.md").write_bytes((vault / "zeta.md").read_bytes())
    assert _counts(run_index()) == (1, 0, 0, 2)


def test_a_mass_deletion_is_refused_until_it_is_allowed(
    vault: Path, write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """A run that would delete more than a fifth changes nothing, also where everything is to be made anew."""
    for number in range(30):
        write_note(f"n{number:02}.md", f"# Note {number}\n\nThis is the text of note number {number}.\n")
    run_index()
    before = read_index()
    for number in range(7):
        (vault / f"n{number:02}.md").unlink()
    for options in ({}, {"full": True}, {"settings": IndexSettings(max_file_bytes=4000)}):
        with pytest.raises(MassDeletion, match="7 of 30"):
            run_index(**options)
        assert read_index() == before
    assert run_index(allow_mass_delete=True).deleted == 7
    assert len(read_index()) == 23


def test_an_unmounted_vault_empties_nothing(
    two_notes: None, vault: Path, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """A vault that cannot be listed is a problem, not a deletion."""
    run_index()
    before = read_index()
    vault.rename(vault.with_name("elsewhere"))
    report = run_index()
    assert (report.files, _counts(report)) == (2, (0, 0, 0, 0))
    assert [problem.path for problem in report.problems] == ["."]
    vault.with_name("elsewhere").rename(vault)
    assert run_index().problems == ()
    assert read_index() == before


def test_reorganising_a_vault_is_no_mass_deletion(vault: Path, write_note: WriteNote, run_index: RunIndex) -> None:
    """A renamed folder moves many notes, and loses none."""
    for number in range(30):
        write_note(f"old/n{number:02}.md", f"# Note {number}\n\nThis is the text of note number {number}.\n")
    run_index()
    (vault / "old").rename(vault / "new")
    assert _counts(run_index()) == (30, 0, 30, 0)


@pytest.mark.parametrize("what", ["model", "chunks"])
def test_other_rules_index_everything_anew(  # noqa: PLR0913, PLR0917  fixtures and cases
    two_notes: None,
    run_index: RunIndex,
    read_index: ReadIndex,
    make_embedder: Callable[..., Embedder],
    embedded: list[str],
    what: str,
) -> None:
    """Another model or another way of cutting rebuilds the index by itself, once, and says why."""
    run_index()
    embedded.clear()
    other: dict[str, Any] = (
        {"embedder": make_embedder("other")}
        if what == "model"
        else {"settings": IndexSettings(chunks=ChunkSettings(min_chars=1))}
    )
    report = run_index(**other)
    assert "made by other rules" in report.reason
    assert (report.files, _counts(report)) == (2, (2, 0, 0, 0))
    assert len(embedded) == len(read_index())
    assert run_index(**other).reason == ""


def test_without_a_model_the_index_has_no_vectors(two_notes: None, run_index: RunIndex, read_index: ReadIndex) -> None:
    """Keyword search needs no model; as soon as there is one, the index is made anew with vectors."""
    assert run_index(embedder=None).chunks == 3
    assert [row[-1] for row in read_index()] == [None] * 3
    assert "model none" in run_index().reason
    assert None not in [row[-1] for row in read_index()]


def test_what_is_not_a_database_is_refused_and_replaced_on_demand(
    two_notes: None, index_file: Path, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """A damaged index says how to rebuild it, and that way works."""
    run_index()
    before = read_index()
    index_file.write_bytes(b"this is no database at all, only some text " * 50)
    with pytest.raises(IndexDamaged, match="sluice index --full"):
        run_index()
    assert run_index(full=True).reason == "a full index was asked for"
    assert read_index() == before


def test_broken_pages_are_refused_and_replaced_on_demand(
    two_notes: None, index_file: Path, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """Damage that shows only in the middle of a run is named in the same way."""
    run_index()
    before = read_index()
    data = index_file.read_bytes()
    index_file.write_bytes(data[:PAGE_BYTES] + b"\x5a" * (len(data) - PAGE_BYTES))
    with pytest.raises(IndexDamaged, match="sluice index --full"):
        run_index()
    run_index(full=True)
    assert read_index() == before


def test_a_run_that_is_told_to_stop_keeps_what_it_did(
    write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex, embedded: list[str]
) -> None:
    """The batch is finished and kept, and the next run does the rest alone."""
    for number in range(10):
        write_note(f"n{number}.md", f"# Note {number}\n\nThis is the text of note number {number}.\n")
    calls: list[tuple[int, int]] = []

    def stop_at_once(done: int, total: int) -> bool:
        calls.append((done, total))
        return False

    stopped = run_index(progress=stop_at_once, batch_files=4)
    assert (stopped.interrupted, stopped.files, calls) == (True, 4, [(4, 10)])
    assert len(read_index()) == len(embedded) == 4
    rest = run_index(batch_files=4)
    assert (rest.interrupted, _counts(rest), rest.reason) == (False, (6, 0, 0, 4), "")
    assert len(read_index()) == len(embedded) == 10


def test_stopping_after_the_last_batch_is_no_interruption(two_notes: None, run_index: RunIndex) -> None:
    """Where nothing is left to do, nothing was interrupted."""
    assert not run_index(progress=lambda _done, _total: False).interrupted


def test_a_full_run_shows_readers_the_old_index_until_the_new_one_is_there(
    write_note: WriteNote, run_index: RunIndex, index_file: Path
) -> None:
    """In the middle of a rebuild a reader sees every note; the write-ahead log does not stay large."""
    for number in range(6):
        write_note(f"n{number}.md", f"# Note {number}\n\nThis is the text of note number {number}.\n")
    run_index()
    reader = open_for_reading(index_file)
    seen: list[int] = []

    def look(_done: int, _total: int) -> bool:
        with snapshot(reader):
            seen.append(reader.execute("SELECT count(*) FROM chunks").get)
        return True

    try:
        run_index(full=True, batch_files=2, progress=look)
        assert seen == [6, 6, 6]
    finally:
        reader.close()


def test_a_rebuild_that_fails_leaves_the_old_index(two_notes: None, run_index: RunIndex, read_index: ReadIndex) -> None:
    """An error in the middle of a rebuild rolls back to what there was."""
    run_index()
    before = read_index()

    def fail(_done: int, _total: int) -> bool:
        raise LookupError

    with pytest.raises(LookupError):
        run_index(full=True, batch_files=1, progress=fail)
    assert read_index() == before


def test_excluding_a_folder_takes_it_out_of_the_index(
    two_notes: None, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """Settings that change what is indexed act at the next run."""
    run_index()
    assert _counts(run_index(settings=IndexSettings(exclude=("sub",)))) == (0, 0, 1, 1)
    assert [row[0] for row in read_index()] == ["alpha.md"]
    assert _counts(run_index()) == (1, 0, 0, 1)


def test_batches_do_not_change_the_result(
    vault: Path, write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """One file per transaction or all in one: the same index."""
    for number in range(7):
        write_note(f"n{number}.md", BETA + f"\n## Section {number % 3}\n\nThis is the text of a shared section.\n")
    run_index(batch_files=1)
    one_by_one = read_index()
    run_index(full=True, batch_files=running.BATCH_FILES)
    assert read_index() == one_by_one


def test_vectors_outlive_a_model_that_is_unavailable(
    two_notes: None,
    run_index: RunIndex,
    read_index: ReadIndex,
    write_note: WriteNote,
    embedded: list[str],
) -> None:
    """Without its model an index keeps its vectors; what came meanwhile gets its own once the model is back."""
    run_index()
    before = read_index()
    write_note("gamma.md", "# Gamma\n\nThe third note came while the model was away.\n")
    report = run_index(embedder=None)
    assert (_counts(report), report.reason) == ((1, 0, 0, 2), "")
    rows = read_index()
    assert [row for row in rows if row[0] != "gamma.md"] == [row for row in before if row[0] != "gamma.md"]
    assert [row[-1] for row in rows if row[0] == "gamma.md"] == [None]
    assert _counts(run_index(embedder=None)) == (0, 0, 0, 3)
    embedded.clear()
    report = run_index()
    assert (_counts(report), report.reason) == ((0, 1, 0, 2), "")
    assert [text.splitlines()[0] for text in embedded] == ["Gamma"]
    assert all(row[-1] for row in read_index())
    assert _counts(run_index()) == (0, 0, 0, 3)


def test_a_full_run_without_a_model_drops_the_vectors(
    two_notes: None, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """Who asks for everything anew gets it, as far as it can be had."""
    run_index()
    run_index(embedder=None, full=True)
    assert not any(row[-1] for row in read_index())
