"""Searching an index: parse, ask both legs, fuse, and say how each result came about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from config.retrieval_settings import FusionMethod, RetrievalSettings
from retrieval.answers import Answer, Leg, SearchMode, SearchResult
from retrieval.credentials import redact
from retrieval.errors import RetrievalError
from retrieval.fusion import fuse
from retrieval.query.parsing import parse_query
from retrieval.query.vector_leg import NOTHING_TO_LOOK_FOR, VectorHits, VectorLeg
from retrieval.rollup import roll_up
from retrieval.selection import Passage, select_passages
from retrieval.store import schema
from retrieval.store.connection import open_for_reading, snapshot
from retrieval.store.keyword import search_keywords
from retrieval.store.passage_text import unpack_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType

    import apsw

    from config.retrieval_settings import FusionSettings
    from retrieval.embedding.types import Embedder
    from retrieval.fusion import Candidate
    from retrieval.query.parsing import ParsedQuery

CHARS_PER_TOKEN = 4
"""Characters of a token on average in English; budgets need an estimate, not a model's own count (article A)."""

NOT_ASKED_FOR = "not asked for"
SWITCHED_OFF = "switched off by its weight of 0"

_PASSAGES = """
SELECT c.id, f.path, f.title, c.section, c.first_line, c.last_line, c.text, f.date, f.source
FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id IN (SELECT value FROM json_each(?))
"""

_PATHS = """
SELECT c.id, f.path FROM chunks c JOIN files f ON f.id = c.file_id WHERE c.id IN (SELECT value FROM json_each(?))
"""

_LOOK_AHEAD = 2
"""Passages read for each one shown, for some are copies or crowd a file; reading all costs more than fusing them."""


@dataclass(frozen=True, slots=True)
class LegResults:
    """What the two legs found for one query.

    Attributes:
        keyword: (chunk id, BM25), best first.
        keyword_leg: How the keyword leg went.
        vector: Nearest chunks, cosines, and how the vector leg went.
    """

    keyword: list[tuple[int, float]]
    keyword_leg: Leg
    vector: VectorHits


class Retriever:
    """Answers queries from one index; open one per thread.

    Example:
        >>> with Retriever.open(Path("index.db")) as retriever:  # doctest: +SKIP
        ...     answer = retriever.search("how do I rotate the backup keys")
    """

    def __init__(
        self,
        connection: apsw.Connection,
        settings: RetrievalSettings,
        load_embedder: Callable[[str], Embedder],
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._vector_leg = VectorLeg(connection, settings.embedding.model, load_embedder)
        self._version: object = None
        self._meta: dict[str, str] = {}

    @classmethod
    def open(cls, index_file: Path, settings: RetrievalSettings | None = None) -> Self:
        """Open an index for searching; the embedding model is loaded by the first search that needs it.

        Raises:
            IndexMissing: There is no index, or none that a run has finished.
            IndexDamaged: The file is not a database.
        """
        from retrieval.embedding.loading import load_embedder  # noqa: PLC0415  keyword search never needs it

        connection = open_for_reading(index_file)
        try:
            with snapshot(connection):
                schema.read_finished_meta(connection)
        except RetrievalError:
            connection.close()
            raise
        return cls(connection, settings or RetrievalSettings(), load_embedder)

    def close(self) -> None:
        """Close the index."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: SearchMode = SearchMode.HYBRID,
        max_tokens: int | None = None,
        files: bool = False,
    ) -> Answer:
        """Find the passages that answer a query best.

        Args:
            query: Words, `"phrases"`, `-exclusions`, filters such as `tag:python`; any text is valid.
            limit: Most results.
            mode: Which legs may run; a hybrid search goes on by keywords where there are no vectors.
            max_tokens: Stop before the texts exceed this many estimated tokens; the first result is always there.
            files: Rank files instead of passages; each is shown by its best passage and scored as configured.

        Returns:
            The results, best first, with what each leg did. Same index and query give an equal answer.

        Raises:
            IndexDamaged: The index cannot be read.
            IndexMissing: The index was emptied since it was opened.
        """
        with snapshot(self._connection):
            candidates, legs = self.rank(query, mode=mode)
            results = self._results(candidates, limit, files=files)
        kept = results if max_tokens is None else _within_budget(results, max_tokens)
        return Answer(
            query=query,
            legs=legs,
            index_built=datetime.fromisoformat(self._meta["built"]),
            fusion=self._describe_fusion(legs),
            results=tuple(kept),
            omitted=len(results) - len(kept),
        )

    def rank(
        self, query: str, *, mode: SearchMode = SearchMode.HYBRID, depth: int | None = None
    ) -> tuple[list[Candidate], dict[str, Leg]]:
        """Return every candidate in order, without its text: what `search` shows the top of.

        Args:
            query: See `search`.
            mode: See `search`.
            depth: Results each leg hands to the fusion; None takes the configured number.

        Raises:
            IndexDamaged: The index cannot be read.
            IndexMissing: The index was emptied since it was opened.
        """
        found = self.ask(query, mode=mode, depth=depth)
        fused = fuse(found.keyword, found.vector.nearest, found.vector.cosines, self._settings.fusion)
        return fused, {"keyword": found.keyword_leg, "vector": found.vector.leg}

    def ask(self, query: str, *, mode: SearchMode = SearchMode.HYBRID, depth: int | None = None) -> LegResults:
        """Ask both legs and return what each found, not yet fused: what a fusion is tuned and measured on.

        Args:
            query: See `search`.
            mode: See `search`.
            depth: See `rank`.

        Raises:
            IndexDamaged: The index cannot be read.
            IndexMissing: The index was emptied since it was opened.
        """
        depth = depth or self._settings.fusion.candidates
        parsed = parse_query(query)
        with snapshot(self._connection):
            self._notice_changes()
            keyword, keyword_leg = self._keyword_search(parsed, mode, depth)
            vector = self._vector_search(parsed, mode, depth, [chunk_id for chunk_id, _ in keyword])
        return LegResults(keyword, keyword_leg, vector)

    def chunk_paths(self) -> dict[int, str]:
        """Return the file of every chunk, for rolling passages up to notes."""
        return dict(self._connection.execute("SELECT c.id, f.path FROM chunks c JOIN files f ON f.id = c.file_id"))

    def _notice_changes(self) -> None:
        """Forget cached vectors when another process has committed to the index."""
        version = self._connection.pragma("data_version")
        if version != self._version:
            self._version = version
            self._meta = schema.read_finished_meta(self._connection)
            self._vector_leg.forget_vectors()

    def _keyword_search(self, parsed: ParsedQuery, mode: SearchMode, depth: int) -> tuple[list[tuple[int, float]], Leg]:
        if mode is SearchMode.VECTOR:
            return [], Leg(ran=False, reason=NOT_ASKED_FOR)
        if mode is SearchMode.HYBRID and _is_off(self._settings.fusion, SearchMode.KEYWORD):
            return [], Leg(ran=False, reason=SWITCHED_OFF)
        if not parsed.match:
            return [], Leg(ran=False, reason=NOTHING_TO_LOOK_FOR)
        found, refusal = search_keywords(self._connection, parsed, self._settings.keyword, depth)
        return found, Leg(ran=not refusal, hits=len(found), reason=refusal)

    def _vector_search(self, parsed: ParsedQuery, mode: SearchMode, depth: int, also: Sequence[int]) -> VectorHits:
        if mode is SearchMode.KEYWORD:
            return VectorHits(leg=Leg(ran=False, reason=NOT_ASKED_FOR))
        if mode is SearchMode.HYBRID and _is_off(self._settings.fusion, SearchMode.VECTOR):
            return VectorHits(leg=Leg(ran=False, reason=SWITCHED_OFF))
        return self._vector_leg.search(parsed, self._meta, depth, also)

    def _results(self, candidates: Sequence[Candidate], limit: int, *, files: bool) -> list[SearchResult]:
        ranked = self._best_of_files(candidates) if files else candidates
        rows: dict[int, tuple[object, ...]] = {}
        chosen: dict[int, tuple[str, ...]] = {}
        seen, look_at = 0, limit * _LOOK_AHEAD
        while len(chosen) < limit and seen < len(ranked):
            unread = _json_ids(ranked[seen:look_at])
            rows |= dict(map(_passage_row, self._connection.execute(_PASSAGES, (unread,))))
            seen, look_at = look_at, look_at * _LOOK_AHEAD
            known = ((c.chunk_id, rows[c.chunk_id]) for c in ranked[:seen] if c.chunk_id in rows)
            passages = (Passage(chunk_id, str(row[0]), str(row[5])) for chunk_id, row in known)
            chosen = select_passages(passages, limit=limit, max_per_file=self._settings.max_per_file)
        by_id = {candidate.chunk_id: candidate for candidate in ranked}
        return [_result(by_id[i], rows[i], also_in) for i, also_in in chosen.items()]

    def _best_of_files(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the best passage of every file with the score of the file, best file first."""
        paths = dict(self._connection.execute(_PATHS, (_json_ids(candidates),)))
        known = [candidate for candidate in candidates if candidate.chunk_id in paths]
        best: dict[str, Candidate] = {}
        for candidate in known:
            best.setdefault(paths[candidate.chunk_id], candidate)
        ranked = roll_up(((c.chunk_id, c.score) for c in known), paths, self._settings.rollup)
        return [replace(best[path], score=score) for path, score in ranked]

    def _describe_fusion(self, legs: dict[str, Leg]) -> str:
        fusion = self._settings.fusion
        ran = [name for name, leg in legs.items() if leg.ran]
        if len(ran) < len(legs):
            return f"{ran[0]} leg alone" if ran else "no leg ran"
        if fusion.method is FusionMethod.RRF:
            weights = f"keyword {fusion.rrf_keyword_weight:g}, vector {fusion.rrf_vector_weight:g}"
            return f"reciprocal ranks, k = {fusion.rrf_k:g}, weights {weights}"
        return f"{1 - fusion.vector_share:g} x BM25/max + {fusion.vector_share:g} x cosine/max"


def _is_off(fusion: FusionSettings, leg: SearchMode) -> bool:
    """Tell whether a leg has no weight in the fusion, so that asking it would be in vain."""
    if fusion.method is FusionMethod.RRF:
        return not (fusion.rrf_keyword_weight if leg is SearchMode.KEYWORD else fusion.rrf_vector_weight)
    return fusion.vector_share == (1 if leg is SearchMode.KEYWORD else 0)


def _json_ids(candidates: Sequence[Candidate]) -> str:
    """One JSON parameter instead of one per id: SQLite limits the number of parameters."""
    return "[" + ",".join(str(candidate.chunk_id) for candidate in candidates) + "]"


def _passage_row(row: tuple[Any, ...]) -> tuple[int, tuple[object, ...]]:
    """Give a passage by its id, its text unpacked."""
    chunk_id, path, title, section, first, last, packed, *rest = row
    return chunk_id, (path, title, section, first, last, unpack_text(packed), *rest)


def _result(candidate: Candidate, row: tuple[object, ...], also_in: tuple[str, ...]) -> SearchResult:
    path, title, section, first, last, text, date, source = row
    title, section, text, source = _redacted((str(title), str(section), str(text), str(source)))
    return SearchResult(
        path=str(path),
        title=title,
        section=section,
        lines=(int(str(first)), int(str(last))),
        text=text,
        score=candidate.score,
        keyword_rank=candidate.keyword_rank,
        vector_rank=candidate.vector_rank,
        bm25=candidate.bm25,
        cosine=candidate.cosine,
        date=datetime.fromisoformat(str(date)) if date else None,
        source=source,
        also_in=also_in,
    )


def _redacted(fields: tuple[str, ...]) -> tuple[str, ...]:
    """Redact what was redacted before it was stored: an index may be older than today's patterns.

    One look at all fields together is enough where they hold nothing, as they nearly always do.
    """
    return tuple(redact(field).text for field in fields) if redact("\n".join(fields)).names else fields


def _within_budget(results: Sequence[SearchResult], max_tokens: int) -> list[SearchResult]:
    kept: list[SearchResult] = []
    left = max_tokens * CHARS_PER_TOKEN
    for result in results:
        left -= len(result.text)
        if left < 0 and kept:
            break
        kept.append(result)
    return kept
