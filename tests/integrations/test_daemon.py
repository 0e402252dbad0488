"""`sluice run` as a process."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from config.settings import Settings
from config.vault import Vault
from integrations.jobs import Job, first_run, jobs_of, run_job
from integrations.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.command import Sluice

NOON = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)

RSS = b"""<rss version="2.0"><channel><title>News</title><link>https://news.example.org/</link><item><guid>1</guid>
<title>How to configure Linux network namespaces for testing</title><link>https://news.example.org/1</link>
<description>&lt;p&gt;Run ip netns add test, then move one end of a veth pair into it, because a test that shares the
host's network proves little.&lt;/p&gt;</description></item></channel></rss>"""


@contextlib.contextmanager
def daemon(sluice: Sluice) -> Iterator[subprocess.Popen[bytes]]:
    """Run the daemon for the length of a block, and make sure that it is gone afterwards."""
    process = subprocess.Popen([*sluice.command, "run"], env=sluice.environment, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(condition: Callable[[], bool]) -> bool:
    """Wait up to half a minute for something another process does."""
    for _ in range(300):
        if condition():
            return True
        time.sleep(0.1)
    return False


def test_the_daemon_ingests_and_indexes_at_once_and_stops_cleanly(
    sluice: Sluice, serve: Callable[[dict[str, tuple[str, bytes]]], list[str]]
) -> None:
    """A fresh vault is taken in and indexed without waiting an interval; SIGTERM ends the process with code 0."""
    url = serve({"/feed.xml": ("application/rss+xml", RSS)})[0]
    sluice.run("feeds", "add", "--local", url)

    def both_ran() -> bool:
        status = sluice.json("status")
        return bool(sum(status["signals"].values())) and status["index"]["usable"]

    with daemon(sluice) as process:
        assert wait_for(both_ran)
        second = sluice.run("run")
        assert second.returncode == 1
        assert str(process.pid) in second.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert "Traceback" not in (sluice.state / "sluice.log").read_text(encoding="utf-8")


def test_a_killed_daemon_leaves_nothing_in_the_way_of_the_next(sluice: Sluice) -> None:
    """After SIGKILL the next daemon starts without cleaning up."""
    log = sluice.state / "sluice.log"
    for _ in range(2):
        with daemon(sluice) as process:
            assert wait_for(lambda: log.exists() and "running for" in log.read_text(encoding="utf-8"))
            process.kill()
            assert process.wait(30) == -signal.SIGKILL
        log.unlink()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty vault with default settings."""
    root = tmp_path / "vault"
    root.mkdir()
    return Workspace(Vault(root=root, state=tmp_path / "state"), Settings())


def test_a_restart_neither_skips_nor_doubles_a_run(workspace: Workspace) -> None:
    """A job is due an interval after its last run, however often the daemon was restarted in between."""
    workspace.vault.open_state()
    job = Job("ingest", timedelta(hours=1), lambda: "nothing new")
    assert first_run(job, workspace, NOON) == NOON
    run_job(job, workspace, lambda: NOON)
    assert first_run(job, workspace, NOON + timedelta(minutes=10)) == NOON + timedelta(hours=1)
    assert first_run(job, workspace, NOON + timedelta(hours=9)) == NOON + timedelta(hours=9)


def test_a_failing_job_is_recorded_and_does_not_raise(workspace: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    """The scheduler must live on whatever a job does."""
    workspace.vault.open_state()

    def fail() -> str:
        raise OSError("disk full")

    run_job(Job("index", timedelta(hours=1), fail), workspace, lambda: NOON)
    assert "disk full" in caplog.text
    assert first_run(Job("index", timedelta(hours=1), fail), workspace, NOON) == NOON + timedelta(hours=1)


def test_the_schedule_follows_the_settings(workspace: Workspace) -> None:
    """Two jobs, each with its configured interval."""
    intervals = {job.name: job.every for job in jobs_of(workspace, lambda: NOON)}
    assert intervals == {"ingest": timedelta(minutes=60), "index": timedelta(minutes=15)}
