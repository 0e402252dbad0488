"""What an index holds, and whether its parts agree."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import apsw

from retrieval.store import schema
from retrieval.store.connection import load_vector_functions, open_for_reading, open_for_writing
from retrieval.types import FileProblem

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class IndexSummary:
    """What an index holds.

    Attributes:
        built: Aware UTC time of the last run.
        complete: Whether that run went to its end.
        files: Notes.
        chunks: Passages.
        vectors: Passages that have a vector.
        size_bytes: Size of the file.
        fingerprint: The rules it was made by.
        problems: What kept files from being indexed as they stand.
    """

    built: datetime
    complete: bool
    files: int
    chunks: int
    vectors: int
    size_bytes: int
    fingerprint: str
    problems: tuple[FileProblem, ...]


def summarize_index(index_file: Path) -> IndexSummary:
    """Count what an index holds.

    Raises:
        IndexMissing: There is no index, or none that a run has finished.
        IndexDamaged: The file is not a database.
    """
    connection = open_for_reading(index_file)
    try:
        meta = schema.read_finished_meta(connection)
        count = connection.execute
        rows = count("SELECT path, message, indexed FROM problems ORDER BY path, message")
        return IndexSummary(
            built=datetime.fromisoformat(meta["built"]),
            complete=meta.get("complete") == "1",
            files=count("SELECT count(*) FROM files").get,
            chunks=count("SELECT count(*) FROM chunks").get,
            vectors=count("SELECT count(*) FROM vectors").get,
            size_bytes=index_file.stat().st_size,
            fingerprint=meta["fingerprint"],
            problems=tuple(FileProblem(path, message, bool(indexed)) for path, message, indexed in rows),
        )
    finally:
        connection.close()


def check_index(index_file: Path) -> tuple[str, ...]:
    """Check that the parts of an index agree.

    Returns:
        One line per fault; empty where the index is sound.

    Raises:
        IndexMissing: There is no index.
        IndexDamaged: The file is not a database.
    """
    open_for_reading(index_file).close()
    connection = open_for_writing(index_file)  # the full-text check is written as an insert
    try:
        return tuple(_faults(connection))
    except apsw.CorruptError as err:
        return (f"the file is damaged ({err}); rebuild it with: sluice index --full",)
    finally:
        connection.close()


def _faults(connection: apsw.Connection) -> list[str]:
    faults = []
    state = connection.execute("PRAGMA quick_check(1)").get
    if state != "ok":
        faults.append(f"SQLite says: {state}")
    connection.execute("INSERT INTO postings (postings) VALUES ('integrity-check')")
    for kind, query in (
        (
            "passages without a file",
            "SELECT count(*) FROM chunks WHERE file_id NOT IN (SELECT id FROM files)",
        ),
        (
            "vectors without a passage",
            "SELECT count(*) FROM vectors WHERE chunk_id NOT IN (SELECT id FROM chunks)",
        ),
        (
            "passages without postings",
            "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT rowid FROM postings)",
        ),
    ):
        number = connection.execute(query).get
        if number:
            faults.append(f"{number} {kind}; rebuild with: sluice index --full")
    missing = load_vector_functions(connection)
    if missing:
        faults.append(f"{missing}; searching from a resident process still works")
    return faults
