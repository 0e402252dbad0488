"""Measures of a ranked list against judgements. All lie between 0 and 1; higher is better."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Measures:
    """Means over the judged questions of a set."""

    ndcg_at_10: float
    recall_at_10: float
    recall_at_100: float
    mrr_at_10: float
    hit_at_1: float
    hit_at_3: float
    hit_at_10: float

    def as_dict(self) -> dict[str, float]:
        """Return the measures under their usual names, rounded to four digits."""
        values = {
            "ndcg@10": self.ndcg_at_10,
            "recall@10": self.recall_at_10,
            "recall@100": self.recall_at_100,
            "mrr@10": self.mrr_at_10,
            "hit@1": self.hit_at_1,
            "hit@3": self.hit_at_3,
            "hit@10": self.hit_at_10,
        }
        return {name: round(value, 4) for name, value in values.items()}


def measure(rankings: Sequence[tuple[Sequence[str], Mapping[str, int]]]) -> Measures:
    """Average every measure over questions.

    Args:
        rankings: Per question, distinct document ids, best first, and the grade of every judged document (above
            0: relevant). Questions without a relevant document say nothing and are left out.
    """
    judged = [(ranked, qrels) for ranked, qrels in rankings if any(grade > 0 for grade in qrels.values())]

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    return Measures(
        ndcg_at_10=mean([ndcg(ranked, qrels, 10) for ranked, qrels in judged]),
        recall_at_10=mean([recall(ranked, qrels, 10) for ranked, qrels in judged]),
        recall_at_100=mean([recall(ranked, qrels, 100) for ranked, qrels in judged]),
        mrr_at_10=mean([reciprocal_rank(ranked, qrels, 10) for ranked, qrels in judged]),
        hit_at_1=mean([hit(ranked, qrels, 1) for ranked, qrels in judged]),
        hit_at_3=mean([hit(ranked, qrels, 3) for ranked, qrels in judged]),
        hit_at_10=mean([hit(ranked, qrels, 10) for ranked, qrels in judged]),
    )


def ndcg(ranked: Sequence[str], qrels: Mapping[str, int], k: int) -> float:
    """Compute normalised discounted cumulative gain with linear gain; a grade below 0 gains nothing.

    Source: Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, ACM TOIS 20 (4), 2002; gain and
        discount as in trec_eval's ndcg_cut.
    """
    gained = sum(max(qrels.get(doc, 0), 0) / log2(rank + 1) for rank, doc in enumerate(ranked[:k], 1))
    best = sorted((grade for grade in qrels.values() if grade > 0), reverse=True)[:k]
    ideal = sum(grade / log2(rank + 1) for rank, grade in enumerate(best, 1))
    return gained / ideal if ideal else 0.0


def recall(ranked: Sequence[str], qrels: Mapping[str, int], k: int) -> float:
    """Compute the share of relevant documents among the first k."""
    relevant = {doc for doc, grade in qrels.items() if grade > 0}
    return len(relevant.intersection(ranked[:k])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], qrels: Mapping[str, int], k: int) -> float:
    """Compute 1 / rank of the first relevant document, 0 beyond k."""
    return next((1 / rank for rank, doc in enumerate(ranked[:k], 1) if qrels.get(doc, 0) > 0), 0.0)


def hit(ranked: Sequence[str], qrels: Mapping[str, int], k: int) -> float:
    """Tell whether a relevant document is among the first k (1.0 or 0.0)."""
    return float(any(qrels.get(doc, 0) > 0 for doc in ranked[:k]))
