"""What every search among vectors promises, in terms that need neither numpy nor SQL.

A unit vector is stored as 256 bytes, each component scaled so that the largest becomes 127. A cosine does not depend
on the scale, and the query is rounded the same way. Every way of computing a cosine, with numpy or in plain Python,
starts from the same integers: their products and sums are exact, two divisions are left to round, and so all of them
return the same number to the last bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

CODE_MAX = 127
"""Largest magnitude of an int8 code; -128 is left out so that codes are symmetric."""

UNEVEN_LENGTHS = "the vectors of the index differ in length; rebuild it with: sluice index --full"
"""What is said of an index whose vectors cannot be compared."""


class VectorSearch(Protocol):
    """Nearest neighbours among the vectors of an index; every implementation returns the same list."""

    def nearest(self, code: bytes, limit: int, allowed: frozenset[int] | None = None) -> list[tuple[int, float]]:
        """Return (chunk id, cosine) of the nearest chunks, best first, ties by id.

        Args:
            code: Query as int8 bytes.
            limit: Most results, at least 1.
            allowed: Chunks to choose from; None means all. The filter acts before the choice of the nearest.
        """

    def cosines(self, code: bytes, chunk_ids: Iterable[int]) -> dict[int, float]:
        """Return the cosine of every given chunk that has a vector."""
