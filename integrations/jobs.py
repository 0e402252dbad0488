"""The scheduled work of a vault, and the record of when it ran."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from intake.ledger import Ledger
from integrations import index_service, ingesting

if TYPE_CHECKING:
    from collections.abc import Callable

    from integrations.workspace import Workspace

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of scheduled work.

    Attributes:
        name: Its name in the ledger and in the log.
        every: Time between two runs.
        work: Does it, and says in one line what it did.
    """

    name: str
    every: timedelta
    work: Callable[[], str]


def jobs_of(workspace: Workspace, clock: Callable[[], datetime]) -> tuple[Job, ...]:
    """Name the jobs of a vault: ingest, with an index run after it, and index on its own interval."""
    schedule = workspace.settings.schedule

    def index() -> str:
        report, no_vectors = index_service.update_index(workspace, now=clock())
        limits = f"; {no_vectors}" if no_vectors else ""
        return f"{report.added} added, {report.updated} updated, {report.deleted} deleted{limits}"

    def ingest() -> str:
        report = ingesting.ingest(workspace, now=clock())
        delivered = report.delivered
        outcome = f"{delivered.written} written, {delivered.queued} queued, {delivered.dropped} dropped"
        return f"{outcome}; index: {index()}" if delivered.written else outcome

    return (
        Job(ingesting.JOB, timedelta(minutes=schedule.ingest_every_min), ingest),
        Job(index_service.JOB, timedelta(minutes=schedule.index_every_min), index),
    )


def run_job(job: Job, workspace: Workspace, clock: Callable[[], datetime]) -> None:
    """Run a job and record how it went; a failure is recorded and never reaches the scheduler."""
    started = clock()
    try:
        outcome = job.work()
    except Exception as err:  # outer boundary: the next run must come whatever happened in this one
        log.exception("%s failed", job.name)
        outcome = f"failed: {err}"
    finished = clock()
    log.info("%s: %s (%.1f s)", job.name, outcome, (finished - started).total_seconds())
    with Ledger.open(workspace.vault.ledger_file) as ledger:
        ledger.save_run(job.name, started=started, finished=finished, outcome=outcome)


def first_run(job: Job, workspace: Workspace, now: datetime) -> datetime:
    """Return when a job is due after a start: an interval after its last run, at once where that time has passed.

    The scheduler itself remembers nothing over a restart, and a daemon restarted more often than the interval would
    otherwise never run the job.
    """
    with Ledger.open(workspace.vault.ledger_file) as ledger:
        last = ledger.last_run(job.name)
    return max(now, last + job.every) if last else now


def utc_now() -> datetime:
    """Read the clock."""
    return datetime.now(UTC)
