"""One list out of two: reciprocal ranks, or a convex combination of scores."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from config.retrieval_settings import FusionMethod

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from config.retrieval_settings import FusionSettings


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that at least one leg returned.

    Attributes:
        chunk_id: Row of the chunk.
        score: Fused score.
        keyword_rank: Rank in the keyword leg from 1, or None.
        vector_rank: Rank in the vector leg from 1, or None.
        bm25: Score of the keyword leg, or None.
        cosine: Cosine to the query, or None where there is no vector.
    """

    chunk_id: int
    score: float
    keyword_rank: int | None
    vector_rank: int | None
    bm25: float | None
    cosine: float | None


def fuse(
    keyword: Sequence[tuple[int, float]],
    vector: Sequence[tuple[int, float]],
    cosines: Mapping[int, float],
    settings: FusionSettings,
) -> list[Candidate]:
    """Fuse two ranked lists by the configured method; an empty leg leaves the other in its order.

    Args:
        keyword: (chunk id, BM25), best first.
        vector: (chunk id, cosine), best first.
        cosines: Cosine of every chunk of either list that has a vector.
        settings: Method and weights.

    Returns:
        Every chunk of a leg whose weight is not 0, best first, ties by the better rank, then by chunk id.
    """
    keyword_ranks = {chunk_id: rank for rank, (chunk_id, _) in enumerate(keyword, 1)}
    vector_ranks = {chunk_id: rank for rank, (chunk_id, _) in enumerate(vector, 1)}
    bm25 = dict(keyword)
    if settings.method is FusionMethod.RRF:
        weighted = (
            (keyword_ranks, settings.rrf_keyword_weight if vector else 1.0),
            (vector_ranks, settings.rrf_vector_weight if keyword else 1.0),
        )
        scores = reciprocal_rank_scores(weighted, settings.rrf_k)
    else:
        share = settings.vector_share if keyword and vector else float(bool(vector))
        scores = convex_scores(bm25 if share < 1 else {}, cosines if share > 0 else {}, share)

    def place(chunk_id: int) -> tuple[float, float, int]:
        best_rank = min(keyword_ranks.get(chunk_id, inf), vector_ranks.get(chunk_id, inf))
        return -scores[chunk_id], best_rank, chunk_id

    return [
        Candidate(i, scores[i], keyword_ranks.get(i), vector_ranks.get(i), bm25.get(i), cosines.get(i))
        for i in sorted(scores, key=place)
    ]


def reciprocal_rank_scores(rankings: Sequence[tuple[Mapping[int, int], float]], k: float) -> dict[int, float]:
    """Sum weight / (k + rank) over the rankings.

    Args:
        rankings: Per leg, the rank from 1 of each chunk, and the leg's weight; a weight of 0 switches a leg off.
        k: Usually 60.

    Source: Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
        Methods, SIGIR 2009.
    """
    scores: dict[int, float] = {}
    for ranks, weight in rankings:
        if weight:
            for chunk_id, rank in ranks.items():
                scores[chunk_id] = scores.get(chunk_id, 0.0) + weight / (k + rank)
    return scores


def convex_scores(bm25: Mapping[int, float], cosines: Mapping[int, float], vector_share: float) -> dict[int, float]:
    """Combine (1 - a) * bm25 / max(bm25) + a * cosine / max(cosine).

    A chunk that the keyword leg did not return has BM25 0; one that the vector leg did not return has its true cosine,
    which is why ranks lose what scores keep: how sure a leg is.

    Args:
        bm25: Positive scores of the keyword leg.
        cosines: Cosines of the chunks of either leg; negative ones count as 0.
        vector_share: a, from 0 to 1.

    Source: Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, ACM TOIS 42 (1), 2023.
    """
    top_bm25 = max(bm25.values(), default=0.0) or 1.0
    top_cosine = max(cosines.values(), default=0.0)
    scale = vector_share / top_cosine if top_cosine > 0 else 0.0
    keyword_part = {chunk_id: (1 - vector_share) * score / top_bm25 for chunk_id, score in bm25.items()}
    vector_part = {chunk_id: scale * max(cosine, 0.0) for chunk_id, cosine in cosines.items()}
    return {
        chunk_id: keyword_part.get(chunk_id, 0.0) + vector_part.get(chunk_id, 0.0)
        for chunk_id in keyword_part | vector_part
    }
