"""The one exception of this package; it unwinds a fetch and leaves the package as a FetchFailed."""

from __future__ import annotations

MAX_REASON_CHARS = 300
"""Longest reason: what a server sends must not fill a terminal."""


class FetchError(Exception):
    """A fetch that cannot go on.

    Attributes:
        status: The HTTP status it failed with, or 0.
        reason: One printable line.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = printable_line(reason)


def printable_line(text: str) -> str:
    """Put text on one line without control or invisible characters, and not longer than MAX_REASON_CHARS."""
    line = " ".join(text[: 4 * MAX_REASON_CHARS].split())
    shown = "".join(char if char.isprintable() else "?" for char in line)
    return shown if len(shown) <= MAX_REASON_CHARS else f"{shown[: MAX_REASON_CHARS - 1]}…"
