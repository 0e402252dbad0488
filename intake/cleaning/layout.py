"""White space of Markdown: indentation, blank lines, length; code blocks keep theirs."""

from __future__ import annotations

import re

MAX_BODY_CHARS = 1_000_000
"""Longest body: indentation can make Markdown longer than the HTML it came from."""

_BARE_MARKUP = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])")
_FENCE = re.compile(r"[\s>]*(?:(?:[-+]|\d{1,9}\.)[ ]+)*(`{3,})")


def indent_lines(text: str, indent: str) -> str:
    """Put white space before every line that is not empty."""
    return "\n".join(f"{indent}{line}" if line else line for line in text.split("\n"))


def _cut_line(line: str) -> str:
    """Cut a line that is too long by itself; what was code before the cut must not become markup."""
    cut = line[:MAX_BODY_CHARS].rpartition(" ")[0] or line[: MAX_BODY_CHARS // 2]
    return _BARE_MARKUP.sub(r"\\\g<0>", cut.rstrip("\\"))


def tidy_markdown(text: str) -> str:
    """Drop trailing spaces, fold runs of blank lines into one, and end with one newline unless empty.

    Lines inside of fenced code stay as they are. Longer text than `MAX_BODY_CHARS` is cut at a line.
    """
    lines: list[str] = []
    fence = ""
    size = 0
    for line in text.strip("\n").split("\n"):
        size += len(line) + 1
        if size > MAX_BODY_CHARS:
            lines.append("" if lines else _cut_line(line))
            break
        mark = _FENCE.match(line)
        if not fence:
            line = line.rstrip()  # noqa: PLW2901  the line as it is kept
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
