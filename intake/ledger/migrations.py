"""The tables of the ledger, as numbered steps; each is recorded by name in the transaction that applies it.

A step that has been released is never edited: a change of the tables is a new step at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3


@dataclass(frozen=True, slots=True)
class Migration:
    """One step.

    Attributes:
        name: Recorded in the file; begins with the step's number.
        statements: Run in this order.
    """

    name: str
    statements: tuple[str, ...]


_SIGNALS = Migration(
    "001_signals",
    (
        # Small columns stand before the texts, so that lookups need not read a signal's overflow pages.
        """
        CREATE TABLE signals (
            sequence INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            state TEXT NOT NULL,
            duplicate_of TEXT REFERENCES signals (id),
            canonical_url TEXT NOT NULL,
            fingerprint INTEGER NOT NULL,
            domain TEXT NOT NULL DEFAULT '',
            note_path TEXT NOT NULL DEFAULT '',
            path_key TEXT NOT NULL DEFAULT '',
            card TEXT,
            signal TEXT NOT NULL
        )
        """,
        "CREATE INDEX signals_by_state ON signals (state)",
        "CREATE INDEX signals_pending ON signals (sequence) WHERE state IN ('seen', 'scored', 'writing')",
        "CREATE INDEX signals_by_page ON signals (canonical_url) WHERE canonical_url != ''",
        "CREATE UNIQUE INDEX signals_by_path ON signals (path_key) WHERE path_key != ''",
        """
        CREATE TABLE fingerprint_bands (
            band INTEGER NOT NULL,
            fingerprint INTEGER NOT NULL,
            signal_id TEXT NOT NULL REFERENCES signals (id),
            PRIMARY KEY (band, fingerprint)
        ) WITHOUT ROWID
        """,
    ),
)

_FEEDS = Migration(
    "002_feeds",
    (
        """
        CREATE TABLE feeds (
            url TEXT PRIMARY KEY,
            current_url TEXT NOT NULL,
            title TEXT NOT NULL,
            etag TEXT NOT NULL,
            last_modified TEXT NOT NULL,
            next_try TEXT,
            failures INTEGER NOT NULL,
            gone INTEGER NOT NULL,
            id_policy TEXT NOT NULL,
            last_status INTEGER NOT NULL,
            last_error TEXT NOT NULL,
            checked TEXT
        ) WITHOUT ROWID
        """,
    ),
)

_DECISIONS_AND_RUNS = Migration(
    "003_decisions_and_runs",
    (
        """
        CREATE TABLE decisions (
            sequence INTEGER PRIMARY KEY,
            signal_id TEXT NOT NULL REFERENCES signals (id),
            decision TEXT NOT NULL,
            domain TEXT NOT NULL,
            at TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE runs (
            sequence INTEGER PRIMARY KEY,
            job TEXT NOT NULL,
            started TEXT NOT NULL,
            finished TEXT NOT NULL,
            outcome TEXT NOT NULL
        )
        """,
        "CREATE INDEX runs_of_job ON runs (job, sequence)",
    ),
)

MIGRATIONS = (_SIGNALS, _FEEDS, _DECISIONS_AND_RUNS)
"""Every step, in order."""


def applied_migrations(connection: sqlite3.Connection) -> set[str]:
    """Return the names of the steps a file has; empty for a new file.

    Raises:
        sqlite3.Error: The file is not a database, or is damaged.
    """
    exists = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone()
    return {name for (name,) in connection.execute("SELECT name FROM migrations")} if exists else set()


def apply_migrations(connection: sqlite3.Connection) -> None:
    """Apply what a file lacks, each step in one transaction with its record.

    Args:
        connection: In autocommit mode (`isolation_level=None`).

    Raises:
        sqlite3.Error: A step failed; the file is as it was before that step.
    """
    connection.execute("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) WITHOUT ROWID")
    for migration in MIGRATIONS:
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Read again under the lock: another process may have applied it while this one waited.
            if migration.name not in applied_migrations(connection):
                for statement in migration.statements:
                    connection.execute(statement)
                connection.execute("INSERT INTO migrations VALUES (?)", (migration.name,))
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
