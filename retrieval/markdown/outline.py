"""The headings of a note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from retrieval.markdown.fences import find_fences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from retrieval.markdown.fences import Fence

DEEPEST_LEVEL = 3
"""Headings below H3 stay part of the text: a note is cut at H2, and at H3 where that is not enough."""

# A line of more than 500 characters that begins with `#` is text. Our choice: headings are stored with every passage.
_HEADING_LINE = re.compile(rf"\n(#{{1,{DEEPEST_LEVEL}}}+)[ \t]++([^\n]{{1,500}}+)(?=\n|\Z)")


class Heading(NamedTuple):
    """An ATX heading (`## Title`).

    Attributes:
        level: 1 to `DEEPEST_LEVEL`.
        text: Without markers.
        start: Offset of its line.
        end: Offset of the end of its line, before the line break.
    """

    level: int
    text: str
    start: int
    end: int


def find_headings(text: str, fences: Sequence[Fence]) -> list[Heading]:
    """Find headings down to H3 that stand outside fenced code, in order.

    Args:
        text: The body of a note.
        fences: Its fenced blocks, as `find_fences` returns them.
    """
    headings: list[Heading] = []
    remaining = iter(fences)
    fence = next(remaining, None)
    # A line break put in front lets every line be found by the break before it, and shifts offsets by one.
    for line in _HEADING_LINE.finditer("\n" + text):
        start = line.start()
        while fence is not None and fence.end <= start:
            fence = next(remaining, None)
        if fence is not None and fence.start <= start:
            continue
        title = _without_closing(line[2].strip())
        if title:
            headings.append(Heading(len(line[1]), title, start, line.end() - 1))
    return headings


def first_title(text: str) -> str:
    """Return the text of the first H1 outside fenced code, or an empty string."""
    if not text.startswith("# ") and "\n# " not in text:
        return ""
    return next((found.text for found in find_headings(text, find_fences(text)) if found.level == 1), "")


def _without_closing(title: str) -> str:
    """Take off a closing sequence (`## Title ##`), but not the sharp of `C#`."""
    if not title.endswith("#"):
        return title
    shortened = title.rstrip("#")
    return shortened.rstrip() if shortened[-1:] in ("", " ", "\t") else title
