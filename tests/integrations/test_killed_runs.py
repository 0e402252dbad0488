"""Processes die at any instruction; the next run ends where an undisturbed one would have."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import apsw
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.command import Sluice

pytestmark = pytest.mark.kill

KILLS = 20
SUBJECTS = ("PostgreSQL backups", "Python testing", "Linux networking", "SQLite search", "language model agents")


def article(number: int) -> str:
    """Write an article long and practical enough to be kept."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    steps = "".join(
        f"<h3>Step {step}</h3><p>Because the default of variant {number}.{step} is too small for {subject}, configure "
        f"the server, run the command below and check the result in the log before you go on with the next step. "
        f"However, measure first: without figures you cannot tell whether the change helped.</p>"
        f'<pre><code class="language-bash">tool --case {number} --step {step} --verify</code></pre>'
        for step in range(1, 6)
    )
    return f"<p>How to set up {subject}, case {number}, with the commands that we run in production.</p>{steps}"


def feed(name: int, entries: range) -> bytes:
    """Write an RSS feed."""
    items = "".join(
        f"<item><guid>{name}-{n}</guid><link>https://blog{name}.example.org/{n}</link><author>A. Writer</author>"
        f"<title>How to configure {SUBJECTS[n % len(SUBJECTS)]}, part {n % 7}</title>"
        f"<pubDate>Mon, 0{1 + n % 9} Jun 2026 10:00:00 GMT</pubDate>"
        f"<description>{escape(article(n * 10 + name))}</description></item>"
        for n in entries
    )
    channel = f"<title>Blog {name}</title><link>https://blog{name}.example.org/</link>{items}"
    return f'<rss version="2.0"><channel>{channel}</channel></rss>'.encode()


@pytest.fixture
def feed_urls(serve: Callable[[dict[str, tuple[str, bytes]]], list[str]]) -> list[str]:
    """Five feeds with twenty articles each; titles repeat, so that notes need numbers."""
    return serve({f"/{name}.xml": ("application/rss+xml", feed(name, range(20))) for name in range(5)})


def notes_of(vault: Path) -> dict[str, str]:
    """Read every file of a vault; the time of capture is the only thing that may differ between two runs."""
    return {
        path.relative_to(vault).as_posix(): re.sub(r"(?m)^captured: .*$", "captured:", path.read_text(encoding="utf-8"))
        for path in vault.rglob("*")
        if path.is_file() and ".sluice" not in path.relative_to(vault).parts
    }


def rows_of(index: Path) -> list[Any]:
    """Read everything an index knows, whatever its row numbers."""
    connection = apsw.Connection(str(index))
    try:
        connection.execute("INSERT INTO postings (postings) VALUES ('integrity-check')")
        return connection.execute(
            "SELECT f.path, f.title, c.section, c.first_line, c.last_line, c.text, hex(v.code) FROM files f "
            "JOIN chunks c ON c.file_id = f.id LEFT JOIN vectors v ON v.chunk_id = c.id "
            "WHERE EXISTS (SELECT 1 FROM postings WHERE rowid = c.id) ORDER BY f.path, c.first_line, c.text"
        ).fetchall()
    finally:
        connection.close()


def kill_repeatedly(sluice: Sluice, command: str, longest_s: float, chance: random.Random) -> int:
    """Start a command again and again, kill it at random moments, and count the kills that hit it alive."""
    hits = 0
    for _ in range(KILLS):
        process = subprocess.Popen(
            [*sluice.command, command], env=sluice.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.2, longest_s))
        process.send_signal(signal.SIGKILL)
        hits += process.wait() == -signal.SIGKILL
    return hits


def test_a_killed_ingest_and_a_killed_index_end_like_undisturbed_ones(
    new_sluice: Callable[[str], Sluice], feed_urls: list[str]
) -> None:
    """After SIGKILL at twenty random moments, one more run gives the same notes and the same index."""
    calm, disturbed = new_sluice("calm"), new_sluice("disturbed")
    for one in (calm, disturbed):
        assert one.run("feeds", "add", "--local", *feed_urls).returncode == 0

    started = time.monotonic()
    written = calm.json("ingest")["written"]
    length_s = time.monotonic() - started
    assert written >= 50

    chance = random.Random(20261201)
    assert kill_repeatedly(disturbed, "ingest", length_s, chance) > 0
    disturbed.json("ingest", "--force")
    assert notes_of(disturbed.vault) == notes_of(calm.vault)

    calm.json("index")
    assert kill_repeatedly(disturbed, "index", length_s, chance) > 0
    disturbed.json("index")
    # The two vaults differ in the time of capture alone, which is not indexed text.
    assert rows_of(disturbed.state / "index.db") == rows_of(calm.state / "index.db")
