"""The steps of the demo, in the order in which a new user would take them."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, TypedDict

from scripts.demo.feed_server import serve_feeds
from scripts.demo.sandbox import DemoFailed, Sandbox
from scripts.demo.screen import Item, Passage, Screen

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from scripts.demo.feed_server import FeedServer

NOTHING_TO_DO = 3
"""Exit code of a command that found nothing to work on."""

OUTCOMES = {
    "written": "0.55 or more becomes a note",
    "queued": "0.40 or more waits for your decision",
    "dropped": "the rest stays out of the vault, and is remembered",
}
"""The outcomes by the defaults of `keep_threshold` and `review_threshold`."""


@dataclass(frozen=True, slots=True)
class Question:
    """A search of the demo.

    Attributes:
        query: As it is typed.
        point: What it shows.
    """

    query: str
    point: str


QUESTIONS = (
    Question("_rrf_fuse", "An identifier, exactly as it stands in a note of your own:"),
    Question(
        "somebody deleted a table by mistake, how do we get the data back",
        "A question in other words than the text that answers it:",
    ),
    Question("Wie bekomme ich eine gelöschte Datei aus der Sicherung zurück?", "And in German:"),
)


class IngestReport(TypedDict):
    """What `sluice ingest --json` prints."""

    feeds: int
    failed: int
    unchanged: int
    new: int
    written: int
    queued: int
    dropped: int
    problems: list[dict[str, str]]
    items: list[Item]


@dataclass(frozen=True, slots=True)
class Walkthrough:
    """Everything the steps share.

    Attributes:
        sandbox: Where they work.
        screen: Where they tell of it.
    """

    sandbox: Sandbox
    screen: Screen

    def sluice(self, *arguments: str, accept: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
        """Show a command, then run it."""
        self.screen.command(f"$ sluice {shlex.join(arguments)}")
        return self.sandbox.run(*arguments, accept=accept)

    def make_vault(self) -> None:
        """Initialise the vault and put a few notes of a person into it."""
        self.screen.heading("A fresh vault, with a few notes of your own")
        done = self.sluice("init", str(self.sandbox.vault))
        self.screen.lines((done.stdout + done.stderr).split("\n")[:1])
        self.screen.say("Copied into it, as if you had written them:")
        self.screen.lines(self.sandbox.copy_own_notes())

    def subscribe(self, server: FeedServer) -> None:
        """Add the sample feeds."""
        self.screen.heading(f"{len(server.urls)} feeds, served on this machine only")
        self.sluice("feeds", "add", "--local", *server.urls)
        self.screen.say("--local allows a loopback address; without it a feed must be on the public web.")

    def ingest(self, server: FeedServer) -> int:
        """Take in what the feeds hold, and say what became of it and why.

        Returns:
            How many signals wait for review.
        """
        self.screen.heading("Ingest: what is worth keeping, and why")
        report = self._ingest()
        self.screen.say(
            f"{report['feeds']} feeds, {report['new']} entries: {report['written']} written as notes, "
            f"{report['queued']} queued for review, {report['dropped']} dropped."
        )
        if report["feeds"] != len(server.urls) or not report["written"]:
            raise DemoFailed(f"ingest read {report['feeds']} feeds and wrote {report['written']} notes")
        for outcome, meaning in OUTCOMES.items():
            self.screen.items(outcome, meaning, [item for item in report["items"] if item["outcome"] == outcome])
        return report["queued"]

    def ingest_again(self, server: FeedServer) -> None:
        """Show that a second run transfers nothing and changes nothing."""
        self.screen.heading("Ingest again: nothing is fetched twice")
        before = len(server.statuses)
        report = self._ingest()
        answers = Counter(server.statuses[before:])
        self.screen.say(
            f"{answers[HTTPStatus.NOT_MODIFIED]} of {answers.total()} feeds answered 304 Not Modified; "
            f"{report['new']} new entries, {report['written']} notes written."
        )
        if report["new"] or report["written"]:
            raise DemoFailed("a second ingest of unchanged feeds found something new")

    def index(self) -> None:
        """Index the vault: the person's notes and the new ones alike."""
        self.screen.heading("Index: your notes and the new ones, for words and for meaning")
        report = json.loads(self.sluice("index", "--json").stdout)
        self.screen.say(f"{report['files']} files, {report['chunks']} passages.")
        self.screen.lines(f"{problem['path']}: {problem['message']}" for problem in report["problems"])

    def search(self, question: Question) -> None:
        """Ask one question and show the best passage."""
        self.screen.say(question.point)
        answer = json.loads(self.sluice("search", question.query, "--json").stdout)
        results: list[Passage] = answer["results"]
        if not results:
            raise DemoFailed(f"nothing was found for {question.query!r}")
        self.screen.passage(question.query, results[0])
        self.screen.lines(
            f"without the {name} leg: {leg['reason']}" for name, leg in answer["legs"].items() if not leg["ran"]
        )

    def point_onwards(self, waiting: int) -> None:
        """Name the commands to try next."""
        self.screen.heading("Your turn")
        program, sandbox = self.sandbox.program, self.sandbox
        if waiting:
            self.screen.say(f"{waiting} entries of the demo wait for your decision:")
            named = f"SLUICE_VAULT={sandbox.vault} SLUICE_STATE_DIR={sandbox.state}"
            self.screen.command(f"  {named} {program} review list")
        self.screen.say(f"The demo vault is {sandbox.vault}; open it in Obsidian. Begin with your own:")
        self.screen.command(f"  {program} init ~/Notes")

    def _ingest(self) -> IngestReport:
        report: IngestReport = json.loads(self.sluice("ingest", "--json", accept=(0, NOTHING_TO_DO)).stdout)
        if report["failed"] or report["problems"]:
            problems = "\n".join(f"{p['subject']}: {p['message']}" for p in report["problems"])
            raise DemoFailed(f"{report['failed']} feeds failed\n{problems}")
        return report


def walk_through(folder: Path) -> None:
    """Run the whole demo.

    Args:
        folder: Where to work; removed and made anew.

    Raises:
        DemoFailed: A step failed.
    """
    walk = Walkthrough(Sandbox(folder), Screen())
    walk.sandbox.make_anew()
    walk.make_vault()
    with serve_feeds() as server:
        walk.subscribe(server)
        waiting = walk.ingest(server)
        walk.ingest_again(server)
    walk.index()
    walk.screen.heading("Search: the right passage, however you ask")
    for question in QUESTIONS:
        walk.search(question)
    walk.point_onwards(waiting)
