"""Opening the index. This is the only place that knows about pragmas, the extension and the driver."""

from __future__ import annotations

import importlib.util
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from retrieval.errors import IndexDamaged, IndexMissing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

BUSY_TIMEOUT_MS = 10_000
"""How long a statement waits for another process's write lock."""

PAGE_BYTES = 16_384
"""Size of a page of a new index. Measured: a scan of all vectors takes a fifth less than with SQLite's 4 KB, and the
file is a little smaller."""

WAL_LIMIT_BYTES = 16 * 2**20
"""What the write-ahead log shrinks to after a large run. Our choice: more than an ordinary run writes."""


def open_for_reading(path: Path) -> apsw.Connection:
    """Open an existing index; never creates or changes a row.

    Raises:
        IndexMissing: There is no file.
        IndexDamaged: The file is not a database.
    """
    if not path.is_file():
        raise IndexMissing(f"no index at {path}; build it with: sluice index")
    # Read-write at the file level, for a reader of a WAL database may have to create the shared-memory file.
    return _open(path, apsw.SQLITE_OPEN_READWRITE, query_only=True)


def open_for_writing(path: Path) -> apsw.Connection:
    """Open the index, creating an empty file where there is none.

    Raises:
        IndexDamaged: The file is not a database.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return _open(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE, query_only=False)


def transaction(connection: apsw.Connection) -> AbstractContextManager[object]:
    """Begin a transaction that takes the write lock at once, and commit or roll back at the end of the block.

    A deferred transaction that becomes a writer later fails instead of waiting when another writer came first.
    """
    connection.transaction_mode = "IMMEDIATE"
    return connection


def load_vector_functions(connection: apsw.Connection) -> str:
    """Load sqlite-vec by its shared object: importing its Python package would import numpy.

    Returns:
        Empty where it is usable, else why it is not.
    """
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        return "sqlite-vec is not installed"
    try:
        connection.enable_load_extension(True)  # noqa: FBT003  the driver takes it by position
        connection.load_extension(str(Path(spec.origin).with_name("vec0")))
        connection.execute("SELECT vec_version()").get  # noqa: B018  loading alone does not prove that it works
    except (apsw.Error, AttributeError) as err:  # AttributeError: an SQLite built without extensions
        return f"sqlite-vec cannot be loaded ({err})"
    connection.enable_load_extension(False)  # noqa: FBT003  same
    return ""


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[None]:
    """Let every statement of a block see one state of the index, whatever is committed meanwhile.

    Raises:
        IndexDamaged: The file turned out to be damaged.
    """
    with naming_damage(Path(connection.filename)), connection:
        yield


@contextmanager
def naming_damage(path: Path) -> Iterator[None]:
    """Turn what SQLite says about a broken file into IndexDamaged, which says what to do.

    Raises:
        IndexDamaged: The file is not a database, or its pages do not hold together.
    """
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as err:
        raise IndexDamaged(f"{path} is not a usable index ({err}); rebuild it with: sluice index --full") from err


def remove_index(path: Path) -> None:
    """Delete an index with its side files; only its one writer may do so.

    A process that has the old file open keeps what it had, and has to open the new one by itself.
    """
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _open(path: Path, flags: int, *, query_only: bool) -> apsw.Connection:
    with naming_damage(path):
        connection = apsw.Connection(str(path), flags=flags)
        try:
            connection.set_busy_timeout(BUSY_TIMEOUT_MS)
            for statement in _pragmas(query_only=query_only):
                connection.execute(statement)
            connection.execute("SELECT count(*) FROM sqlite_schema").get  # noqa: B018  reads the first page
        except apsw.Error:
            connection.close()
            raise
        return connection


def _pragmas(*, query_only: bool) -> Iterator[str]:
    if query_only:
        yield "PRAGMA query_only = 1"
    else:
        yield f"PRAGMA page_size = {PAGE_BYTES}"  # of a new file, before anything is written
        yield "PRAGMA journal_mode = WAL"
        yield f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}"
        # In WAL mode NORMAL can lose the last commits to a power cut, never consistency; the vault has everything.
        yield "PRAGMA synchronous = NORMAL"
        yield "PRAGMA foreign_keys = 1"
        yield "PRAGMA mmap_size = 268435456"
    # Readers map nothing: a process that looks at every vector once spends more on page faults than on reading.
    yield "PRAGMA temp_store = MEMORY"
