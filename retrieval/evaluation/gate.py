"""A regression gate: figures below which a run counts as failed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import NothingToMeasure
from retrieval.evaluation.metrics import MEASURES
from retrieval.evaluation.ranking import HYBRID, LEGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from retrieval.evaluation.metrics import Measures


@dataclass(frozen=True, slots=True)
class Minimum:
    """What a leg has to reach.

    Attributes:
        leg: Name of the leg.
        measure: Name of the measure.
        value: The least value that passes, from 0 to 1.
    """

    leg: str
    measure: str
    value: float

    def shortfall(self, legs: Mapping[str, Measures]) -> str:
        """Say how a run misses it, or return an empty string where it passes.

        The figure is compared as reports print it, rounded to four digits, so that a printed figure can be a minimum.

        Args:
            legs: Means by leg.
        """
        if self.leg not in legs:
            return f"{self.leg} was not measured; {self.measure} must be at least {self.value:g}"
        found = legs[self.leg].as_dict()[self.measure]
        if found >= self.value:
            return ""
        return f"{self.leg} {self.measure} is {found:.4f}, below the minimum of {self.value:g}"


def parse_minimum(text: str) -> Minimum:
    """Read `hybrid.ndcg@10=0.6`; without a leg the hybrid is meant.

    Raises:
        NothingToMeasure: There is no such leg or measure, or the value is not from 0 to 1.
    """
    name, _, number = text.partition("=")
    leg, dot, measure = name.strip().rpartition(".")
    leg = leg if dot else HYBRID
    if leg not in LEGS:
        raise NothingToMeasure(f"{text!r}: there is no leg {leg!r}; known are {', '.join(LEGS)}")
    if measure not in MEASURES:
        raise NothingToMeasure(f"{text!r}: there is no measure {measure!r}; known are {', '.join(MEASURES)}")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise NothingToMeasure(f"{text!r}: write a value from 0 to 1 after the =, as in hybrid.ndcg@10=0.6")
    return Minimum(leg, measure, value)
