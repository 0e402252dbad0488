"""The table of runs: when each job last ran, and how that went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intake.ledger.signals import storable
from intake.serialization import time_from_text, time_to_text

if TYPE_CHECKING:
    from datetime import datetime

    from intake.ledger.database import Database

KEPT_RUNS = 1000
"""Runs remembered of one job: some ten days of a run every quarter of an hour."""

_LAST = "SELECT started FROM runs WHERE job = ? ORDER BY sequence DESC LIMIT 1"
_ADD = "INSERT INTO runs (job, started, finished, outcome) VALUES (?, ?, ?, ?)"
_FORGET = f"""
DELETE FROM runs WHERE job = ?1 AND sequence <= (
    SELECT sequence FROM runs WHERE job = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET {KEPT_RUNS}
)
"""  # noqa: S608  constants only


def read_last_run(database: Database, job: str) -> datetime | None:
    """Return when the last run of a job began, or None where it never ran."""
    found = database.row(_LAST, (job,))
    return time_from_text(found[0]) if found else None


def write_run(database: Database, job: str, *, started: datetime, finished: datetime, outcome: str) -> None:
    """Record a run and forget those beyond KEPT_RUNS; call it inside a transaction."""
    database.run(_ADD, (job, time_to_text(started), time_to_text(finished), storable(outcome)))
    database.run(_FORGET, (job,))
