"""Every change of the index: one insert path and one delete path."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from retrieval.language.postings import make_postings
from retrieval.store.passage_text import pack_text
from retrieval.store.vocabulary import add_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from retrieval.language.postings import Postings
    from retrieval.types import Chunk, FileProblem, NoteMeta


_INSERT_FILE = """
INSERT INTO files (id, path, mtime_ns, size, hash, title, context, date, source, folded_path, type, tags)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, slots=True)
class FileStat:
    """What the file system says about a file.

    Attributes:
        path: Relative to the vault, with forward slashes, NFC.
        mtime_ns: Modification time in nanoseconds.
        size: Bytes.
    """

    path: str
    mtime_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What the index knows of a file.

    Attributes:
        id: Row of the file.
        stat: The file system's word at the time of indexing.
        hash: SHA-256 of the bytes.
    """

    id: int
    stat: FileStat
    hash: bytes


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk with everything that is stored for it.

    Attributes:
        chunk: The passage, credentials already redacted.
        postings_text: What the keyword leg indexes for it, before folding and stems.
        prompt_hash: Hash of the text that was embedded; equal prompts have equal vectors.
        code: The vector as int8 bytes, or None where the text has no vector.
    """

    chunk: Chunk
    postings_text: str
    prompt_hash: bytes
    code: bytes | None


@dataclass(frozen=True, slots=True)
class IndexedFile:
    """A file with everything that is stored for it.

    Attributes:
        stat: The file system's word at the time of reading.
        digest: SHA-256 of the bytes.
        meta: What the note says about itself.
        chunks: Its passages, in order.
    """

    stat: FileStat
    digest: bytes
    meta: NoteMeta
    chunks: Sequence[IndexedChunk]


def stored_files(connection: apsw.Connection) -> dict[str, StoredFile]:
    """Return every file of the index by path."""
    rows = connection.execute("SELECT id, path, mtime_ns, size, hash FROM files")
    return {path: StoredFile(i, FileStat(path, mtime, size), digest) for i, path, mtime, size, digest in rows}


def files_without_vectors(connection: apsw.Connection) -> set[str]:
    """Return the paths of files with a passage that has no vector."""
    rows = connection.execute(
        "SELECT DISTINCT f.path FROM files f JOIN chunks c ON c.file_id = f.id "
        "WHERE c.id NOT IN (SELECT chunk_id FROM vectors)"
    )
    return {path for (path,) in rows}


def insert_files(connection: apsw.Connection, files: Sequence[IndexedFile]) -> None:
    """Insert files that are not in the index, with their chunks, postings and vectors.

    Rows are numbered here, not by SQLite, so that every table takes one statement however many files there are.
    """
    first_file: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM files").get
    first_chunk: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM chunks").get
    numbered = list(enumerate(files, first_file))
    chunk_ids = count(first_chunk)
    rows = [(next(chunk_ids), file_id, file, item) for file_id, file in numbered for item in file.chunks]
    connection.executemany(_INSERT_FILE, (_file_row(file_id, file) for file_id, file in numbered))
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
        (
            (i, file_id, item.chunk.section, pack_text(item.chunk.text), item.chunk.first_line, item.chunk.last_line)
            for i, file_id, _, item in rows
        ),
    )
    postings = [row for file in files for row in _postings_of(file)]
    connection.executemany(
        "INSERT INTO postings (rowid, text, section, context, names) VALUES (?, ?, ?, ?, ?)",
        ((i, row.text, row.section, row.context, row.names) for (i, _, _, _), row in zip(rows, postings, strict=True)),
    )
    add_words(connection, frozenset().union(*(row.compounds for row in postings)))
    _insert_vectors(connection, [(i, item.prompt_hash, item.code) for i, _, _, item in rows if item.code is not None])


def _postings_of(file: IndexedFile) -> Sequence[Postings]:
    passages = [(item.chunk.section, item.postings_text) for item in file.chunks]
    return make_postings(file.meta.heading_context, passages)


def _file_row(file_id: int, file: IndexedFile) -> tuple[int | str | bytes | None, ...]:
    stat, meta = file.stat, file.meta
    date = meta.date.isoformat() if meta.date else None
    return (
        file_id, stat.path, stat.mtime_ns, stat.size, file.digest, meta.title, meta.heading_context, date, meta.source,
        stat.path.casefold(), meta.type.casefold(), _folded_tags(meta.tags),
    )  # fmt: skip


def _folded_tags(tags: Iterable[str]) -> str:
    """Write tags so that one of them, or the beginning of a nested one, can be found: each between line ends."""
    return "".join(f"\n{tag.casefold()}" for tag in tags) + "\n"


def delete_file(connection: apsw.Connection, file_id: int) -> None:
    """Delete a file with everything that hangs on it."""
    chunk_ids = connection.execute("SELECT id FROM chunks WHERE file_id = ?", (file_id,)).fetchall()
    connection.executemany("DELETE FROM postings WHERE rowid = ?", chunk_ids)
    connection.executemany("DELETE FROM vectors WHERE chunk_id = ?", chunk_ids)
    connection.execute("DELETE FROM chunks WHERE file_id = ?", (file_id,))
    connection.execute("DELETE FROM files WHERE id = ?", (file_id,))


def touch_file(connection: apsw.Connection, file_id: int, stat: FileStat) -> None:
    """Record a new modification time for a file whose bytes are the same."""
    connection.execute("UPDATE files SET mtime_ns = ?, size = ? WHERE id = ?", (stat.mtime_ns, stat.size, file_id))


def vectors_of_file(connection: apsw.Connection, file_id: int) -> dict[bytes, bytes]:
    """Return the vectors of a file by the hash of their prompt, so that unchanged passages keep them."""
    rows = connection.execute(
        "SELECT prompt_hash, code FROM vectors WHERE chunk_id IN (SELECT id FROM chunks WHERE file_id = ?)",
        (file_id,),
    )
    return dict(rows)


def forget_problems(connection: apsw.Connection, paths: Iterable[str]) -> None:
    """Forget what was wrong with files that are read again or gone."""
    connection.executemany("DELETE FROM problems WHERE path = ? AND lasting", ((path,) for path in paths))


def record_problems(connection: apsw.Connection, problems: Iterable[FileProblem]) -> None:
    """Record what is wrong with the bytes of files: it lasts until they are read again."""
    _insert_problems(connection, problems, lasting=True)


def replace_passing_problems(connection: apsw.Connection, problems: Iterable[FileProblem]) -> None:
    """Record what a run could not look at or read, in place of what the run before could not."""
    connection.execute("DELETE FROM problems WHERE NOT lasting")
    _insert_problems(connection, problems, lasting=False)


def _insert_vectors(connection: apsw.Connection, rows: Sequence[tuple[int, bytes, bytes]]) -> None:
    if not rows:
        return
    from retrieval.store.matrix_search import lengths_of  # noqa: PLC0415  numpy, which keywords do without

    lengths = lengths_of([code for _, _, code in rows])
    connection.executemany(
        "INSERT INTO vectors (chunk_id, prompt_hash, norm, code) VALUES (?, ?, ?, ?)",
        ((i, key, length, code) for (i, key, code), length in zip(rows, lengths, strict=True)),
    )


def _insert_problems(connection: apsw.Connection, problems: Iterable[FileProblem], *, lasting: bool) -> None:
    rows = ((problem.path, problem.message, problem.indexed, lasting) for problem in problems)
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?)", rows)
