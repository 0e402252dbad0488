"""From ranked passages to ranked files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.retrieval_settings import RollUp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SHARES = (1.0, 0.3, 0.1)
"""What the best, second and third passage of a file add to its score; further ones add nothing (article B)."""


def roll_up(passages: Iterable[tuple[int, float]], files: Mapping[int, str], method: RollUp) -> list[tuple[str, float]]:
    """Rank files by their passages.

    Args:
        passages: (chunk id, score), best first; a score below 0 counts as 0 under `weighted`.
        files: File of every passage.
        method: By the best passage alone, or by the weighted sum of the three best.

    Returns:
        (file, score), best first; ties by the place of the best passage.
    """
    scores: dict[str, list[float]] = {}
    for chunk_id, score in passages:
        scores.setdefault(files[chunk_id], []).append(score)
    if method is RollUp.BEST:
        return [(file, found[0]) for file, found in scores.items()]
    summed = {
        file: sum(share * max(score, 0.0) for share, score in zip(SHARES, found, strict=False))
        for file, found in scores.items()
    }
    return sorted(summed.items(), key=lambda item: -item[1])
