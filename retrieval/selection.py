"""Which of the ranked passages are shown: not the same text twice, and not one file alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Passage:
    """What decides whether a ranked passage is shown.

    Attributes:
        chunk_id: Row of the chunk.
        path: Its file.
        text: Its text.
    """

    chunk_id: int
    path: str
    text: str


def select_passages(ranked: Iterable[Passage], *, limit: int, max_per_file: int) -> dict[int, tuple[str, ...]]:
    """Choose the passages to show.

    Passages with equal normalised text are one; it stands where the first of them stood. A copy does not count for
    the file it lies in.

    Args:
        ranked: Every candidate, best first.
        limit: Most passages.
        max_per_file: Most passages of one file; 0 sets no limit.

    Returns:
        By chunk id, best first, the other files that hold the same text, in the order of rank.
    """
    chosen: dict[int, tuple[str, ...]] = {}
    shown_with: dict[str, Passage] = {}
    shown_of: dict[str, int] = {}
    for passage in ranked:
        text = normalized(passage.text)
        first = shown_with.get(text)
        if first is not None:
            others = chosen[first.chunk_id]
            if passage.path not in {first.path, *others}:
                chosen[first.chunk_id] = (*others, passage.path)
        elif len(chosen) < limit and not (max_per_file and shown_of.get(passage.path, 0) >= max_per_file):
            chosen[passage.chunk_id] = ()
            shown_with[text] = passage
            shown_of[passage.path] = shown_of.get(passage.path, 0) + 1
    return chosen


def normalized(text: str) -> str:
    """Return a text by which copies are known: without differences of case and white space."""
    return " ".join(text.split()).casefold()
