"""The vocabulary of the credential filter."""

from __future__ import annotations

import re
from collections.abc import Callable  # noqa: TC003  a field's type
from dataclasses import dataclass

MARKER = "[REDACTED:"
"""What a replaced secret begins with; the name of its pattern and `]` follow."""


Gate = str | re.Pattern[bytes]
"""A test that says "perhaps" or "no" and takes half a nanosecond a byte. A pattern is as fast as a literal where it
begins with a rare character that a class or a group follows, for then that character is looked up by `memchr`."""


@dataclass(frozen=True, slots=True)
class Redaction:
    """A text without its credentials.

    Attributes:
        text: With every credential replaced by `[REDACTED:pattern-name]`; the same object where none was found.
        names: The pattern of each replacement, in the order of the text.
    """

    text: str
    names: tuple[str, ...] = ()


def accept_any(match: re.Match[str]) -> bool:  # noqa: ARG001  the signature of a check
    """Accept every match: the pattern says it all."""
    return True


@dataclass(frozen=True, slots=True)
class Detector:
    """How one kind of credential is recognised.

    Attributes:
        name: What replaces it is called; several detectors may share a name.
        gates: Cheap tests of which one must hold before the pattern is tried: a literal, or a compiled pattern
            over UTF-8.
        pattern: Regular expression; the group `secret`, or everything where there is none, is the credential.
        shape: A gate that must hold before the others are looked at, shared by detectors; empty for none.
        folded: Whether the gates, the shape and the anchors are in lower case and meet the text in lower case.
        anchors: Literals at which alone a match can begin, for gates that many texts pass; empty for anywhere.
        requires: Regular expression the text must match somewhere; empty for none.
        accept: Decides whether a match is a credential, not a placeholder or look-alike.
    """

    name: str
    gates: tuple[Gate, ...]
    pattern: str
    shape: Gate = ""
    folded: bool = False
    anchors: tuple[str, ...] = ()
    requires: str = ""
    accept: Callable[[re.Match[str]], bool] = accept_any


def secret_of(match: re.Match[str]) -> str:
    """Return the credential in a match."""
    start, end = span_of(match)
    return match.string[start:end]


def span_of(match: re.Match[str]) -> tuple[int, int]:
    """Return where the credential of a match begins and ends."""
    return match.span("secret") if "secret" in match.re.groupindex else match.span()
