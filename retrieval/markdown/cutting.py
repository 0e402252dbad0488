"""Cutting a long passage where it hurts least."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from retrieval.markdown.fences import Fence

Span = tuple[int, int]
"""Offsets of the first character and behind the last."""

# What a piece may end with, best first; the number is how many characters of the match stay in the piece.
_PARAGRAPHS = (("\n\n", 2), ("\n\r\n", 3))
_LIST_LINES = (("\n- ", 1), ("\n* ", 1), ("\n|", 1), ("\n#", 1))
_SENTENCES = ((". ", 2), (".\n", 2), (".\r\n", 3), ("! ", 2), ("!\n", 2), ("? ", 2), ("?\n", 2), ("。", 1))
_LINES = (("\n", 1),)
_WORDS = ((" ", 1), ("\t", 1))
_PROSE = (_PARAGRAPHS, _LIST_LINES, _SENTENCES, _LINES, _WORDS)
_CODE = (_PARAGRAPHS, _LINES, _WORDS)

_SMALLEST_SHARE = 4
"""A boundary in the first quarter of what fits is passed over for a lesser one further on. Our choice."""


def cut_span(text: str, span: Span, fences: Sequence[Fence], max_chars: int) -> Iterator[Span]:
    """Cut a span into adjoining pieces of at most `max_chars` characters.

    The cut goes between paragraphs, else between list lines, sentences, lines, words, else anywhere. A code
    block goes through no cut where it fits `max_chars`.

    Args:
        text: What the offsets refer to.
        span: What to cut.
        fences: The fenced blocks of `text`, in order.
        max_chars: At least 1.
    """
    start, end = span
    starts = [fence.start for fence in fences]
    while end - start > max_chars:
        cut = _find_cut(text, start, start + max_chars, fences, starts)
        yield start, cut
        start = cut
    yield start, end


def _find_cut(text: str, start: int, limit: int, fences: Sequence[Fence], starts: list[int]) -> int:
    """Return where the piece that begins at `start` ends: after `start`, not after `limit`."""
    around = _fence_around(limit, fences, starts)
    fits = around is not None and around.end - around.start <= limit - start
    if around is not None and fits and around.start > start:
        return around.start
    floor = start + (limit - start) // _SMALLEST_SHARE
    for boundaries in _PROSE if around is None or fits else _CODE:
        cut = max(_last_boundary(text, floor, limit, mark, kept) for mark, kept in boundaries)
        if cut > start:
            return _outside_fence(cut, limit, fences, starts)
    return limit


def _last_boundary(text: str, floor: int, limit: int, mark: str, kept: int) -> int:
    # The mark may reach beyond the limit as long as what is kept of it does not.
    at = text.rfind(mark, floor, limit + len(mark) - kept)
    return at + kept if at >= 0 else -1


def _outside_fence(cut: int, limit: int, fences: Sequence[Fence], starts: list[int]) -> int:
    """Move a cut that fell into a code block behind the block, where that still fits."""
    inside = _fence_around(cut, fences, starts)
    return inside.end if inside is not None and inside.end <= limit else cut


def _fence_around(at: int, fences: Sequence[Fence], starts: list[int]) -> Fence | None:
    index = bisect_right(starts, at) - 1
    if index < 0 or not fences[index].start < at < fences[index].end:
        return None
    return fences[index]
