"""What the demo prints: headings, commands, signals with their reasons, and passages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

INDENT = 3
REASONS_SHOWN = 3
EXCERPT_CHARS = 320

_OUTCOME_STYLES = {"written": "green", "queued": "yellow", "dropped": "red"}


class Item(TypedDict):
    """A signal in the report of `sluice ingest --json`."""

    id: str
    title: str
    outcome: str
    domain: str
    composite: float
    note_path: str
    why: list[str]


class Passage(TypedDict):
    """A result in the answer of `sluice search --json`."""

    path: str
    title: str
    section: str
    lines: list[int]
    text: str
    score: float
    keyword_rank: int | None
    vector_rank: int | None


class Screen:
    """Plain text, coloured only on a terminal (rich honours NO_COLOR)."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._steps = 0

    def heading(self, text: str) -> None:
        """Begin a numbered step."""
        self._steps += 1
        self._console.print()
        self._console.print(Text(f"{self._steps}. {text}", style="bold"))

    def command(self, line: str) -> None:
        """Show a command as a person would type it, broken before addresses where one line is too short."""
        line = " " * INDENT + line
        if len(line) > self._console.width:
            line = re.sub(r" (?=https?://)", " \\\\\n" + " " * (INDENT + 6), line)
        self._console.print(Text(line, style="cyan"), soft_wrap=True)

    def say(self, text: str) -> None:
        """Print a paragraph."""
        self._indented(Text(text))

    def lines(self, texts: Iterable[str]) -> None:
        """Print lines that belong together."""
        for text in texts:
            self._indented(Text(text, style="dim"), by=INDENT + 2)

    def items(self, outcome: str, meaning: str, items: list[Item]) -> None:
        """Print the signals that had one outcome, best first, each with the strongest reasons for its score."""
        heading = Text(f"{outcome} ({len(items)})", style=f"bold {_OUTCOME_STYLES.get(outcome, '')}")
        self._console.print()
        self._indented(heading.append(f": {meaning}", style="not bold"))
        for item in sorted(items, key=lambda item: -item["composite"]):
            self._indented(Text(f"{item['composite']:.2f}  {item['title']}"), by=INDENT + 2, hang=6)
            place = f"{item['domain']} → {item['note_path']}" if item["note_path"] else item["domain"] or "no domain"
            self._indented(Text(place, style="dim"), by=INDENT + 8, hang=2)
            self._indented(Text("; ".join(item["why"][:REASONS_SHOWN]), style="dim"), by=INDENT + 8, hang=2)

    def passage(self, query: str, passage: Passage) -> None:
        """Print the top result of a search."""
        first, last = passage["lines"]
        section = f"  § {passage['section']}" if passage["section"] else ""
        self._indented(Text(f"→ {passage['path']}:{first}-{last}{section}", style="green"), by=INDENT + 2, hang=2)
        self._indented(Text(excerpt(passage["text"], query)), by=INDENT + 4)
        ranks = f"keyword rank {_rank(passage['keyword_rank'])}, vector rank {_rank(passage['vector_rank'])}"
        self._indented(Text(f"score {passage['score']:.3f}; {ranks}", style="dim"), by=INDENT + 4)

    def _indented(self, text: Text, by: int = INDENT, hang: int = 0) -> None:
        """Print text wrapped to the screen, every line but the first indented by `hang` more columns."""
        margin = by
        for line in text.wrap(self._console, self._console.width - by - hang):
            line.rstrip()
            self._console.print(Text(" " * margin) + line)
            margin = by + hang


def excerpt(text: str, query: str) -> str:
    """Return one line of a passage, from the line on that holds most words of the query.

    Args:
        text: The passage.
        query: What was asked; words under four letters are ignored.
    """
    words = {word.lower() for word in re.findall(r"\w{4,}", query)}
    lines = text.splitlines()
    hits = [sum(word in line.lower() for word in words) for line in lines]
    best = hits.index(max(hits)) if hits else 0
    flat = " ".join(" ".join(lines[best:]).split())
    if len(flat) > EXCERPT_CHARS:
        flat = flat[:EXCERPT_CHARS].rsplit(" ", 1)[0] + " …"
    return flat if not "".join(lines[:best]).strip() else f"… {flat}"


def _rank(rank: int | None) -> str:
    return "none" if rank is None else str(rank)
