"""Vectors with numpy: rounding them to int8 codes, and searching all of them in memory at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.errors import IndexDamaged
from retrieval.store.vector_search import CODE_MAX, UNEVEN_LENGTHS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw
    from numpy.typing import NDArray

_EXACT_IN_FLOAT32 = 1040
"""Dimensions up to which sums of int8 products stay below 2**24, and so exact in float32."""


def encode_vectors(vectors: NDArray[np.float32]) -> list[bytes | None]:
    """Round vectors to int8 codes.

    Args:
        vectors: (n, dim) float32.

    Returns:
        One code of `dim` bytes per row, or None for a row that is zero or not finite and therefore has no direction.
    """
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    usable = np.isfinite(largest) & (largest > 0)
    scale = np.where(usable, largest, 1.0)[:, None]
    codes = np.rint(np.where(usable[:, None], vectors, 0.0) / scale * CODE_MAX).astype(np.int8)
    return [code.tobytes() if good else None for code, good in zip(codes, usable, strict=True)]


def lengths_of(codes: Sequence[bytes]) -> list[float]:
    """Return the Euclidean length of each code; the codes of one call have one width.

    Raises:
        ValueError: They differ in width.
    """
    if not codes:
        return []
    rows = np.frombuffer(b"".join(codes), np.int8).reshape(len(codes), -1).astype(np.int64)
    lengths: list[float] = np.sqrt(np.einsum("ij,ij->i", rows, rows).astype(np.float64)).tolist()
    return lengths


class MatrixSearch:
    """All vectors in memory, compared by one matrix product: exact, and fastest up to some 200,000 chunks.

    Raises:
        IndexDamaged: The stored vectors differ in length.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        ids: list[int] = []
        codes = bytearray()
        for chunk_id, code in connection.execute("SELECT chunk_id, code FROM vectors ORDER BY chunk_id"):
            ids.append(chunk_id)
            codes += code
        width = len(codes) // len(ids) if ids else 1
        if width * len(ids) != len(codes):
            raise IndexDamaged(UNEVEN_LENGTHS)
        exact = np.dtype(np.float32 if width <= _EXACT_IN_FLOAT32 else np.float64)
        rows: NDArray[np.floating[Any]] = np.frombuffer(codes, dtype=np.int8).reshape(-1, width).astype(exact)
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows).astype(np.float64))
        self._ids = np.array(ids, dtype=np.int64)
        self._rows = rows
        self._norms = np.where(norms > 0, norms, 1.0)

    def nearest(self, code: bytes, limit: int, allowed: frozenset[int] | None = None) -> list[tuple[int, float]]:
        """Return (chunk id, cosine) of the nearest chunks, best first, ties by id."""
        if not len(self._ids):
            return []
        scores = self._scores(code, slice(None))
        if allowed is not None:
            permitted = np.fromiter(allowed, dtype=np.int64, count=len(allowed))
            scores[~np.isin(self._ids, permitted)] = -np.inf
        threshold = np.partition(scores, -limit)[-limit] if len(scores) > limit else -np.inf
        kept = np.flatnonzero((scores >= threshold) & np.isfinite(scores))
        order = kept[np.lexsort((self._ids[kept], -scores[kept]))][:limit]
        return [(int(self._ids[i]), float(scores[i])) for i in order]

    def cosines(self, code: bytes, chunk_ids: Iterable[int]) -> dict[int, float]:
        """Return the cosine of every given chunk that has a vector."""
        wanted = np.array(sorted(set(chunk_ids)), dtype=np.int64)
        if not len(wanted) or not len(self._ids):
            return {}
        at = np.searchsorted(self._ids, wanted)
        at[at == len(self._ids)] = 0
        present = self._ids[at] == wanted
        scores = self._scores(code, at[present])
        return dict(zip(wanted[present].tolist(), scores.tolist(), strict=True))

    def _scores(self, code: bytes, rows: slice | NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute cosines: only the final divisions round, however many threads the product used."""
        query = np.frombuffer(code, dtype=np.int8).astype(self._rows.dtype)
        products = (self._rows[rows] @ query).astype(np.float64)
        norm = np.sqrt(float(query @ query)) or 1.0
        scores: NDArray[np.float64] = products / self._norms[rows] / norm
        return scores
