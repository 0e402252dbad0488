"""The command line as a person and a script meet it: the real program, a real vault."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.command import Sluice

BACKUP_ARTICLE = """\
<p>How to back up PostgreSQL with base backups and write-ahead logs, step by step, with the commands we run.</p>
<h2>Configure the server</h2>
<p>Because a dump cannot bring back the last hour, switch on archiving first. Set these values and restart.</p>
<pre><code class="language-ini">archive_mode = on
archive_command = 'test ! -f /archive/%f &amp;&amp; cp %p /archive/%f'</code></pre>
<h2>Take a base backup</h2>
<p>Run the command as the replication user. It copies the data folder while the server goes on working; however, it
needs as much space as the database itself, therefore check the disk before you begin.</p>
<pre><code class="language-bash">pg_basebackup -D /backup/base -X stream -P</code></pre>
<h2>Test the restore</h2>
<p>A backup that was never restored is a hope. Install a second server, copy the base, create recovery.signal and set
restore_command; then compare row counts of the three largest tables with the original. We do this every month, and
twice in 2025 it showed that the archive had a gap of 14 minutes.</p>
<ol><li>Stop the test server.</li><li>Copy the base backup.</li><li>Start it and read the log.</li></ol>
"""

FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Operations notes",
    "home_page_url": "https://ops.example.org/",
    "items": [
        {
            "id": "backup",
            "url": "https://ops.example.org/backup?utm_source=feed",
            "title": "How to back up PostgreSQL: base backups &amp; write-ahead logs",
            "content_html": BACKUP_ARTICLE,
            "date_published": "2026-06-01T10:00:00Z",
            "authors": [{"name": "R. Operator"}],
            "tags": ["postgresql", "backup"],
        },
        {
            "id": "sale",
            "url": "https://ops.example.org/sale",
            "title": "Only today: 50 % off all mugs",
            "content_html": "<p>Buy now! Sign up for our newsletter.</p>",
            "date_published": "2026-06-02T10:00:00Z",
        },
    ],
}


@pytest.fixture
def feed_url(serve: Callable[[dict[str, tuple[str, bytes]]], list[str]]) -> str:
    """The address of a feed with one article and one advert."""
    return serve({"/feed.json": ("application/feed+json", json.dumps(FEED).encode())})[0]


def test_a_feed_becomes_a_note_and_a_question_finds_it(sluice: Sluice, feed_url: str) -> None:
    """The way from a subscription to an answer, with nothing but the command line."""
    assert sluice.run("feeds", "add", "--local", feed_url).returncode == 0
    report = sluice.json("ingest")
    assert (report["feeds"], report["failed"], report["new"]) == (1, 0, 2)
    assert (report["written"], report["dropped"]) == (1, 1)
    item = next(item for item in report["items"] if item["outcome"] == "written")
    assert (sluice.vault / item["note_path"]).is_file()

    assert sluice.json("index")["files"] == 1
    answer = sluice.json("search", "pg_basebackup")
    top = answer["results"][0]
    assert top["path"] == item["note_path"]
    assert top["keyword_rank"] == 1
    assert "pg_basebackup" in (sluice.vault / top["path"]).read_text(encoding="utf-8")
    lines = (sluice.vault / top["path"]).read_text(encoding="utf-8").splitlines()
    assert "pg_basebackup" in "\n".join(lines[top["lines"][0] - 1 : top["lines"][1]])
    assert answer["index"]["age_s"] >= 0


def test_a_second_ingest_asks_politely_and_writes_nothing(sluice: Sluice, feed_url: str) -> None:
    """An unchanged feed answers 304, and nothing is written twice."""
    sluice.run("feeds", "add", "--local", feed_url)
    sluice.json("ingest")
    again = sluice.json("ingest")
    assert (again["unchanged"], again["new"], again["written"]) == (1, 0, 0)


def test_a_feed_that_cannot_be_reached_is_named_and_stops_nothing(sluice: Sluice, feed_url: str) -> None:
    """One dead feed is a row of problems; the other is taken in, and the exit code is 0."""
    dead = "http://127.0.0.1:9/feed.xml"
    sluice.run("feeds", "add", "--local", dead, feed_url)
    report = sluice.json("ingest")
    assert (report["feeds"], report["failed"], report["written"]) == (2, 1, 1)
    assert report["problems"][0]["subject"] == dead
    listed = {row["url"]: row for row in sluice.json("feeds", "list")}
    assert listed[dead]["error"]
    assert listed[feed_url]["error"] == ""


def test_private_addresses_are_refused_unless_the_feed_is_local(sluice: Sluice, feed_url: str) -> None:
    """A subscription cannot reach into the machine or its network by itself."""
    sluice.run("feeds", "add", feed_url)
    report = sluice.json("ingest")
    assert (report["failed"], report["new"]) == (1, 0)


def test_a_capture_is_never_dropped(sluice: Sluice) -> None:
    """What a person took in by hand waits for review at least, however thin it is."""
    report = sluice.json("capture", "Remember the milk")
    assert report["dropped"] == 0
    assert report["written"] + report["queued"] == 1
    assert sluice.json("capture", "Remember the milk")["new"] == 0


def test_a_queued_signal_is_kept_by_its_id(sluice: Sluice) -> None:
    """Listing, showing and keeping a waiting signal writes its note and empties the queue."""
    sluice.json("capture", "A thin thought about gardens")
    waiting = sluice.json("review", "list")
    assert len(waiting) == 1
    identity = waiting[0]["id"]
    shown = sluice.json("review", "show", identity[:6])
    assert shown["card"]["composite"] == waiting[0]["card"]["composite"]
    kept = sluice.run("review", "keep", identity, "--domain", "knowledge")
    assert kept.returncode == 0
    assert (sluice.vault / kept.stdout.strip()).is_file()
    assert kept.stdout.startswith("Knowledge/")
    assert sluice.json("review", "list") == []
    refused = sluice.run("review", "drop", identity)
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr


def test_scoring_a_note_prints_a_card_with_evidence(sluice: Sluice, tmp_path: Path) -> None:
    """`sluice score` explains itself and writes nothing."""
    note = tmp_path / "note.md"
    note.write_text("# Tune PostgreSQL\n\nRun `VACUUM` after large deletes, because bloat slows scans.\n", "utf-8")
    card = json.loads(sluice.run("score", str(note)).stdout)
    assert 0 <= card["composite"] <= 1
    for name in ("relevance", "actionability", "depth", "authority"):
        total = sum(row["amount"] for row in card[name]["evidence"])
        assert total == pytest.approx(card[name]["value"], abs=1e-6)
    assert not list(sluice.vault.glob("*/*.md"))


@pytest.mark.parametrize(
    "query",
    ["don't", "38.101", "POL-358", "agentic-os", "C++", "(x", '"', "NOT", "AND", "-band", "*", "NEAR(", "a:b", " "],
)
def test_no_query_is_an_error(sluice: Sluice, query: str) -> None:
    """Whatever a person types is a query."""
    (sluice.vault / "note.md").write_text("# Note\n\nSomething about the agentic-os and C++ 38.101.\n", "utf-8")
    sluice.json("index")
    done = sluice.run("search", "--json", "--", query)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["query"] == query


def test_searching_before_indexing_names_the_way_out(sluice: Sluice) -> None:
    """A missing index is one clear line, not a traceback."""
    done = sluice.run("search", "anything")
    assert done.returncode == 1
    assert "sluice index" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_model_that_cannot_be_had_leaves_keyword_search(sluice: Sluice) -> None:
    """Without its model, a vault is still searchable, and both commands say what is missing."""
    (sluice.vault / ".sluice" / "sluice.yaml").write_text(
        "retrieval:\n  embedding:\n    model: /no/such/model\n", encoding="utf-8"
    )
    (sluice.vault / "note.md").write_text("# Note\n\nA sentence about hydraulic pumps and valves.\n", "utf-8")
    indexed = sluice.run("index", "--json")
    assert indexed.returncode == 0
    assert json.loads(indexed.stdout)["vectors"] is False
    assert "/no/such/model" in indexed.stderr
    assert len(indexed.stderr.splitlines()) == 1
    answer = sluice.json("search", "hydraulic valves")
    assert answer["results"][0]["path"] == "note.md"
    assert answer["legs"]["vector"]["ran"] is False
    assert answer["legs"]["vector"]["reason"]


def test_a_fault_in_the_settings_is_named_with_the_nearest_key(sluice: Sluice) -> None:
    """A misspelt key is an error that says what was probably meant."""
    (sluice.vault / ".sluice" / "sluice.yaml").write_text("routing:\n  keep_treshold: 0.5\n", encoding="utf-8")
    done = sluice.run("status")
    assert done.returncode == 1
    assert "keep_threshold" in done.stderr
    assert "Traceback" not in done.stderr


def test_opml_goes_in_and_out(sluice: Sluice, tmp_path: Path) -> None:
    """What is exported can be imported again."""
    sluice.run("feeds", "add", "https://a.example.org/feed", "https://b.example.org/feed", "--tag", "python")
    exported = tmp_path / "feeds.opml"
    exported.write_text(sluice.run("feeds", "export").stdout, encoding="utf-8")
    assert sluice.run("feeds", "remove", "https://a.example.org/feed").returncode == 0
    done = sluice.run("feeds", "import", str(exported))
    assert done.returncode == 0, done.stderr
    assert {row["url"] for row in sluice.json("feeds", "list")} == {
        "https://a.example.org/feed",
        "https://b.example.org/feed",
    }


def test_the_vault_is_named_before_or_after_the_verb(sluice: Sluice, tmp_path: Path) -> None:
    """`--vault` means the same at both places, and wins over the environment."""
    other = tmp_path / "other"
    sluice.run("init", str(other))
    assert sluice.json("--vault", str(other), "status")["vault"] == str(other.resolve())
    assert sluice.json("status", "--vault", str(other))["vault"] == str(other.resolve())


def test_status_counts_and_doctor_is_content(sluice: Sluice, feed_url: str) -> None:
    """A vault in good order is reported as such."""
    sluice.run("feeds", "add", "--local", feed_url)
    sluice.json("ingest")
    sluice.json("index")
    status = sluice.json("status")
    assert status["signals"]["written"] == 1
    assert status["index"]["files"] == 1
    assert all(check["ok"] for check in sluice.json("doctor"))


def test_the_hook_adds_context_or_stays_silent(sluice: Sluice) -> None:
    """A fitting prompt gets one JSON object the host accepts; anything odd gets silence and exit code 0."""
    (sluice.vault / "Backups.md").write_text(
        "# Backups\n\nWe rotate the restic backup keys every quarter with restic key add and restic key remove.\n",
        encoding="utf-8",
    )
    sluice.json("index")

    def ask(stdin: bytes, event: str = "user-prompt-submit") -> str:
        done = subprocess.run(
            [*sluice.command, "hook", event], env=sluice.environment, input=stdin, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.decode()

    prompt = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "how do we rotate restic backup keys"}
    output = json.loads(ask(json.dumps(prompt).encode()))["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit"
    assert "Relevant Memory Context" in output["additionalContext"]
    assert "Backups.md" in output["additionalContext"]
    for odd in (b"", b"{", b"[]", b"\xff\xfe", b'{"prompt": 3}', json.dumps({"prompt": "/clear"}).encode()):
        assert ask(odd) == ""
    assert ask(json.dumps(prompt).encode(), event="no-such-event") == ""


@pytest.mark.parametrize("arguments", [[], ["--no-such-option", "x"], ["user-prompt-submit", "extra"]])
def test_a_hook_that_is_called_wrongly_still_exits_0(sluice: Sluice, arguments: list[str]) -> None:
    """Exit code 2 would make the host erase the prompt a person has typed."""
    assert sluice.run("hook", *arguments).returncode == 0
    assert sluice.run("--vault", str(sluice.vault), "hook", *arguments).returncode == 0


def test_a_hook_outside_any_vault_is_silent(sluice: Sluice, tmp_path: Path) -> None:
    """Whoever has no vault yet is not told so in the middle of a session."""
    del sluice.environment["SLUICE_VAULT"]
    prompt = json.dumps({"prompt": "how do we rotate the backup keys", "cwd": str(tmp_path / "elsewhere")})
    sluice.environment["XDG_CONFIG_HOME"] = str(tmp_path / "empty")
    done = subprocess.run(
        [*sluice.command, "hook", "user-prompt-submit"],
        env=sluice.environment, input=prompt, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_control_character_in_a_title_does_not_reach_the_terminal(sluice: Sluice) -> None:
    """Notes and feeds must not be able to drive a terminal."""
    (sluice.vault / "note.md").write_text("# Clear \x1b[2J screen\n\nsomething about screens and terminals\n", "utf-8")
    sluice.json("index")
    assert "\x1b" not in sluice.run("search", "--text", "terminals").stdout
