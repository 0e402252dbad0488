"""Fenced code blocks: where nothing is a heading or a link, and what a cut should not go through."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE_LINE = re.compile(r"\n[ \t]*+(`{3,}+|~{3,}+)([^\n]*+)")


class Fence(NamedTuple):
    """A fenced code block.

    Attributes:
        start: Offset of the first character of its opening line.
        end: Offset behind its closing line, or the end of the text where it is never closed.
        code_start: Offset of the first character of the code.
        code_end: Offset behind the code.
        info: What follows the opening marker, such as `python`.
    """

    start: int
    end: int
    code_start: int
    code_end: int
    info: str


def find_fences(text: str) -> list[Fence]:
    """Find code blocks fenced by three or more backticks or tildes, in order.

    As lists indent their code, a fence may stand at any indentation; otherwise the rules are those of
    CommonMark 0.31 section 4.5.
    """
    fences: list[Fence] = []
    if "```" not in text and "~~~" not in text:
        return fences
    opening: re.Match[str] | None = None
    # A line break put in front lets every line be found by the break before it, and shifts offsets by one.
    for line in _FENCE_LINE.finditer("\n" + text):
        if opening is None:
            if line[1][0] == "~" or "`" not in line[2]:
                opening = line
        elif line[1].startswith(opening[1]) and not line[2].strip():
            end = min(line.end(), len(text))
            fences.append(Fence(opening.start(), end, min(opening.end(), len(text)), line.start(), opening[2].strip()))
            opening = None
    if opening is not None:
        code_start = min(opening.end(), len(text))
        fences.append(Fence(opening.start(), len(text), code_start, len(text), opening[2].strip()))
    return fences
