"""White space of Markdown: indentation, blank lines, length; code blocks keep theirs."""

from __future__ import annotations

import re

MAX_BODY_CHARS = 1_000_000
"""Longest body: indentation can make Markdown longer than the HTML it came from."""

_FENCE = re.compile(r"[\s>]*(?:(?:[-+]|\d{1,9}\.)[ ]+)*(`{3,})")


def indent_lines(text: str, indent: str) -> str:
    """Put white space before every line that is not empty."""
    return "\n".join(f"{indent}{line}" if line else line for line in text.split("\n"))


def tidy_markdown(text: str) -> str:
    """Drop trailing spaces, fold runs of blank lines into one, and end with one newline unless empty.

    Lines inside of fenced code stay as they are. Longer text than `MAX_BODY_CHARS` is cut there.
    """
    lines: list[str] = []
    fence = ""
    size = 0
    for line in text.strip("\n").split("\n"):
        room = MAX_BODY_CHARS - size
        size += len(line) + 1
        if room <= 0:
            break
        line = line[:room]  # noqa: PLW2901  the line as it is kept
        mark = _FENCE.match(line)
        if not fence:
            line = line.rstrip()  # noqa: PLW2901  as above
            if not line and lines and not lines[-1]:
                continue
        lines.append(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and line.strip(" >") == fence:
            fence = ""
    if fence and size > MAX_BODY_CHARS:
        lines.append(fence)
    tidy = "\n".join(lines).strip("\n")
    return f"{tidy}\n" if tidy.strip() else ""
