"""What each leg and each fusion would have shown for a question, as ranked files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from config.retrieval_settings import FusionMethod
from retrieval.evaluation.metrics import is_judged, measure_question
from retrieval.fusion import fuse
from retrieval.rollup import roll_up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from config.retrieval_settings import FusionSettings, RetrievalSettings
    from retrieval.evaluation.metrics import Measures
    from retrieval.retriever import LegResults, Retriever

DEPTH = 100
"""Files ranked per question: what Recall@100 needs."""

CHUNK_DEPTH = 300
"""Passages each leg returns, so that 100 files are left after several passages of one became one."""

HYBRID = "hybrid"
LEGS = ("keyword", "vector", HYBRID, *(f"{HYBRID}_{method}" for method in FusionMethod))
"""Names of everything that may be measured; of the last two, the one that was not chosen."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that can be judged.

    Attributes:
        text: What is asked.
        judge: Returns the grade of files, given the files that were found, best first.
    """

    text: str
    judge: Callable[[Sequence[str]], Mapping[str, int]]


def score_questions(
    retriever: Retriever, settings: RetrievalSettings, questions: Iterable[Question], files: Mapping[int, str]
) -> dict[str, tuple[Measures, ...]]:
    """Measure every question by every leg.

    Args:
        retriever: Asks both legs, so its own fusion must switch neither off.
        settings: Fusion and roll-up to measure.
        questions: Those without a relevant file are left out.
        files: What to call the file of every passage.

    Returns:
        By name of leg, one entry per question; the keyword leg alone where the vector leg never ran.
    """
    scores: dict[str, list[Measures]] = {}
    vectors = False
    for question in questions:
        found = retriever.ask(question.text, depth=CHUNK_DEPTH)
        vectors = vectors or found.vector.leg.ran
        for name, passages in _passages_by_leg(found, settings.fusion):
            ranked = rank_files(passages, files, settings)
            qrels = question.judge(ranked)
            if is_judged(qrels):
                scores.setdefault(name, []).append(measure_question(ranked, qrels))
    return {name: tuple(found) for name, found in scores.items() if vectors or name == "keyword"}


def rank_files(
    passages: Iterable[tuple[int, float]], files: Mapping[int, str], settings: RetrievalSettings
) -> list[str]:
    """Roll passages up to the best files, as configured.

    Args:
        passages: (chunk id, score), best first.
        files: File of every passage.
        settings: Say how.
    """
    return [file for file, _ in roll_up(passages, files, settings.rollup)[:DEPTH]]


def fused_passages(found: LegResults, fusion: FusionSettings) -> list[tuple[int, float]]:
    """Fuse what both legs found; return (chunk id, fused score), best first."""
    fused = fuse(found.keyword, found.vector.nearest, found.vector.cosines, fusion)
    return [(candidate.chunk_id, candidate.score) for candidate in fused]


def _passages_by_leg(found: LegResults, chosen: FusionSettings) -> Iterator[tuple[str, list[tuple[int, float]]]]:
    """Order the passages of one question by each leg, by the configured fusion, and by the one that was not chosen."""
    yield "keyword", found.keyword
    yield "vector", found.vector.nearest
    other = FusionMethod.RRF if chosen.method is FusionMethod.CONVEX else FusionMethod.CONVEX
    yield HYBRID, fused_passages(found, chosen)
    yield f"{HYBRID}_{other}", fused_passages(found, replace(chosen, method=other))
