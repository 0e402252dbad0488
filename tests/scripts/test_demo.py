"""The demo, run as a newcomer runs it: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

from scripts.demo.feed_server import FEEDS, serve_feeds
from scripts.demo.screen import EXCERPT_CHARS, excerpt

REPOSITORY = Path(__file__).resolve().parents[2]


def run_demo(folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run the demo without a terminal, on a screen wide enough for every line."""
    environment = os.environ | {"HOME": str(home), "COLUMNS": "1000"}
    return subprocess.run(
        [sys.executable, "scripts/demo", "--folder", str(folder)],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "work"


@pytest.fixture(name="output", scope="module")
def _output(folder: Path, home: Path) -> str:
    """Return what one run printed; every test below reads the same run."""
    done = run_demo(folder, home)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout


def titles(output: str, outcome: str) -> list[str]:
    """Return the titles listed under one outcome."""
    _, _, rest = output.partition(f"   {outcome} (")
    block = rest.split("\n\n")[0]
    return re.findall(r"^ {5}\d\.\d\d  (.+)$", block, re.MULTILINE)


def test_deep_articles_and_the_german_guide_become_notes(output: str, folder: Path) -> None:
    """Articles with steps and code are written into the folders of their domains, umlauts and dashes decoded."""
    written = titles(output, "written")
    for start in (
        "Point-in-time recovery",
        "Reciprocal rank fusion",
        "Property-based testing",
        "Sicherungen mit restic",
    ):
        assert any(title.startswith(start) for title in written), start
    assert any("jährlich üben" in title for title in written)
    notes = [note.name for note in (folder / "vault").glob("*/*.md")]
    assert any(name.startswith("Point-in-time recovery in PostgreSQL — the drill") for name in notes)


def test_adverts_stubs_and_thin_links_are_dropped(output: str) -> None:
    """What gives a reader nothing stays out of the vault: offers, episode stubs, one-line links, a tagged photo."""
    dropped = " | ".join(titles(output, "dropped"))
    for part in ("50 % OFF", "Clackwright", "#118", "#117", "B-trees", "lighthouse", "Dahlia", "4.1.8", "Pause"):
        assert part in dropped.replace("\N{NO-BREAK SPACE}", " "), part


def test_something_in_between_waits_for_review(output: str) -> None:
    """At least one signal is queued, and the command that lists the queue is named."""
    assert titles(output, "queued")
    assert "sluice review list" in output


def test_every_signal_shows_why(output: str) -> None:
    """Below every title stand its domain and at least one dimension with its strongest reason."""
    _, _, rest = output.partition("3. Ingest")
    blocks = re.findall(
        r"^ {5}\d\.\d\d  .+\n {11}[a-z]+.*\n {11}[a-z]+: .+ \([+-]\d\.\d\d\)",
        rest.split("4. Ingest again")[0],
        re.MULTILINE,
    )
    assert len(blocks) == sum(len(titles(output, outcome)) for outcome in ("written", "queued", "dropped"))
    assert len(blocks) == 18


def test_second_run_fetches_nothing_again(output: str) -> None:
    """Every feed answers 304 the second time, and nothing is new."""
    assert "7 of 7 feeds answered 304 Not Modified; 0 new entries, 0 notes written." in output


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("_rrf_fuse", "Projects/Search prototype.md"),
        ("deleted a table by mistake", "Point-in-time recovery in PostgreSQL"),
        ("gelöschte Datei", "Sicherungen mit restic"),
    ],
)
def test_each_question_is_answered_by_the_right_note(output: str, query: str, path: str) -> None:
    """The top result of an identifier, of a question in other words and of a German question is the right note."""
    _, _, answer = output.partition("6. Search")
    command, _, rest = answer.partition(query)[2].partition("\n")
    assert "--json" in command
    assert path in rest.split("\n")[0]


def test_nothing_outside_the_folder_is_touched(output: str, folder: Path, home: Path) -> None:
    """The person's home stays empty; vault and state lie in the demo's folder."""
    assert list(home.iterdir()) == []
    assert (folder / "vault" / ".sluice" / "feeds.yaml").is_file()
    assert (folder / "state" / "index.db").is_file()


def test_output_without_a_terminal_is_plain(output: str) -> None:
    """No escape sequence reaches a pipe."""
    assert "\x1b" not in output


def test_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    """A folder that no demo made is refused with a clear message, and nothing in it is removed."""
    precious = tmp_path / "precious.md"
    precious.write_text("mine", encoding="utf-8")
    done = run_demo(tmp_path, tmp_path)
    assert done.returncode == 1
    assert "not from a demo" in done.stderr
    assert list(tmp_path.iterdir()) == [precious]


def test_feeds_are_served_once_and_then_confirmed() -> None:
    """A client that sends back either validator gets 304 without a body, any other path 404."""
    with serve_feeds() as server:
        connection = HTTPConnection("127.0.0.1", server.server_port)
        path = "/engineering.rss"
        first, body = _get(connection, path, {})
        assert first["status"] == "200"
        assert body == (FEEDS / "engineering.rss").read_bytes()
        assert first["Content-Type"].startswith("application/rss+xml")
        for header, validator in (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")):
            again, body = _get(connection, path, {header: first[validator]})
            assert (again["status"], body) == ("304", b"")
        changed, _ = _get(connection, path, {"If-None-Match": '"other"', "If-Modified-Since": first["Last-Modified"]})
        assert changed["status"] == "200"
        assert _get(connection, "/../__main__.py", {})[0]["status"] == "404"
        connection.close()


def _get(connection: HTTPConnection, path: str, headers: dict[str, str]) -> tuple[dict[str, str], bytes]:
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    return dict(response.getheaders()) | {"status": str(response.status)}, response.read()


def test_excerpt_begins_with_the_line_that_fits_best() -> None:
    """A passage is shown from the line with most words of the query on, cut at a word; a short one whole."""
    passage = "alpha beta needle\n\n" * 9 + "the needle lies here " + "gamma delta " * 100
    cut = excerpt(passage, "where lies the needle")
    assert cut.startswith("… the needle lies here gamma")
    assert cut.endswith((" gamma …", " delta …"))
    assert len(cut) <= EXCERPT_CHARS + 4
    assert excerpt("short\n text", "anything") == "short text"
    assert excerpt("", "anything") == ""


def test_interrupt_ends_the_demo_without_a_traceback(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a step stops it with exit code 130 and one plain line."""
    command = [sys.executable, "scripts/demo", "--folder", str(tmp_path / "work")]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as demo:
        assert demo.stdout is not None
        assert any("$ sluice init" in line for line in demo.stdout)
        demo.send_signal(signal.SIGINT)
        _, errors = demo.communicate(timeout=60)
    assert (demo.returncode, errors) == (130, "\ndemo stopped\n")
