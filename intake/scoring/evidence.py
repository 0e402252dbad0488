"""Turning reasons into a dimension whose value is exactly their sum."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from intake.types import Dimension, Evidence

if TYPE_CHECKING:
    from collections.abc import Iterable

DECIMALS = 4
"""Digits an amount is rounded to; finer differences mean nothing to a person."""

MAX_ROWS = 12
"""Rows shown one by one; the weaker ones are added up in one row."""


def build_dimension(rows: Iterable[tuple[str, float]]) -> Dimension:
    """Add up reasons and keep the value between 0 and 1.

    Args:
        rows: Label and amount of each reason; amounts that round to 0 are left out.

    Returns:
        Reasons sorted by strength. What a limit took away or filled up is a reason of its own.
    """
    evidence = [Evidence(label, round(amount, DECIMALS)) for label, amount in rows]
    evidence = sorted(filter(lambda row: row.amount, evidence), key=lambda row: (-abs(row.amount), row.label))
    weaker = evidence[MAX_ROWS:]
    if weaker:
        rest = round(math.fsum(row.amount for row in weaker), DECIMALS)
        evidence = [*evidence[:MAX_ROWS], Evidence(f"{len(weaker)} weaker reasons", rest)]
    total = math.fsum(row.amount for row in evidence)
    if total > 1.0:
        evidence.append(Evidence("no more than 1 is possible", round(1.0 - total, DECIMALS)))
    elif total < 0.0:
        evidence.append(Evidence("no less than 0 is possible", round(-total, DECIMALS)))
    evidence.sort(key=lambda row: (-abs(row.amount), row.label))
    return Dimension(round(min(1.0, max(0.0, total)), DECIMALS), tuple(evidence))


def saturate(amount: float, half: float) -> float:
    """Map an amount to [0, 1): 0 gives 0, `half` gives one half, more approaches 1.

    Args:
        amount: Not negative.
        half: Positive.
    """
    return amount / (amount + half)


def count_label(count: int, singular: str, plural: str | None = None) -> str:
    """Write a count as people do: `1 heading`, `2,140 words`."""
    noun = singular if count == 1 else plural or f"{singular}s"
    return f"{count:,} {noun}"
