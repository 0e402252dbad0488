"""Measuring a vault's own index on its golden questions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from retrieval.errors import NothingToMeasure
from retrieval.evaluation.golden import judge_paths, unknown_fragments
from retrieval.evaluation.metrics import average
from retrieval.evaluation.ranking import Question, score_questions
from retrieval.evaluation.significance import bootstrap_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.retrieval_settings import RetrievalSettings
    from retrieval.evaluation.golden import GoldenQuestion
    from retrieval.evaluation.metrics import Measures
    from retrieval.retriever import Retriever

NAME = "golden"
"""What reports call the golden questions of a vault."""

INTERVAL_MEASURES = ("mrr@10", "hit@1", "hit@3", "hit@10", "recall@10")
"""What an interval is given for: what a person sees of an answer (article B)."""

_ROUNDED_TO = 4


@dataclass(frozen=True, slots=True)
class GoldenEvaluation:
    """How a vault's index did on its golden questions.

    Attributes:
        questions: The questions.
        scores: By leg, the measures of every question.
        unknown: By question, the fragments that no file of the index holds.
    """

    questions: tuple[GoldenQuestion, ...]
    scores: dict[str, tuple[Measures, ...]]
    unknown: dict[str, tuple[str, ...]]

    @property
    def legs(self) -> dict[str, Measures]:
        """Means over all questions, by leg."""
        return {name: average(scores) for name, scores in self.scores.items()}

    def values(self, leg: str, measure: str) -> list[float]:
        """Return one measure of one leg, question by question."""
        return [score.by_name()[measure] for score in self.scores[leg]]

    def as_dict(self) -> dict[str, object]:
        """Return the figures as `sluice eval --json` prints them."""
        return {
            "set": NAME,
            "queries": len(self.questions),
            "legs": {leg: measures.as_dict() for leg, measures in self.legs.items()},
            "tuning": self._part(held_out=False),
            "held_out": self._part(held_out=True),
            "questions": [self._question(number) for number in range(len(self.questions))],
            "unknown": {question: list(parts) for question, parts in self.unknown.items()},
        }

    def _part(self, *, held_out: bool) -> dict[str, object]:
        """Report the questions on one side of the split."""
        places = [i for i, item in enumerate(self.questions) if item.held_out is held_out]
        part = {leg: [scores[i] for i in places] for leg, scores in self.scores.items() if places}
        return {
            "queries": len(places),
            "one_question": round(1 / len(places), _ROUNDED_TO) if places else 0.0,
            "legs": {leg: average(scores).as_dict() for leg, scores in part.items()},
            "intervals": {
                name: {
                    leg: bootstrap_interval([score.by_name()[name] for score in scores]).as_list()
                    for leg, scores in part.items()
                }
                for name in INTERVAL_MEASURES
            },
        }

    def _question(self, number: int) -> dict[str, object]:
        item = self.questions[number]
        reciprocals = {leg: scores[number].mrr_at_10 for leg, scores in self.scores.items()}
        return {
            "question": item.question,
            "expect": list(item.expect),
            "held_out": item.held_out,
            "ranks": {leg: round(1 / value) if value else None for leg, value in reciprocals.items()},
        }


def evaluate_golden(
    retriever: Retriever, settings: RetrievalSettings, questions: Sequence[GoldenQuestion]
) -> GoldenEvaluation:
    """Rank the files of an index for every question, by every leg.

    Args:
        retriever: An open index that asks both legs, see `retrieval.evaluation.ranking.score_questions`.
        settings: Fusion and roll-up to measure.
        questions: At least one.

    Raises:
        NothingToMeasure: There is no question.
        IndexDamaged: The index cannot be read.
        IndexMissing: The index was emptied since it was opened.
    """
    if not questions:
        raise NothingToMeasure(
            "there is no golden question yet; add one with: sluice golden add QUESTION --expect PATH"
        )
    files = retriever.chunk_paths()
    asked = [Question(item.question, partial(judge_paths, expect=item.expect)) for item in questions]
    unknown = unknown_fragments(questions, dict.fromkeys(files.values()))
    return GoldenEvaluation(tuple(questions), score_questions(retriever, settings, asked, files), unknown)
