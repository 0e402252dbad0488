"""The vector leg of a search: embed the query, find the nearest passages, or say why that cannot be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from retrieval.errors import ModelUnavailable
from retrieval.store.filtering import ids_passing
from retrieval.store.keyword import ids_matching
from retrieval.types import Leg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import apsw

    from retrieval.embedding.types import Embedder
    from retrieval.query.parsing import ParsedQuery
    from retrieval.store.vectors import VectorSearch


NOTHING_TO_LOOK_FOR = "the query holds no word to look for"
"""Why a leg did not run for an empty query, or one of exclusions alone."""


@dataclass(frozen=True, slots=True)
class VectorHits:
    """What the vector leg found.

    Attributes:
        nearest: (chunk id, cosine), best first.
        cosines: Cosine of every chunk in `nearest` and of every chunk that was asked about.
        leg: How it went.
    """

    nearest: list[tuple[int, float]] = field(default_factory=list)
    cosines: dict[int, float] = field(default_factory=dict)
    leg: Leg = field(default_factory=lambda: Leg(ran=False))


class VectorLeg:
    """Vectors of one index and the model that made them, both loaded by the first query that needs them."""

    def __init__(self, connection: apsw.Connection, model: str, load_embedder: Callable[[str], Embedder]) -> None:
        self._connection = connection
        self._model = model
        self._load_embedder = load_embedder
        self._embedder: Embedder | None = None
        self._load_failure = ""
        self._vectors: VectorSearch | None = None

    def forget_vectors(self) -> None:
        """Read the vectors again at the next query, for the index has changed."""
        self._vectors = None

    def search(self, parsed: ParsedQuery, fingerprint: str, limit: int, also: Iterable[int]) -> VectorHits:
        """Find the nearest passages.

        Args:
            parsed: The query; its required phrases, exclusions and filters hold here as in the keyword leg.
            fingerprint: Fingerprint of the index; vectors of another model are never compared.
            limit: Most results.
            also: Chunks whose cosine is wanted whether or not they are among the nearest.
        """
        if not (parsed.terms or parsed.required):
            return VectorHits(leg=Leg(ran=False, reason=NOTHING_TO_LOOK_FOR))
        embedder, reason = self._usable_embedder(fingerprint)
        if embedder is None:
            return VectorHits(leg=Leg(ran=False, reason=reason))
        from retrieval.store.vectors import MatrixSearch, encode_vectors  # noqa: PLC0415  imports numpy

        code = encode_vectors(embedder.embed_query(parsed.text)[None, :])[0]
        if code is None:
            return VectorHits(leg=Leg(ran=False, reason="the model knows no word of the query"))
        if self._vectors is None:
            self._vectors = MatrixSearch(self._connection)
        nearest = self._vectors.nearest(code, limit, self._allowed(parsed))
        cosines = self._vectors.cosines(code, also) | dict(nearest)
        return VectorHits(nearest, cosines, Leg(ran=True, hits=len(nearest)))

    def _usable_embedder(self, fingerprint: str) -> tuple[Embedder | None, str]:
        if fingerprint.endswith("model none"):
            return None, "the index was built without vectors"
        if self._embedder is None and not self._load_failure:
            try:
                self._embedder = self._load_embedder(self._model)
            except ModelUnavailable as err:
                self._load_failure = str(err)
        if self._embedder is None:
            return None, self._load_failure
        if not fingerprint.endswith(f"model {self._embedder.fingerprint}"):
            return None, "the index was built with another model; bring it up to date with: sluice index"
        return self._embedder, ""

    def _allowed(self, parsed: ParsedQuery) -> frozenset[int] | None:
        """Return the chunks that satisfy phrases, filters and exclusions, or None where the query has none of them."""
        if not (parsed.required_match or parsed.excluded_match or parsed.filters):
            return None
        # Without filters, every chunk passes.
        allowed = ids_passing(self._connection, parsed.filters)
        if parsed.required_match:
            allowed &= ids_matching(self._connection, parsed.required_match)
        return allowed - ids_matching(self._connection, parsed.excluded_match)
