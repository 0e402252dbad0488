"""Running a judged set through the real thing: notes on disk, the indexer, the retriever."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from config.retrieval_settings import FusionSettings
from retrieval.errors import ModelUnavailable
from retrieval.evaluation.metrics import Measures, average
from retrieval.evaluation.ranking import Question, score_questions
from retrieval.evaluation.significance import bootstrap_interval
from retrieval.indexing import index_vault
from retrieval.retriever import Retriever
from retrieval.store.connection import open_for_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from config.retrieval_settings import RetrievalSettings
    from retrieval.embedding.types import Embedder
    from retrieval.evaluation.beir import Document, EvaluationSet

NOTES_PER_FOLDER = 1000
"""Notes in one folder, for some file systems slow down with more. Our choice."""

INTERVAL_MEASURE = "ndcg@10"
"""What an interval is given for on a judged set: the measure that such sets are usually reported by."""


@dataclass(frozen=True, slots=True)
class SetEvaluation:
    """How the legs and their fusion did on one set.

    Attributes:
        name: Name of the set.
        queries: Judged questions.
        scores: Measures of every question by name of leg: keyword, vector, hybrid (the configured fusion), and the
            other fusion beside it.
    """

    name: str
    queries: int
    scores: dict[str, tuple[Measures, ...]]

    @property
    def legs(self) -> dict[str, Measures]:
        """Means over the questions, by leg."""
        return {name: average(questions) for name, questions in self.scores.items()}

    def values(self, leg: str, measure: str) -> list[float]:
        """Return one measure of one leg, question by question."""
        return [question.by_name()[measure] for question in self.scores[leg]]

    def as_dict(self) -> dict[str, object]:
        """Return the figures as `sluice eval --json` prints them."""
        counted = max((len(questions) for questions in self.scores.values()), default=0)
        intervals = {leg: bootstrap_interval(self.values(leg, INTERVAL_MEASURE)).as_list() for leg in self.scores}
        return {
            "set": self.name,
            "queries": self.queries,
            "legs": {name: measures.as_dict() for name, measures in self.legs.items()},
            "intervals": {INTERVAL_MEASURE: intervals},
            "one_question": round(1 / counted, 4) if counted else 0.0,
        }


def evaluate_set(
    judged: EvaluationSet, settings: RetrievalSettings, embedder: Embedder | None, *, now: datetime
) -> SetEvaluation:
    """Write every document as a note, index the notes, and rank documents for every question.

    A document is one note with its title as H1; passages are searched and rolled up to documents as configured.

    Args:
        judged: The set.
        settings: As for searching; the other fusion method is measured beside the configured one.
        embedder: None measures the keyword leg alone.
        now: Time recorded in the throw-away index.
    """
    with _indexed(judged, settings, embedder, now) as index:
        return index.evaluate(settings)


def evaluate_twice(
    judged: EvaluationSet,
    first: tuple[RetrievalSettings, Embedder | None],
    second: tuple[RetrievalSettings, Embedder | None],
    *,
    now: datetime,
) -> tuple[SetEvaluation, SetEvaluation]:
    """Evaluate two settings on the same set; it is indexed once where both store the same.

    Args:
        judged: The set.
        first: Settings, and their model or None.
        second: The same for the second system.
        now: See `evaluate_set`.
    """
    with _indexed(judged, *first, now) as index:
        result = index.evaluate(first[0])
        if (first[0].index, first[0].embedding) == (second[0].index, second[0].embedding):
            return result, index.evaluate(second[0])
    return result, evaluate_set(judged, *second, now=now)


@dataclass(frozen=True, slots=True)
class _JudgedIndex:
    judged: EvaluationSet
    index_file: Path
    ids: dict[str, str]
    embedder: Embedder | None

    def evaluate(self, settings: RetrievalSettings) -> SetEvaluation:
        # Default fusion: both legs are asked, whatever weight the fusion under test gives them.
        asking = replace(settings, fusion=FusionSettings())
        with Retriever(open_for_reading(self.index_file), asking, self._given_embedder) as retriever:
            files = {chunk: self.ids[path] for chunk, path in retriever.chunk_paths().items()}
            scores = score_questions(retriever, settings, self._questions(), files)
        return SetEvaluation(self.judged.name, len(self.judged.queries), scores)

    def _questions(self) -> Iterator[Question]:
        for query, text in self.judged.queries.items():
            yield Question(text, _graded(self.judged.qrels[query]))

    def _given_embedder(self, _model: str) -> Embedder:
        if self.embedder is None:
            raise ModelUnavailable("no model was given")
        return self.embedder


def _graded(qrels: dict[str, int]) -> Callable[[Sequence[str]], dict[str, int]]:
    """Judge by grades that were given beforehand."""
    return lambda _ranked: qrels


@contextmanager
def _indexed(
    judged: EvaluationSet, settings: RetrievalSettings, embedder: Embedder | None, now: datetime
) -> Iterator[_JudgedIndex]:
    with TemporaryDirectory(prefix="sluice-eval-") as folder:
        root = Path(folder) / "vault"
        ids = _write_notes(root, judged.documents)
        index_file = Path(folder) / "index.db"
        index_vault(root, index_file, replace(settings.index, include=(), exclude=()), embedder, now=now)
        yield _JudgedIndex(judged, index_file, ids, embedder)


def _write_notes(root: Path, documents: Iterable[Document]) -> dict[str, str]:
    """Write the corpus as notes; return document id by path."""
    ids: dict[str, str] = {}
    for number, document in enumerate(documents):
        folder, name = f"{number // NOTES_PER_FOLDER:04}", f"{number:07}.md"
        (root / folder).mkdir(parents=True, exist_ok=True)
        title = " ".join(document.title.split())
        heading = f"# {title}\n\n" if title else ""
        text = f"{heading}{document.text}\n"
        (root / folder / name).write_text(text, encoding="utf-8", errors="replace")
        ids[f"{folder}/{name}"] = document.id
    return ids
