"""When a changed weight may be accepted: article B's three conditions.

Source: the second of the two articles the product goes back to: a change counts only if the weighted mean reciprocal
    rank rises by 0.01 or more, no set loses more than 0.01, and no question loses its first place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAST_RISE = 0.01
"""What the weighted mean reciprocal rank must gain over all questions."""

MOST_SET_LOSS = 0.01
"""What it may lose within one set."""

_ROUNDING = 1e-9
"""So that a rise of exactly 0.01 is not refused for the last digit of a sum."""


class Refusal(StrEnum):
    """Why a change is not accepted."""

    RISE = "the weighted mean reciprocal rank rises by less than 0.01"
    SET = "a set loses more than 0.01"
    FIRST_PLACE = "a question loses its first place"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one question came out.

    Attributes:
        set: Name of its set.
        weight: What it counts.
        rank: Rank of the first wanted file from 1, or None where it is not among the first ten.
    """

    set: str
    weight: float
    rank: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard says about a change.

    Attributes:
        rise: By how much the weighted mean reciprocal rank changes.
        refusals: Every condition that is not met; empty where the change is accepted.
    """

    rise: float
    refusals: tuple[Refusal, ...]

    @property
    def accepted(self) -> bool:
        """Whether every condition is met."""
        return not self.refusals


def judge_change(before: Sequence[Outcome], after: Sequence[Outcome]) -> Verdict:
    """Hold a change against the three conditions.

    Args:
        before: Outcomes as things are, one per question.
        after: Outcomes with the change, in the same order.
    """
    rise = weighted_mrr(after) - weighted_mrr(before)
    sets = dict.fromkeys(outcome.set for outcome in before)
    worst = max((weighted_mrr(_of(before, name)) - weighted_mrr(_of(after, name)) for name in sets), default=0.0)
    lost_first = any(old.rank == 1 != new.rank for old, new in zip(before, after, strict=True))
    conditions = (
        (Refusal.RISE, rise < LEAST_RISE - _ROUNDING),
        (Refusal.SET, worst > MOST_SET_LOSS + _ROUNDING),
        (Refusal.FIRST_PLACE, lost_first),
    )
    return Verdict(rise, tuple(refusal for refusal, broken in conditions if broken))


def weighted_mrr(outcomes: Iterable[Outcome]) -> float:
    """Return the mean of 1 / rank by weight; 0 over no question."""
    total = gained = 0.0
    for outcome in outcomes:
        total += outcome.weight
        gained += outcome.weight / outcome.rank if outcome.rank else 0.0
    return gained / total if total else 0.0


def _of(outcomes: Sequence[Outcome], name: str) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.set == name]
