"""Replacing the credentials of a text."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from retrieval.credentials.assignments import ASSIGNMENT_DETECTORS
from retrieval.credentials.generic_detectors import GENERIC_DETECTORS
from retrieval.credentials.types import MARKER, Redaction, span_of
from retrieval.credentials.vendor_patterns import VENDOR_DETECTORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from retrieval.credentials.types import Detector, Gate

DETECTORS: tuple[Detector, ...] = (*VENDOR_DETECTORS, *GENERIC_DETECTORS, *ASSIGNMENT_DETECTORS)
"""All detectors; where two find the same place, the earlier one names it."""

PATTERN_NAMES: tuple[str, ...] = tuple(dict.fromkeys(detector.name for detector in DETECTORS))
"""The names a marker can carry."""

_MIN_CHARS = 10
"""No detector finds anything in a shorter text."""

_MAX_MARKER_CHARS = 40
"""A marker is shorter than this."""

_MAX_ROUNDS = 8
"""A replacement can part what stood glued together and so uncover the next secret. Each round needs a finding."""


class _Finding(NamedTuple):
    start: int
    end: int
    name: str


def redact(text: str) -> Redaction:
    """Replace every credential by `[REDACTED:pattern-name]`.

    Of an assignment only the value goes, so that what it was for stays readable. A credential over several lines
    leaves its line breaks behind, so that whatever follows keeps its line number. Redacting a redacted text
    changes nothing.

    Args:
        text: Any text.
    """
    if len(text) < _MIN_CHARS:
        return Redaction(text)
    names: tuple[str, ...] = ()
    for _ in range(_MAX_ROUNDS):
        findings = _find(text)
        if not findings:
            break
        text = _replace(text, findings)
        names += tuple(finding.name for finding in findings)
    return Redaction(text, names)


def _find(text: str) -> list[_Finding]:
    """Find credentials that do not overlap, in the order of the text."""
    due = _due_detectors(text)
    if not due:
        return []
    folded = _fold(text) if any(detector.folded and detector.anchors for detector in due) else text
    found = [
        _Finding(*span_of(match), detector.name)
        for detector in due
        for match in _matches(detector, text, folded)
        if not _touches_marker(match) and detector.accept(match)
    ]
    found.sort(key=lambda finding: finding.start)
    merged: list[_Finding] = []
    for finding in found:
        if merged and finding.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, finding.end))
        else:
            merged.append(finding)
    return merged


def _touches_marker(match: re.Match[str]) -> bool:
    """Tell whether a match holds a marker or is glued to one, which is no end that a token came with."""
    start, end = match.span()
    text = match.string
    return (
        MARKER in match[0]
        or text.startswith(MARKER, end)
        or (text[start - 1 : start] == "]" and _ends_marker(text, start))
    )


def _ends_marker(text: str, end: int) -> bool:
    opening = text.rfind(MARKER, max(0, end - _MAX_MARKER_CHARS), end)
    return opening >= 0 and text.find("]", opening, end) == end - 1


def _due_detectors(text: str) -> list[Detector]:
    """Return the detectors whose gates a text passes."""
    data = text.encode("utf-8", "surrogatepass")
    due: list[Detector] = []
    for haystack, groups in ((data, _GATES), (data.lower(), _FOLDED_GATES)):
        for shape, gates in groups:
            if not _passes(shape, haystack):
                continue
            for gate, detectors in gates:
                if _passes(gate, haystack):
                    due += detectors
    return due


def _passes(gate: bytes | re.Pattern[bytes], data: bytes) -> bool:
    return gate in data if isinstance(gate, bytes) else gate.search(data) is not None


def _matches(detector: Detector, text: str, folded: str) -> Iterator[re.Match[str]]:
    if detector.requires and not _compiled(detector.requires).search(text):
        return
    pattern = _compiled(detector.pattern)
    if not detector.anchors:
        yield from pattern.finditer(text)
        return
    haystack = folded if detector.folded else text
    for anchor in detector.anchors:
        at = haystack.find(anchor)
        while at >= 0:
            match = pattern.match(text, at)
            if match is not None:
                yield match
            at = haystack.find(anchor, at + len(anchor))


def _fold(text: str) -> str:
    # U+0130 is the one character whose lower case is longer than itself, which would shift every offset behind it.
    return text.replace("\u0130", "i").lower()


def _replace(text: str, findings: Sequence[_Finding]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, name in findings:
        line_breaks = "\n" * text.count("\n", start, end)
        pieces += (text[position:start], f"{MARKER}{name}]{line_breaks}")
        position = end
    return "".join((*pieces, text[position:]))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile on first use: most texts hold nothing, and a cold query has no time for sixty patterns."""
    return re.compile(pattern)


_RawGate = bytes | re.Pattern[bytes]


def _group_gates(*, folded: bool) -> list[tuple[_RawGate, list[tuple[_RawGate, list[Detector]]]]]:
    """Arrange detectors so that no gate is tried twice on a text: by shape, then by gate."""
    groups: dict[_RawGate, dict[_RawGate, list[Detector]]] = {}
    for detector in DETECTORS:
        if detector.folded is folded:
            for gate in detector.gates:
                gates = groups.setdefault(_raw(detector.shape), {})
                gates.setdefault(_raw(gate), []).append(detector)
    return [(shape, list(gates.items())) for shape, gates in groups.items()]


def _raw(gate: Gate) -> _RawGate:
    return gate.encode() if isinstance(gate, str) else gate


_GATES = _group_gates(folded=False)
_FOLDED_GATES = _group_gates(folded=True)
