"""The vector leg of a search: embed the query, find the nearest passages, or say why that cannot be done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from retrieval.answers import Leg
from retrieval.embedding.loading import fingerprint_of
from retrieval.errors import ModelUnavailable
from retrieval.store.connection import load_vector_functions
from retrieval.store.filtering import ids_passing
from retrieval.store.keyword import ids_matching
from retrieval.store.scan_search import ScanSearch
from retrieval.store.token_table import query_encoder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import apsw

    from retrieval.embedding.types import Embedder
    from retrieval.query.parsing import ParsedQuery
    from retrieval.store.vector_search import VectorSearch


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
    """Vectors of one index and the model that made them, both loaded only where a query cannot be answered without.

    The first query after a change of the index looks at every vector inside SQLite, which spares a process that asks
    once the imports and the loading; with the second, all vectors are loaded. Both ways return the same.
    """

    def __init__(self, connection: apsw.Connection, model: str, load_embedder: Callable[[str], Embedder]) -> None:
        self._connection = connection
        self._model = model
        self._load_embedder = load_embedder
        self._embedder: Embedder | None = None
        self._load_failure = ""
        self._model_fingerprint = ""
        self._vectors: VectorSearch | None = None
        self._scanned = False

    def forget_vectors(self) -> None:
        """Read the vectors again at the next query, for the index has changed."""
        self._vectors = None
        self._scanned = False

    def search(self, parsed: ParsedQuery, meta: Mapping[str, str], limit: int, also: Iterable[int]) -> VectorHits:
        """Find the nearest passages.

        Args:
            parsed: The query; its required phrases, exclusions and filters hold here as in the keyword leg.
            meta: The meta table of the index; vectors of another model are never compared.
            limit: Most results.
            also: Chunks whose cosine is wanted whether or not they are among the nearest.
        """
        if not (parsed.terms or parsed.required):
            return VectorHits(leg=Leg(ran=False, reason=NOTHING_TO_LOOK_FOR))
        try:
            code, reason = self._code_of(parsed.text, meta)
        except ModelUnavailable as err:
            self._load_failure = str(err)
            code, reason = None, self._load_failure
        if code is None:
            return VectorHits(leg=Leg(ran=False, reason=reason))
        vectors = self._usable_vectors()
        nearest = vectors.nearest(code, limit, self._allowed(parsed))
        cosines = vectors.cosines(code, also) | dict(nearest)
        return VectorHits(nearest, cosines, Leg(ran=True, hits=len(nearest)))

    def _usable_vectors(self) -> VectorSearch:
        if self._vectors is None and not self._scanned:
            self._scanned = True
            if not load_vector_functions(self._connection):
                return ScanSearch(self._connection)
        if self._vectors is None:
            from retrieval.store.matrix_search import MatrixSearch  # noqa: PLC0415  imports numpy

            self._vectors = MatrixSearch(self._connection)
        return self._vectors

    def _code_of(self, text: str, meta: Mapping[str, str]) -> tuple[bytes | None, str]:
        """Embed a query; without a result, say why.

        Raises:
            ModelUnavailable: The model cannot be loaded.
        """
        of_index = meta["fingerprint"]
        if of_index.endswith("model none"):
            return None, "the index was built without vectors"
        if self._load_failure:
            return None, self._load_failure
        encoder = query_encoder(self._connection, meta)
        if encoder is not None and not encoder.understands(text):
            encoder = None
        if not of_index.endswith(f"model {self._fingerprint(loaded=encoder is None)}"):
            return None, "the index was built with another model; bring it up to date with: sluice index"
        code = self._embed(text) if encoder is None else encoder.encode(text)
        return code, "" if code else "the model knows no word of the query"

    def _fingerprint(self, *, loaded: bool) -> str:
        if loaded and self._embedder is None:
            self._embedder = self._load_embedder(self._model)
        if self._embedder is not None:
            return self._embedder.fingerprint
        if not self._model_fingerprint:
            self._model_fingerprint = fingerprint_of(self._model)
        return self._model_fingerprint

    def _embed(self, text: str) -> bytes | None:
        from retrieval.store.matrix_search import encode_vectors  # noqa: PLC0415  imports numpy

        assert self._embedder is not None
        return encode_vectors(self._embedder.embed_query(text)[None, :])[0]

    def _allowed(self, parsed: ParsedQuery) -> frozenset[int] | None:
        """Return the chunks that satisfy phrases, filters and exclusions, or None where the query has none of them."""
        if not (parsed.required_match or parsed.excluded_match or parsed.filters):
            return None
        # Without filters, every chunk passes.
        allowed = ids_passing(self._connection, parsed.filters)
        if parsed.required_match:
            allowed &= ids_matching(self._connection, parsed.required_match)
        return allowed - ids_matching(self._connection, parsed.excluded_match)
