"""The open database file: pragmas, transactions, and errors that say what to do."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from config.process_lock import process_lock
from intake.errors import LedgerError
from intake.ledger.migrations import MIGRATIONS, applied_migrations, apply_migrations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

BUSY_TIMEOUT_MS = 10_000
"""Milliseconds a statement waits for the write lock of another process."""


class Database:
    """One connection to the ledger's file; belongs to the thread that opened it.

    Every failure of SQLite leaves here as a LedgerError that names the file.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        self._connection.close()

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement and return how many rows it changed.

        Raises:
            LedgerError: SQLite refused.
        """
        with _translated(self._path):
            return self._connection.execute(sql, parameters).rowcount

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for many rows; call it inside a transaction.

        Raises:
            LedgerError: SQLite refused.
        """
        with _translated(self._path):
            self._connection.executemany(sql, rows)

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run a query to its end, so that no cursor stays open over a later write.

        Raises:
            LedgerError: SQLite refused.
        """
        with _translated(self._path):
            return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None.

        Raises:
            LedgerError: SQLite refused.
        """
        found = self.rows(sql, parameters)
        return found[0] if found else None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Take the write lock at once, and commit at the end of the block or roll back where it raises.

        A deferred transaction that became a writer later would fail instead of waiting when another came first.

        Raises:
            LedgerError: SQLite refused, or another process kept the lock for too long.
        """
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        finally:
            # A failed COMMIT (disk full) leaves the transaction open just as an exception in the block does.
            if self._connection.in_transaction:
                self.run("ROLLBACK")


def open_database(path: Path) -> Database:
    """Open the ledger's file with all migrations applied; create it where there is none.

    Raises:
        LedgerError: The file is damaged, not a database, or from a newer version; or it cannot be opened at all.
    """
    with _translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None)
    try:
        with _translated(path):
            _prepare(connection, path)
    except BaseException:
        connection.close()
        raise
    return Database(connection, path)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    # In WAL mode NORMAL can lose the last commits to a power cut, never consistency; feeds are then read again.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    applied = applied_migrations(connection)
    unknown = applied - {migration.name for migration in MIGRATIONS}
    if unknown:
        raise LedgerError(f"{path} was written by a newer version (it has {max(unknown)}); update vaultsluice")
    if mode != "wal" or len(applied) < len(MIGRATIONS):
        # Changing to WAL does not wait for other connections, it fails; the lock makes first openers take turns.
        with process_lock(path.with_name(f"{path.name}.lock"), wait=True):
            connection.execute("PRAGMA journal_mode = WAL")
            apply_migrations(connection)


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as err:
        raise LedgerError(f"the ledger {path} cannot be used: {err}; {_way_out(err)}") from err


def _way_out(err: Exception) -> str:
    """Say what can be done about an error of SQLite or of the file system."""
    code = getattr(err, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return "another process is writing to it; try again when that has ended"
    if primary == sqlite3.SQLITE_FULL:
        return "make room on the disk"
    if primary in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return "restore it from a backup, or move it away to begin anew"
    return "check that the folder exists and can be written to"
