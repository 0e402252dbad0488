"""How well scores agree with readers: the figures of `sluice eval intake`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intake.types import DimensionName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.settings import RoutingSettings
    from intake.types import ScoreCard

WORTH_KEEPING = 2.0
"""Worth, from 0 to 3, from which readers lean to keep."""

WORTH_WRITING = 1.5
"""Worth from which a written note counts as right: one of two readers would have kept it."""

WORTH_CERTAIN = 2.5
"""Worth from which a dropped signal is a loss."""

WORTH_A_DOMAIN = 1.0
"""Worth below which nobody minds which domain a signal was given."""

NO_DOMAIN = "none"
"""The readers' word for a signal that belongs nowhere."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What readers said about a signal; every number from 0 to 3.

    Attributes:
        worth: Whether to keep it: 3 surely, 2 rather, 1 rather not, 0 surely not.
        relevance: Nearness to the interests.
        actionability: Whether something can be done with it.
        depth: How much the text explains.
        authority: How far the source can be trusted.
        domains: Every domain that counts as right; more than one where readers differed.
    """

    worth: float
    relevance: float
    actionability: float
    depth: float
    authority: float
    domains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IntakeEvaluation:
    """Agreement between scores and readers; None where there was nothing to measure.

    Attributes:
        signals: Signals compared.
        auc: Chance that a signal worth keeping has a higher composite than one that is not.
        average_precision: Mean precision at the ranks of the signals worth keeping.
        written: Signals at or above the keep threshold.
        written_precision: Share of them that were right to write.
        queued: Signals that would wait for review.
        dropped: Signals below the review threshold.
        top_lost: Dropped signals that were surely to be kept.
        domain_accuracy: Share of right best domains where a domain matters.
        spearman: Rank correlation per dimension.
    """

    signals: int
    auc: float | None
    average_precision: float | None
    written: int
    written_precision: float | None
    queued: int
    dropped: int
    top_lost: int
    domain_accuracy: float | None
    spearman: dict[str, float | None]

    def as_dict(self) -> dict[str, object]:
        """Return the figures as plain values for JSON."""
        return {
            "signals": self.signals,
            "auc": self.auc,
            "average_precision": self.average_precision,
            "written": {"n": self.written, "precision": self.written_precision},
            "queued": {"n": self.queued},
            "dropped": {"n": self.dropped, "top_lost": self.top_lost},
            "domain_accuracy": self.domain_accuracy,
            "spearman": dict(self.spearman),
        }


def evaluate_intake(pairs: Sequence[tuple[ScoreCard, Labels]], thresholds: RoutingSettings) -> IntakeEvaluation:
    """Compare score cards with readers' labels.

    Args:
        pairs: One card and its labels per signal, in any order.
        thresholds: Composite scores from which a signal is written or queued.
    """
    composites = [card.composite for card, _ in pairs]
    worth = [labels.worth for _, labels in pairs]
    kept = [value >= WORTH_KEEPING for value in worth]
    written = [w for c, w in zip(composites, worth, strict=True) if c >= thresholds.keep_threshold]
    dropped = [w for c, w in zip(composites, worth, strict=True) if c < thresholds.review_threshold]
    return IntakeEvaluation(
        signals=len(pairs),
        auc=area_under_curve(composites, kept),
        average_precision=average_precision(composites, kept),
        written=len(written),
        written_precision=_share([value >= WORTH_WRITING for value in written]),
        queued=len(pairs) - len(written) - len(dropped),
        dropped=len(dropped),
        top_lost=sum(value >= WORTH_CERTAIN for value in dropped),
        domain_accuracy=_share(_domain_hits(pairs)),
        spearman={
            name.value: rank_correlation(
                [card.dimension(name).value for card, _ in pairs],
                [float(getattr(labels, name.value)) for _, labels in pairs],
            )
            for name in DimensionName
        },
    )


def area_under_curve(scores: Sequence[float], positive: Sequence[bool]) -> float | None:
    """Compute the area under the ROC curve.

    Args:
        scores: One per item.
        positive: Whether the item belongs to the class that should score high.

    Returns:
        The chance that a positive item scores higher than a negative one, ties counting one half, or None where
        one of the classes is empty.

    Source:
        Mann and Whitney 1947, U divided by the number of pairs.
    """
    positives = sum(positive)
    negatives = len(positive) - positives
    if not positives or not negatives:
        return None
    rank_sum = math.fsum(rank for rank, is_positive in zip(average_ranks(scores), positive, strict=True) if is_positive)
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def average_precision(scores: Sequence[float], positive: Sequence[bool]) -> float | None:
    """Compute average precision, the area under the precision-recall curve in steps.

    Items with equal scores form one step, so that their order does not matter.

    Args:
        scores: One per item.
        positive: Whether the item belongs to the class that should score high.

    Returns:
        From 0 to 1, or None where nothing is positive.
    """
    total = sum(positive)
    if not total:
        return None
    by_score: dict[float, list[bool]] = {}
    for score, is_positive in zip(scores, positive, strict=True):
        by_score.setdefault(score, []).append(is_positive)
    area, seen, found = 0.0, 0, 0
    for score in sorted(by_score, reverse=True):
        hits = sum(by_score[score])
        seen += len(by_score[score])
        found += hits
        area += hits / total * found / seen
    return area


def rank_correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Compute Spearman's rank correlation with average ranks for ties.

    Args:
        left: One value per item.
        right: The other value of the same items.

    Returns:
        From -1 to 1, or None where one side has fewer than two different values.

    Source:
        Spearman 1904; with ties, Pearson's correlation of the average ranks.
    """
    ranks_left, ranks_right = average_ranks(left), average_ranks(right)
    if len(set(left)) < 2 or len(set(right)) < 2:  # noqa: PLR2004  a constant has no correlation
        return None
    mean = (len(ranks_left) + 1) / 2
    covariance = math.fsum((a - mean) * (b - mean) for a, b in zip(ranks_left, ranks_right, strict=True))
    spread = math.fsum((a - mean) ** 2 for a in ranks_left) * math.fsum((b - mean) ** 2 for b in ranks_right)
    return covariance / math.sqrt(spread)


def average_ranks(values: Sequence[float]) -> list[float]:
    """Rank values from 1 upwards; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for position in order[start:end]:
            ranks[position] = (start + 1 + end) / 2
        start = end
    return ranks


def _domain_hits(pairs: Sequence[tuple[ScoreCard, Labels]]) -> list[bool]:
    return [
        bool(card.domains) and card.domains[0].name in labels.domains
        for card, labels in pairs
        if labels.worth >= WORTH_A_DOMAIN and set(labels.domains) - {NO_DOMAIN}
    ]


def _share(outcomes: Sequence[bool]) -> float | None:
    return sum(outcomes) / len(outcomes) if outcomes else None
