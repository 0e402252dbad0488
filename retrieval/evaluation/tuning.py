"""Trying one weight at a time on the golden questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from config.retrieval_settings import FusionMethod
from retrieval.errors import NothingToMeasure
from retrieval.evaluation.golden import judge_paths
from retrieval.evaluation.guard import Outcome, Verdict, judge_change, weighted_mrr
from retrieval.evaluation.ranking import CHUNK_DEPTH, fused_passages, rank_files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from config.retrieval_settings import RetrievalSettings
    from retrieval.evaluation.golden import GoldenQuestion
    from retrieval.retriever import LegResults, Retriever

SHARE_STEP = 0.05
"""Steps of the share of the vector leg."""

WEIGHT_STEP = 0.2
"""Steps of a weight (article B)."""

WEIGHT_FLOOR = 0.05
"""Least value of a weight: 0 would switch a leg or column off for good (article B)."""

MOST_STEPS = 5
"""Steps of a weight that are tried to either side in one run. Our choice."""

COLUMN_WEIGHTS = ("text_weight", "section_weight", "context_weight")
"""Keyword settings that are tuned: weights of columns, which are comparable and have the same steps."""

_SEEN_RANKS = 10
"""Ranks that count: what a person looks at."""


@dataclass(frozen=True, slots=True)
class Change:
    """One weight with another value.

    Attributes:
        section: `fusion` or `keyword`.
        name: Name of the weight.
        old: Its value now.
        new: The value to try.
    """

    section: str
    name: str
    old: float
    new: float

    @property
    def key(self) -> str:
        """The weight as the settings file knows it."""
        return f"retrieval.{self.section}.{self.name}"

    def apply(self, settings: RetrievalSettings) -> RetrievalSettings:
        """Return settings with the new value."""
        section = replace(getattr(settings, self.section), **{self.name: self.new})
        return replace(settings, **{self.section: section})


@dataclass(frozen=True, slots=True)
class Trial:
    """A change that was tried.

    Attributes:
        change: What was changed.
        verdict: What the guard says about it.
        mrr: Weighted mean reciprocal rank over the tuning questions.
        held_out_mrr: The same over the questions kept apart; it decides nothing.
    """

    change: Change
    verdict: Verdict
    mrr: float
    held_out_mrr: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """What a tuning run found.

    Attributes:
        questions: Questions tuned on.
        held_out: Questions kept apart.
        mrr: Weighted mean reciprocal rank as things are.
        held_out_mrr: The same over the questions kept apart.
        best: The accepted change that gains most, or None.
        trials: Everything that was tried.
    """

    questions: int
    held_out: int
    mrr: float
    held_out_mrr: float
    best: Trial | None
    trials: tuple[Trial, ...]

    @property
    def refused(self) -> dict[str, int]:
        """How many trials broke each condition."""
        return dict(Counter(str(refusal) for trial in self.trials for refusal in trial.verdict.refusals))


def tune(
    open_index: Callable[[RetrievalSettings], Retriever],
    settings: RetrievalSettings,
    questions: Sequence[GoldenQuestion],
    *,
    fixed: Collection[str] = (),
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Tuning:
    """Try every weight on its own and return the best change that the guard accepts.

    One run changes one weight at most: whoever wants more runs it again, and can take each step back.

    Args:
        open_index: Opens the index with given settings, asking both legs whatever the fusion weighs.
        settings: As they are.
        questions: Golden questions; those held out are measured and reported, and decide nothing.
        fixed: Keys that are left alone, such as those a person has set.
        progress: Told after each trial how many of how many are done.

    Raises:
        NothingToMeasure: There is no question to tune on.
    """
    if all(item.held_out for item in questions):
        raise NothingToMeasure("there is no golden question to tune on; add one with: sluice golden add")
    bench = _Bench(open_index, questions)
    before = bench.outcomes(settings)
    tuned_on, kept_apart = bench.split(before)
    trials: list[Trial] = []
    to_try = list(changes(settings, fixed))
    for change in to_try:
        after, apart = bench.split(bench.outcomes(change.apply(settings)))
        trials.append(Trial(change, judge_change(tuned_on, after), weighted_mrr(after), weighted_mrr(apart)))
        progress(len(trials), len(to_try))
    accepted = [trial for trial in trials if trial.verdict.accepted]
    return Tuning(
        questions=len(tuned_on),
        held_out=len(kept_apart),
        mrr=weighted_mrr(tuned_on),
        held_out_mrr=weighted_mrr(kept_apart),
        best=min(accepted, key=_preference, default=None),
        trials=tuple(trials),
    )


def changes(settings: RetrievalSettings, fixed: Collection[str] = ()) -> Iterator[Change]:
    """Yield every change worth trying: the weights of the configured fusion, then those of the keyword columns.

    Args:
        settings: As they are.
        fixed: Keys that are left alone.
    """
    convex = settings.fusion.method is FusionMethod.CONVEX
    names = ["vector_share"] if convex else ["rrf_keyword_weight", "rrf_vector_weight"]
    weights = [("fusion", name) for name in names] + [("keyword", name) for name in COLUMN_WEIGHTS]
    for section, name in weights:
        old = getattr(getattr(settings, section), name)
        values = _share_values(old) if name == "vector_share" else _weight_values(old)
        for new in values:
            change = Change(section, name, old, new)
            if change.key not in fixed:
                yield change


def _share_values(old: float) -> list[float]:
    """Return the shares from 0 to 1 that lie whole steps away."""
    steps = range(-round(1 / SHARE_STEP), round(1 / SHARE_STEP) + 1)
    values = {round(old + step * SHARE_STEP, 4) for step in steps}
    return sorted(value for value in values if 0 <= value <= 1 and value != old)


def _weight_values(old: float) -> list[float]:
    values = {max(round(old + step * WEIGHT_STEP, 4), WEIGHT_FLOOR) for step in range(-MOST_STEPS, MOST_STEPS + 1)}
    return sorted(values - {old})


def _preference(trial: Trial) -> tuple[float, float, str]:
    """Prefer the greatest rise; of equal ones the smallest step."""
    return -round(trial.verdict.rise, 9), abs(trial.change.new - trial.change.old), trial.change.key


class _Bench:
    """Golden questions with what the legs found for them, kept while the keyword weights stay."""

    def __init__(
        self, open_index: Callable[[RetrievalSettings], Retriever], questions: Sequence[GoldenQuestion]
    ) -> None:
        self._open_index = open_index
        self._questions = questions
        self._asked: tuple[object, list[LegResults], Mapping[int, str]] | None = None

    def outcomes(self, settings: RetrievalSettings) -> list[Outcome]:
        """Rank the files for every question."""
        found, files = self._ask(settings)
        return [
            _outcome(item, rank_files(fused_passages(legs, settings.fusion), files, settings))
            for item, legs in zip(self._questions, found, strict=True)
        ]

    def split(self, outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
        """Part the questions tuned on from those kept apart."""
        pairs = list(zip(self._questions, outcomes, strict=True))
        return [o for item, o in pairs if not item.held_out], [o for item, o in pairs if item.held_out]

    def _ask(self, settings: RetrievalSettings) -> tuple[list[LegResults], Mapping[int, str]]:
        if self._asked is None or self._asked[0] != settings.keyword:
            with self._open_index(settings) as retriever:
                files = retriever.chunk_paths()
                found = [retriever.ask(item.question, depth=CHUNK_DEPTH) for item in self._questions]
            self._asked = (settings.keyword, found, files)
        return self._asked[1], self._asked[2]


def _outcome(item: GoldenQuestion, ranked: Sequence[str]) -> Outcome:
    wanted = judge_paths(ranked, item.expect)
    rank = next((rank for rank, path in enumerate(ranked[:_SEEN_RANKS], 1) if path in wanted), None)
    return Outcome(item.set, item.weight, rank)
