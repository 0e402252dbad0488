"""Links from one note to another."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from retrieval.markdown.fences import find_fences

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_LINK_CHARS = 500
"""Longest link text that is read. It bounds the work on a line full of opening brackets."""

_WIKILINK = re.compile(rf"(!?)\[\[([^\[\]\n]{{1,{_MAX_LINK_CHARS}}}+)\]\]")
_MARKDOWN_LINK = re.compile(
    rf"\]\((?:<([^<>\n]{{1,{_MAX_LINK_CHARS}}}+)>|([^\s()<>]{{1,{_MAX_LINK_CHARS}}}+))"
    rf"""(?:[ \t]{{1,20}}+["'][^"'\n]{{0,{_MAX_LINK_CHARS}}}+["'])?[ \t]{{0,20}}+\)"""
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:")
_NOTE_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another note, or to a place in the same one.

    Attributes:
        target: Name or path of the note as written, NFC, percent escapes decoded; empty for the same note.
        heading: Heading linked to, or empty.
        block: Id of the block linked to, without `^`, or empty.
        alias: Text shown instead of the target, or empty.
        embed: Whether the target is shown in place (`![[...]]`).
    """

    target: str
    heading: str = ""
    block: str = ""
    alias: str = ""
    embed: bool = False


def extract_links(body: str) -> tuple[Link, ...]:
    """Find wikilinks, embeds and relative Markdown links to `.md` files, outside of code.

    Args:
        body: The note below its frontmatter.

    Returns:
        Links in the order of the text, as often as they stand there.
    """
    if "[[" not in body and ".md" not in body:
        return ()
    found: list[tuple[int, Link]] = []
    for start, end in _prose(body):
        text = body[start:end]
        found += ((start + at, link) for at, link in _wikilinks(text))
        found += ((start + at, link) for at, link in _markdown_links(text))
    return tuple(link for _, link in sorted(found, key=lambda item: item[0]))


def _prose(body: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches outside fenced blocks and inline code."""
    position = 0
    for fence in find_fences(body):
        yield from _outside_inline_code(body, position, fence.start)
        position = fence.end
    yield from _outside_inline_code(body, position, len(body))


def _outside_inline_code(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Pair runs of backticks of equal length, as CommonMark 0.31 section 6.1 does, within a paragraph."""
    runs = _backtick_runs(body, start, end)
    closing_of = _pair(body, runs)
    position = start
    for run in runs:
        closing = closing_of.get(run)
        if closing is not None and run[0] >= position:
            yield position, run[0]
            position = closing[1]
    yield position, end


def _backtick_runs(body: str, start: int, end: int) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    at = body.find("`", start, end)
    while at >= 0:
        run_end = at
        while run_end < end and body[run_end] == "`":
            run_end += 1
        runs.append((at, run_end))
        at = body.find("`", run_end, end)
    return runs


def _pair(body: str, runs: list[tuple[int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Map each run to the next one of its length; a blank line between them parts the two."""
    following: dict[int, tuple[int, int]] = {}
    closing_of: dict[tuple[int, int], tuple[int, int]] = {}
    later = len(body)
    for run in reversed(runs):
        if body.find("\n\n", run[1], later) >= 0:
            following.clear()
        length = run[1] - run[0]
        if length in following:
            closing_of[run] = following[length]
        following[length] = run
        later = run[0]
    return closing_of


def _wikilinks(text: str) -> Iterator[tuple[int, Link]]:
    for match in _WIKILINK.finditer(text):
        place, _, alias = match[2].replace("\\|", "|").partition("|")
        target, heading, block = _split_place(place)
        if target or heading or block:
            yield match.start(), Link(target, heading, block, alias.strip(), embed=bool(match[1]))


def _markdown_links(text: str) -> Iterator[tuple[int, Link]]:
    if _NOTE_SUFFIX not in text:
        return
    for match in _MARKDOWN_LINK.finditer(text):
        address = match[1] or match[2]
        path = address.partition("#")[0]
        if not path.lower().endswith(_NOTE_SUFFIX) or address.startswith("/") or _SCHEME.match(address):
            continue
        target, heading, block = _split_place(unquote(address))
        yield match.start(), Link(target, heading, block)


def _split_place(place: str) -> tuple[str, str, str]:
    """Split `note#heading` and `note#^block`; of nested headings (`note#a#b`) the last is the place."""
    target, _, anchor = unicodedata.normalize("NFC", place).partition("#")
    anchor = anchor.rpartition("#")[2].strip()
    if anchor.startswith("^"):
        return target.strip(), "", anchor[1:].strip()
    heading, _, block = anchor.partition("^")
    return target.strip(), heading.strip(), block.strip()
