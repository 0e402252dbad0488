"""How far a mean over few questions can be trusted, and whether one system beats another on the same questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RESAMPLES = 1000
"""Bootstrap resamples: the ends of an interval then vary by about a fiftieth of its width (Efron, Tibshirani 1993)."""

RANDOMIZATIONS = 10_000
"""Random sign flips of the test: a p-value of .05 is then known to within .002 (its standard error)."""

CONFIDENCE = 0.95

_SEED = 20_250_601
"""Fixed, so that the same figures give the same interval. Any number will do."""

_AT_ONCE = 500
"""Resamples drawn at a time, so that large sets stay within a few megabytes."""

_ROUNDED_TO = 4
"""Digits of a figure in reports."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval of a mean."""

    low: float
    high: float

    def as_list(self) -> list[float]:
        """Return both ends, rounded to four digits."""
        return [round(self.low, _ROUNDED_TO), round(self.high, _ROUNDED_TO)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same questions.

    Attributes:
        measure: What was measured.
        leg: On which leg.
        first: Mean of the first system.
        second: Mean of the second.
        difference: Mean of second minus first over the questions.
        interval: Paired bootstrap interval of the difference.
        p_value: Two-sided, of a paired randomisation test.
        wins: Questions on which the second is better.
        losses: Questions on which the first is better.
        ties: Questions on which they are equal.
    """

    measure: str
    leg: str
    first: float
    second: float
    difference: float
    interval: Interval
    p_value: float
    wins: int
    losses: int
    ties: int

    @property
    def sentence(self) -> str:
        """Say in one plain sentence what the figures mean."""
        if not self.wins and not self.losses:
            return f"the two do not differ on any question by {self.leg} {self.measure}"
        low, high = self.interval.low, self.interval.high
        bounds = f"the interval [{_short(low)}, {_short(high)}]"
        if low > 0 or high < 0:
            better = "better" if self.difference > 0 else "worse"
            return f"the second is {better} by {_short(abs(self.difference))}; {bounds} excludes 0"
        return f"the difference of {_short(self.difference)} may be chance; {bounds} contains 0"

    def as_dict(self) -> dict[str, object]:
        """Return the comparison as `sluice eval --json` prints it."""
        return {
            "leg": self.leg,
            "measure": self.measure,
            "first": round(self.first, _ROUNDED_TO),
            "second": round(self.second, _ROUNDED_TO),
            "difference": round(self.difference, _ROUNDED_TO),
            "interval": self.interval.as_list(),
            "p_value": round(self.p_value, _ROUNDED_TO),
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "sentence": self.sentence,
        }


def bootstrap_interval(values: Sequence[float], *, resamples: int = RESAMPLES) -> Interval:
    """Compute the 95 % percentile bootstrap interval of a mean.

    Args:
        values: One per question; without any the interval is [0, 0].
        resamples: How often the questions are drawn anew, with replacement.

    Source: Efron, Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13; for retrieval: Sakai, SIGIR 2006.
    """
    if not values:
        return Interval(0.0, 0.0)
    scores = np.asarray(values, np.float64)
    chance = np.random.default_rng(_SEED)
    means = np.concatenate(
        [
            scores[chance.integers(0, len(scores), (min(_AT_ONCE, resamples - done), len(scores)))].mean(axis=1)
            for done in range(0, resamples, _AT_ONCE)
        ]
    )
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high))


def compare_paired(first: Sequence[float], second: Sequence[float], *, leg: str, measure: str) -> Comparison:
    """Compare two systems question by question.

    Args:
        first: Scores of the first system, one per question.
        second: Scores of the second, in the same order.
        leg: Which leg was scored.
        measure: By which measure.

    Raises:
        ValueError: The two are not of equal length.
    """
    differences = [b - a for a, b in zip(first, second, strict=True)]
    count = max(len(differences), 1)
    wins = sum(d > 0 for d in differences)
    losses = sum(d < 0 for d in differences)
    return Comparison(
        measure=measure,
        leg=leg,
        first=sum(first) / count,
        second=sum(second) / count,
        difference=sum(differences) / count,
        interval=bootstrap_interval(differences),
        p_value=randomization_test(differences),
        wins=wins,
        losses=losses,
        ties=len(differences) - wins - losses,
    )


def randomization_test(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of a paired randomisation test on the mean difference.

    If both systems were the same, each difference could as well have had the other sign; the p-value is the share of
    random signs that give a sum at least as far from 0. The observed one counts among them, so it is never 0.

    Args:
        differences: One per question, paired; without any the p-value is 1.

    Source: Smucker, Allan, Carterette: A Comparison of Statistical Significance Tests for Information Retrieval
        Evaluation, CIKM 2007.
    """
    changed: NDArray[np.float64] = np.asarray([d for d in differences if d], np.float64)
    if not changed.size:
        return 1.0
    # Sums in another order differ in their last digits; those must not count as further from 0.
    observed = abs(float(changed.sum())) * (1 - 1e-9)
    chance = np.random.default_rng(_SEED)
    extreme = 0
    for done in range(0, RANDOMIZATIONS, _AT_ONCE):
        shape = (min(_AT_ONCE, RANDOMIZATIONS - done), len(changed))
        signs = chance.integers(0, 2, shape, dtype=np.int8) * 2 - 1
        extreme += int(np.count_nonzero(np.abs(signs @ changed) >= observed))
    return (extreme + 1) / (RANDOMIZATIONS + 1)


def _short(value: float) -> str:
    """Write a share with three digits and no leading zero, as tables of measures do."""
    text = f"{value:.3f}".replace("-0.", "-.")
    return text.removeprefix("0") if text.startswith("0.") else text
