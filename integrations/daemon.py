"""`sluice run`: every job of a vault on its schedule, in one process that stops cleanly."""

from __future__ import annotations

import logging
import signal
import threading
from datetime import UTC
from typing import TYPE_CHECKING

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_MAX_INSTANCES, EVENT_JOB_MISSED
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

from config.process_lock import process_lock
from integrations.jobs import first_run, jobs_of, run_job, utc_now

if TYPE_CHECKING:
    from types import FrameType

    from apscheduler.events import JobEvent

    from integrations.workspace import Workspace

log = logging.getLogger(__name__)


def run_daemon(workspace: Workspace) -> None:
    """Run the schedule until SIGTERM or SIGINT, then let running jobs finish.

    Raises:
        LockHeld: The vault has a daemon already.
    """
    stop = threading.Event()

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, ask_to_stop)
    with process_lock(workspace.vault.open_state() / "daemon.lock"):
        scheduler = build_scheduler(workspace)
        scheduler.start()
        log.info("running for %s", workspace.vault.root)
        stop.wait()
        log.info("stopping")
        # Paused first: a run that falls due during the shutdown would log an error otherwise.
        scheduler.pause()
        scheduler.shutdown(wait=True)


def build_scheduler(workspace: Workspace) -> BackgroundScheduler:
    """Put every job on its schedule, in memory: due times come from the ledger's record of the last runs."""
    settings = workspace.settings.schedule
    scheduler = BackgroundScheduler(
        executors={"default": ThreadPoolExecutor(2)},
        job_defaults={
            "coalesce": True,
            "max_instances": 1,
            # The default of one second would skip every run missed while a laptop slept.
            "misfire_grace_time": int(settings.misfire_grace_h * 3600),
        },
        timezone=UTC,
    )
    now = utc_now()
    for job in jobs_of(workspace, utc_now):
        scheduler.add_job(
            run_job,
            IntervalTrigger(seconds=max(1, int(job.every.total_seconds())), timezone=UTC),
            args=(job, workspace, utc_now),
            id=job.name,
            next_run_time=first_run(job, workspace, now),
        )
    scheduler.add_listener(_log_event, EVENT_JOB_ERROR | EVENT_JOB_MISSED | EVENT_JOB_MAX_INSTANCES)
    return scheduler


def _log_event(event: JobEvent) -> None:
    reasons = {
        EVENT_JOB_MISSED: "missed its time",
        EVENT_JOB_MAX_INSTANCES: "is still running, so a run is skipped",
    }
    log.warning("%s %s", event.job_id, reasons.get(event.code, "failed"))
