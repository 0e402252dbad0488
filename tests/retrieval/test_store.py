"""The index file: opening it, writing to it, searching it by keywords."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import apsw
import pytest

from config.settings import ChunkSettings, IndexSettings, KeywordSettings
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.store import schema, writer
from retrieval.store.connection import (
    PAGE_BYTES,
    load_vector_functions,
    open_for_reading,
    open_for_writing,
    remove_index,
    snapshot,
    transaction,
)
from retrieval.store.keyword import ids_matching, keyword_search
from retrieval.types import Chunk, FileProblem, NoteMeta

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

META = NoteMeta("Backup keys", "guide", ("ops",), date=datetime(2024, 5, 1, tzinfo=UTC), source="https://example.org")


@pytest.fixture
def connection(index_file: Path) -> Iterator[apsw.Connection]:
    """An index with empty tables."""
    opened = open_for_writing(index_file)
    with transaction(opened):
        schema.create_tables(opened)
    yield opened
    opened.close()


def _insert(connection: apsw.Connection, path: str, *texts: str, code: bytes | None = b"\x7f\x00") -> None:
    chunks = [
        writer.IndexedChunk(Chunk("Rotating", text, number, number), text, text.encode(), code)
        for number, text in enumerate(texts, 1)
    ]
    with transaction(connection):
        writer.insert_files(connection, [writer.IndexedFile(writer.FileStat(path, 1, 2), b"digest", META, chunks)])


def _counts(connection: apsw.Connection) -> list[int]:
    names = ("files", "chunks", "postings", "vectors")
    return [connection.execute(f"SELECT count(*) FROM {name}").get for name in names]


def _delete(connection: apsw.Connection, path: str) -> None:
    with transaction(connection):
        writer.delete_file(connection, writer.stored_files(connection)[path].id)


def test_a_missing_index_is_named_with_the_way_out(tmp_path: Path) -> None:
    """Reading never creates a file, not even where only a folder is in its place."""
    with pytest.raises(IndexMissing, match="sluice index"):
        open_for_reading(tmp_path / "index.db")
    with pytest.raises(IndexMissing):
        open_for_reading(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("opener", [open_for_reading, open_for_writing])
def test_a_file_that_is_no_database_is_damaged(tmp_path: Path, opener: type) -> None:
    """Whatever else lies there is not read as an index."""
    file = tmp_path / "index.db"
    file.write_bytes(b"not a database, but long enough to hold a header" * 40)
    with pytest.raises(IndexDamaged, match="sluice index --full"):
        opener(file)


def test_a_broken_page_is_damage_when_it_is_met(connection: apsw.Connection, index_file: Path) -> None:
    """A file whose pages do not hold together raises IndexDamaged from the statement that finds out."""
    _insert(connection, "a.md", *(f"passage number {i} " * 20 for i in range(200)))
    connection.close()
    data = bytearray(index_file.read_bytes())
    data[PAGE_BYTES * 2 :] = b"\xa5" * (len(data) - PAGE_BYTES * 2)
    index_file.write_bytes(data)
    reader = open_for_reading(index_file)
    try:
        with pytest.raises(IndexDamaged, match="sluice index --full"), snapshot(reader):
            reader.execute("SELECT text FROM chunks").fetchall()
    finally:
        reader.close()


def test_a_reader_cannot_write(connection: apsw.Connection, index_file: Path) -> None:
    """The connection of a search refuses every change."""
    reader = open_for_reading(index_file)
    try:
        with pytest.raises(apsw.ReadOnlyError):
            reader.execute("DELETE FROM files")
    finally:
        reader.close()


def test_a_snapshot_does_not_see_what_is_committed_meanwhile(connection: apsw.Connection, index_file: Path) -> None:
    """Statements of one block agree with each other, and do not wait for the writer."""
    _insert(connection, "a.md", "one")
    reader = open_for_reading(index_file)
    try:
        with snapshot(reader):
            assert _counts(reader) == [1, 1, 1, 1]
            _insert(connection, "b.md", "two", "three")
            assert _counts(reader) == [1, 1, 1, 1]
            with snapshot(reader):
                assert _counts(reader) == [1, 1, 1, 1]
        assert _counts(reader) == [2, 3, 3, 3]
    finally:
        reader.close()


def test_a_failed_transaction_leaves_nothing_behind(connection: apsw.Connection) -> None:
    """An error rolls back to the beginning of the block."""

    def insert_twice() -> None:
        with transaction(connection):
            _insert(connection, "a.md", "one")
            _insert(connection, "a.md", "the same path again")

    with pytest.raises(apsw.ConstraintError):
        insert_twice()
    assert _counts(connection) == [0, 0, 0, 0]


def test_removing_an_index_removes_its_side_files(connection: apsw.Connection, index_file: Path) -> None:
    """A left-over write-ahead log must never meet a new file; removing nothing is fine."""
    _insert(connection, "a.md", "one")
    assert len(list(index_file.parent.glob("index.db*"))) == 3
    remove_index(index_file)
    assert list(index_file.parent.glob("index.db*")) == []
    remove_index(index_file)


def test_sqlite_vec_works_without_numpy() -> None:
    """The extension is loaded by its shared object, and another cannot be loaded afterwards."""
    connection = apsw.Connection(":memory:")
    try:
        assert load_vector_functions(connection) == ""
        assert connection.execute("SELECT vec_distance_cosine('[1, 0]', '[1, 0]')").get == 0
        with pytest.raises(apsw.Error):
            connection.load_extension("other")
    finally:
        connection.close()


def test_what_is_inserted_can_be_read_back(connection: apsw.Connection) -> None:
    """A file has its stat, its hash, and one row per passage in every table; a passage may have no vector."""
    _insert(connection, "a.md", "first passage", "second passage")
    _insert(connection, "b.md", "no vector", code=None)
    _insert(connection, "c.md")
    assert _counts(connection) == [3, 3, 3, 2]
    stored = writer.stored_files(connection)["a.md"]
    assert (stored.stat, stored.hash) == (writer.FileStat("a.md", 1, 2), b"digest")
    assert writer.vectors_of_file(connection, stored.id) == {
        b"first passage": b"\x7f\x00",
        b"second passage": b"\x7f\x00",
    }
    row = connection.execute("SELECT title, context, date, source FROM files WHERE path = 'a.md'").get
    assert row == ("Backup keys", "Backup keys | guide | ops", "2024-05-01T00:00:00+00:00", "https://example.org")


def test_deleting_a_file_leaves_no_trace_and_no_hole(connection: apsw.Connection) -> None:
    """Passages, postings and vectors go together, neighbours stay, and numbers may be used again."""
    for round_number in range(5):
        _insert(connection, "a.md", "alpha unique", f"round {round_number}")
        _insert(connection, "b.md", "beta unique")
        _delete(connection, "a.md")
        assert ids_matching(connection, '"alpha"') == frozenset()
        assert len(ids_matching(connection, '"beta"')) == 1
        assert _counts(connection) == [1, 1, 1, 1]
        _delete(connection, "b.md")
        connection.execute("INSERT INTO postings (postings) VALUES ('integrity-check')")
    assert _counts(connection) == [0, 0, 0, 0]


def test_touching_a_file_records_its_new_time(connection: apsw.Connection) -> None:
    """The next run compares with the time of the touch."""
    _insert(connection, "a.md", "one")
    stored = writer.stored_files(connection)["a.md"]
    writer.touch_file(connection, stored.id, replace(stored.stat, mtime_ns=9))
    assert writer.stored_files(connection)["a.md"].stat.mtime_ns == 9


def test_problems_of_bytes_last_and_problems_of_a_run_do_not(connection: apsw.Connection) -> None:
    """What is wrong with a file stays until it is read again; what could not be read is named by every run anew."""

    def messages() -> list[str]:
        return sorted(message for (message,) in connection.execute("SELECT message FROM problems"))

    writer.record_problems(connection, [FileProblem("a.md", "broken"), FileProblem("b.md", "binary")])
    writer.replace_passing_problems(connection, [FileProblem("a.md", "unreadable", indexed=False)])
    assert messages() == ["binary", "broken", "unreadable"]
    writer.forget_problems(connection, ["a.md"])
    assert messages() == ["binary", "unreadable"]
    writer.replace_passing_problems(connection, [])
    assert messages() == ["binary"]


def test_keyword_results_are_ordered_by_positive_bm25(connection: apsw.Connection) -> None:
    """The passage with the rarer and denser words comes first, ties go to the smaller id, the limit holds."""
    _insert(connection, "a.md", "lock " + "filler " * 30, "turn lock", "turn lock", "nothing")
    found, refusal = keyword_search(connection, '"turn" OR "lock"', KeywordSettings(), 10)
    assert [chunk_id for chunk_id, _ in found] == [2, 3, 1]
    assert all(score > 0 for _, score in found)
    assert refusal == ""
    assert keyword_search(connection, '"turn" OR "lock"', KeywordSettings(), 1)[0] == found[:1]


def test_columns_count_by_their_weights(connection: apsw.Connection) -> None:
    """A word of the heading or the title finds the passage, and the weight of its column scales the score."""
    _insert(connection, "a.md", "text alone")
    default = keyword_search(connection, '"rotating"', KeywordSettings(), 10)[0]
    heavier = keyword_search(connection, '"rotating"', KeywordSettings(section_weight=4.0), 10)[0]
    assert heavier[0][1] > default[0][1]
    assert len(keyword_search(connection, '"guide"', KeywordSettings(), 10)[0]) == 1


def test_an_expression_that_is_no_query_is_a_reason_not_an_error(connection: apsw.Connection) -> None:
    """A refused expression leaves the search to the other leg; an empty one looks for nothing."""
    found, refusal = keyword_search(connection, "AND", KeywordSettings(), 10)
    assert found == []
    assert "refused" in refusal
    assert keyword_search(connection, "", KeywordSettings(), 10) == ([], "")
    assert ids_matching(connection, "") == frozenset()


def test_the_fingerprint_names_everything_that_decides_what_is_stored() -> None:
    """Model, way of cutting and size limit change it; which folders are indexed does not."""
    default = schema.fingerprint(IndexSettings(), "m")
    assert default == schema.fingerprint(IndexSettings(include=("AI",), mass_delete_share=0.5), "m")
    others = {
        schema.fingerprint(IndexSettings(), "n"),
        schema.fingerprint(IndexSettings(chunks=ChunkSettings(max_chars=900)), "m"),
        schema.fingerprint(IndexSettings(max_file_bytes=10), "m"),
    }
    assert len(others | {default}) == 4
    assert schema.has_same_tables({"fingerprint": default})
    assert not schema.has_same_tables({"fingerprint": default.replace("schema ", "schema 9")})
    assert not schema.has_same_tables({})


def test_an_unfinished_index_is_missing(connection: apsw.Connection) -> None:
    """Until a run has ended there is nothing to search; a database without our tables is the same."""
    with pytest.raises(IndexMissing, match="no finished index"):
        schema.read_finished_meta(connection)
    schema.write_meta(connection, {"built": "2025-01-01T00:00:00+00:00"})
    assert schema.read_finished_meta(connection) == {"built": "2025-01-01T00:00:00+00:00"}
    other = apsw.Connection(":memory:")
    try:
        with pytest.raises(IndexMissing):
            schema.read_finished_meta(other)
    finally:
        other.close()
