"""Every change of the index: one insert path and one delete path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.language.postings import make_postings
from retrieval.store.vocabulary import add_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from retrieval.types import Chunk, FileProblem, NoteMeta


_DELETE_FILE = (
    "DELETE FROM postings WHERE rowid IN (SELECT id FROM chunks WHERE file_id = ?)",
    "DELETE FROM vectors WHERE chunk_id IN (SELECT id FROM chunks WHERE file_id = ?)",
    "DELETE FROM chunks WHERE file_id = ?",
    "DELETE FROM files WHERE id = ?",
)


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


def stored_files(connection: apsw.Connection) -> dict[str, StoredFile]:
    """Return every file of the index by path."""
    rows = connection.execute("SELECT id, path, mtime_ns, size, hash FROM files")
    return {path: StoredFile(i, FileStat(path, mtime, size), digest) for i, path, mtime, size, digest in rows}


def insert_file(
    connection: apsw.Connection, stat: FileStat, digest: bytes, meta: NoteMeta, chunks: Sequence[IndexedChunk]
) -> None:
    """Insert a file that is not in the index, with its chunks, postings and vectors."""
    context = meta.heading_context
    connection.execute(
        "INSERT INTO files (path, mtime_ns, size, hash, title, context, date, source, folded_path, type, tags) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            stat.path, stat.mtime_ns, stat.size, digest, meta.title, context,
            meta.date.isoformat() if meta.date else None, meta.source,
            stat.path.casefold(), meta.type.casefold(), _folded_tags(meta.tags),
        ),
    )  # fmt: skip
    file_id = connection.last_insert_rowid()
    first_id: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM chunks").get
    numbered = list(enumerate(chunks, first_id))
    connection.executemany(
        "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
        (
            (i, file_id, item.chunk.section, item.chunk.text, item.chunk.first_line, item.chunk.last_line)
            for i, item in numbered
        ),
    )
    postings = make_postings(context, [(item.chunk.section, item.postings_text) for item in chunks])
    connection.executemany(
        "INSERT INTO postings (rowid, text, section, context, names) VALUES (?, ?, ?, ?, ?)",
        ((i, row.text, row.section, row.context, row.names) for i, row in enumerate(postings, first_id)),
    )
    add_words(connection, frozenset().union(*(row.compounds for row in postings)))
    connection.executemany(
        "INSERT INTO vectors VALUES (?, ?, ?)",
        ((i, item.prompt_hash, item.code) for i, item in numbered if item.code is not None),
    )


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


def _folded_tags(tags: Iterable[str]) -> str:
    """Write tags so that one of them, or the beginning of a nested one, can be found: each between line ends."""
    return "".join(f"\n{tag.casefold()}" for tag in tags) + "\n"


def _insert_problems(connection: apsw.Connection, problems: Iterable[FileProblem], *, lasting: bool) -> None:
    rows = ((problem.path, problem.message, problem.indexed, lasting) for problem in problems)
    connection.executemany("INSERT INTO problems VALUES (?, ?, ?, ?)", rows)
