"""Measures of a ranked list against judgements. All lie between 0 and 1; higher is better."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


MEASURES = ("ndcg@10", "recall@10", "recall@100", "mrr@10", "hit@1", "hit@3", "hit@10")
"""Names of the measures, as reports and gates use them."""


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one question, or their means over the judged questions of a set."""

    ndcg_at_10: float
    recall_at_10: float
    recall_at_100: float
    mrr_at_10: float
    hit_at_1: float
    hit_at_3: float
    hit_at_10: float

    def by_name(self) -> dict[str, float]:
        """Return the measures under their usual names."""
        values = (
            self.ndcg_at_10,
            self.recall_at_10,
            self.recall_at_100,
            self.mrr_at_10,
            self.hit_at_1,
            self.hit_at_3,
            self.hit_at_10,
        )
        return dict(zip(MEASURES, values, strict=True))

    def as_dict(self) -> dict[str, float]:
        """Return the measures under their usual names, rounded to four digits."""
        return {name: round(value, 4) for name, value in self.by_name().items()}


def measure_question(ranked: Sequence[str], qrels: Mapping[str, int]) -> Measures:
    """Compute every measure for one question.

    Args:
        ranked: Distinct document ids, best first.
        qrels: The grade of every judged document; above 0 is relevant.
    """
    return Measures(
        ndcg_at_10=ndcg(ranked, qrels, 10),
        recall_at_10=recall(ranked, qrels, 10),
        recall_at_100=recall(ranked, qrels, 100),
        mrr_at_10=reciprocal_rank(ranked, qrels, 10),
        hit_at_1=hit(ranked, qrels, 1),
        hit_at_3=hit(ranked, qrels, 3),
        hit_at_10=hit(ranked, qrels, 10),
    )


def average(questions: Sequence[Measures]) -> Measures:
    """Return the mean of every measure over questions; 0 over none."""

    def mean(value: Callable[[Measures], float]) -> float:
        return sum(map(value, questions)) / len(questions) if questions else 0.0

    return Measures(
        ndcg_at_10=mean(lambda m: m.ndcg_at_10),
        recall_at_10=mean(lambda m: m.recall_at_10),
        recall_at_100=mean(lambda m: m.recall_at_100),
        mrr_at_10=mean(lambda m: m.mrr_at_10),
        hit_at_1=mean(lambda m: m.hit_at_1),
        hit_at_3=mean(lambda m: m.hit_at_3),
        hit_at_10=mean(lambda m: m.hit_at_10),
    )


def measure(rankings: Sequence[tuple[Sequence[str], Mapping[str, int]]]) -> Measures:
    """Average every measure over questions.

    Args:
        rankings: Per question what `measure_question` takes; questions without a relevant document are left out.
    """
    return average([measure_question(ranked, qrels) for ranked, qrels in rankings if is_judged(qrels)])


def is_judged(qrels: Mapping[str, int]) -> bool:
    """Tell whether a question has a relevant document; one without says nothing and is left out of means."""
    return any(grade > 0 for grade in qrels.values())


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
