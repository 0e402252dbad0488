"""Searching vectors inside SQLite: what a process that answers one query and ends can afford.

Loading every vector into a matrix costs more than one look at each of them, and importing numpy costs more than
both. So sqlite-vec looks at each, in single precision, and what could be among the nearest is compared again in
exact integers.
"""

from __future__ import annotations

from math import inf, sqrt
from operator import mul
from typing import TYPE_CHECKING, Any

import apsw

from retrieval.errors import IndexDamaged
from retrieval.store.vector_search import UNEVEN_LENGTHS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from apsw import SQLiteValue

_SPARE = 16
"""Rows fetched beyond the limit, so that the usual few near-ties need no second scan."""

_MARGIN = 1e-4
"""Cosines that lie nearer together than this are told apart in integers alone.

Up to 256 dimensions a squared distance of int8 codes is below 2**24, so single precision rounds its square root
alone: 2**-23 of the square. That moves a cosine by less than 1e-4 as long as neither vector is 800 times as long as
the other; codes of 256 dimensions differ in length by 16 at most.
"""

_WIDE = 256
"""Dimensions up to which sums of squared differences are exact; beyond, the margin is ten times as wide."""

# |x - q|**2 = |x|**2 + |q|**2 - 2 x.q, hence 2 |q| cos = |x| + (|q|**2 - |x - q|**2) / |x|. sqlite-vec computes a
# distance in two thirds of the time of a cosine. A code of zeros has no direction: NULL, which counts as cosine 0.
_SCAN = """
SELECT chunk_id, coalesce(norm + (? - pow(vec_distance_l2(vec_int8(code), vec_int8(?)), 2)) / norm, 0) AS score
FROM vectors {condition} ORDER BY score DESC LIMIT ?
"""
_EXACT = "SELECT chunk_id, norm, code FROM vectors WHERE chunk_id IN (SELECT value FROM json_each(?))"


class ScanSearch:
    """Looks at every vector by sqlite-vec, which must be loaded; see `VectorSearch`.

    Args:
        connection: An open index.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def nearest(self, code: bytes, limit: int, allowed: frozenset[int] | None = None) -> list[tuple[int, float]]:
        """Return (chunk id, cosine) of the nearest chunks, best first, ties by id.

        Raises:
            IndexDamaged: The stored vectors differ in length.
        """
        margin = 2 * _norm(code) * _MARGIN * (1 if len(code) <= _WIDE else 10)
        wanted = limit + _SPARE
        rows = self._scan(code, wanted, allowed)
        while len(rows) == wanted and rows[-1][1] >= rows[limit - 1][1] - margin:
            wanted *= 8
            rows = self._scan(code, wanted, allowed)
        least = rows[limit - 1][1] - margin if len(rows) > limit else -inf
        near = [chunk_id for chunk_id, score in rows if score >= least]
        exact = self.cosines(code, near)
        return sorted(exact.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def cosines(self, code: bytes, chunk_ids: Iterable[int]) -> dict[int, float]:
        """Return the cosine of every given chunk that has a vector."""
        query = memoryview(code).cast("b").tolist()
        length = _norm(code)
        return {
            chunk_id: sum(map(mul, memoryview(row).cast("b"), query)) / (norm or 1.0) / length
            for chunk_id, norm, row in self._connection.execute(_EXACT, (_as_json(set(chunk_ids)),))
        }

    def _scan(self, code: bytes, wanted: int, allowed: frozenset[int] | None) -> list[tuple[int, float]]:
        condition = "" if allowed is None else "WHERE chunk_id IN (SELECT value FROM json_each(?))"
        bindings: list[SQLiteValue] = [_norm(code) ** 2, code, wanted]
        if allowed is not None:
            bindings.insert(2, _as_json(allowed))
        try:
            rows: list[Any] = self._connection.execute(_SCAN.format(condition=condition), bindings).fetchall()
        except apsw.SQLError as err:
            raise IndexDamaged(UNEVEN_LENGTHS) from err
        return rows


def _norm(code: bytes) -> float:
    numbers = memoryview(code).cast("b").tolist()
    return sqrt(sum(map(mul, numbers, numbers))) or 1.0


def _as_json(chunk_ids: Collection[int]) -> str:
    """One JSON parameter instead of one per id: SQLite limits the number of parameters."""
    return "[" + ",".join(map(str, sorted(chunk_ids))) + "]"
