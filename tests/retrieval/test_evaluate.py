"""Judged sets through the real indexer and retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from config.settings import FusionMethod, FusionSettings, IndexSettings, RetrievalSettings
from retrieval.evaluation.beir import Document, EvaluationSet
from retrieval.evaluation.evaluate import evaluate_set

if TYPE_CHECKING:
    from datetime import datetime

    from retrieval.embedding.types import Embedder

DOCUMENTS = (
    Document("d1", "Backup keys", "Rotate the backup keys every year.\n\n## More\n\nKeys again, in another section."),
    Document("d2", "", "Reciprocal rank fusion adds the ranks of two lists of results."),
    Document("d3", "Disks\n# twice", "Replace a failing disk before the backup starts."),
    Document("d4", "Broken \ud800", "A lone surrogate in a document is no reason to stop measuring."),
    Document("d5", "Empty", ""),
)
JUDGED = EvaluationSet(
    "tiny",
    DOCUMENTS,
    {"q1": "rotate keys", "q2": "rank fusion", "q3": "zebra"},
    {"q1": {"d1": 2}, "q2": {"d2": 1, "d1": 0}, "q3": {"missing": 1}},
)


def test_every_leg_is_measured_on_documents(embedder: Embedder, now: datetime) -> None:
    """Two of three questions find their document first; several passages of one document count once."""
    evaluation = evaluate_set(JUDGED, RetrievalSettings(), embedder, now=now)
    assert (evaluation.name, evaluation.queries) == ("tiny", 3)
    assert list(evaluation.legs) == ["keyword", "vector", "hybrid", "hybrid_rrf"]
    for measures in evaluation.legs.values():
        assert measures.hit_at_1 == pytest.approx(2 / 3)
        assert measures.recall_at_100 == pytest.approx(2 / 3)
    rows = evaluation.as_dict()
    assert (rows["set"], rows["queries"]) == ("tiny", 3)
    assert rows["legs"] == {name: measures.as_dict() for name, measures in evaluation.legs.items()}


def test_without_a_model_the_keyword_leg_alone_is_measured(now: datetime) -> None:
    """A leg that cannot run is left out rather than measured as zero."""
    assert list(evaluate_set(JUDGED, RetrievalSettings(), None, now=now).legs) == ["keyword"]


def test_the_fusion_that_was_not_chosen_is_measured_beside_the_chosen_one(embedder: Embedder, now: datetime) -> None:
    """Whoever configured one method sees what the other would have done."""
    settings = RetrievalSettings(fusion=FusionSettings(method=FusionMethod.RRF))
    assert list(evaluate_set(JUDGED, settings, embedder, now=now).legs)[2:] == ["hybrid", "hybrid_convex"]


def test_the_folders_of_a_vault_do_not_narrow_a_judged_set(embedder: Embedder, now: datetime) -> None:
    """Which folders of a person's vault are indexed has no say in a measurement."""
    narrowed = RetrievalSettings(index=IndexSettings(include=("AI",), exclude=("0000",)))
    default = evaluate_set(JUDGED, RetrievalSettings(), embedder, now=now)
    assert evaluate_set(JUDGED, narrowed, embedder, now=now) == default
