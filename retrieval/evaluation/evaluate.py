"""Running a judged set through the real thing: notes on disk, the indexer, the retriever."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from config.settings import FusionMethod
from retrieval.errors import ModelUnavailable
from retrieval.evaluation.metrics import Measures, measure
from retrieval.indexing import index_vault
from retrieval.retriever import Retriever
from retrieval.store.connection import open_for_reading
from retrieval.types import SearchMode

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from config.settings import RetrievalSettings
    from retrieval.embedding.types import Embedder
    from retrieval.evaluation.beir import Document, EvaluationSet

DEPTH = 100
"""Documents ranked per question: what Recall@100 needs."""

_CHUNK_DEPTH = 300
"""Passages each leg returns, so that 100 documents are left after several passages of one became one."""

NOTES_PER_FOLDER = 1000
"""Notes in one folder, for some file systems slow down with more. Our choice."""


@dataclass(frozen=True, slots=True)
class SetEvaluation:
    """How the legs and their fusion did on one set.

    Attributes:
        name: Name of the set.
        queries: Judged questions.
        legs: Measures by name: keyword, vector, hybrid (the configured fusion), and the other fusion beside it.
    """

    name: str
    queries: int
    legs: dict[str, Measures]

    def as_dict(self) -> dict[str, object]:
        """Return the figures as `sluice eval --json` prints them."""
        return {
            "set": self.name,
            "queries": self.queries,
            "legs": {name: measures.as_dict() for name, measures in self.legs.items()},
        }


def evaluate_set(
    judged: EvaluationSet, settings: RetrievalSettings, embedder: Embedder | None, *, now: datetime
) -> SetEvaluation:
    """Write every document as a note, index the notes, and rank documents for every question.

    A document is one note with its title as H1; passages are searched and rolled up to documents by their best.

    Args:
        judged: The set.
        settings: As for searching; the other fusion method is measured beside the configured one.
        embedder: None measures the keyword leg alone.
        now: Time recorded in the throw-away index.
    """
    with TemporaryDirectory(prefix="sluice-eval-") as folder:
        root = Path(folder) / "vault"
        ids = _write_notes(root, judged.documents)
        index_file = Path(folder) / "index.db"
        index_vault(root, index_file, replace(settings.index, include=(), exclude=()), embedder, now=now)
        legs = {}
        for name, mode, variant in _variants(settings):
            if embedder is None and mode is not SearchMode.KEYWORD:
                continue
            with _open_index(index_file, variant, embedder) as retriever:
                legs[name] = measure(
                    [
                        (rank_documents(retriever, text, mode, ids), judged.qrels[query])
                        for query, text in judged.queries.items()
                    ]
                )
    return SetEvaluation(judged.name, len(judged.queries), legs)


def rank_documents(retriever: Retriever, query: str, mode: SearchMode, ids: dict[str, str]) -> list[str]:
    """Return the ids of the best documents, each at the place of its best passage."""
    candidates, _ = retriever.rank(query, mode=mode, depth=_CHUNK_DEPTH)
    documents = dict.fromkeys(ids[path] for path in retriever.paths_of(candidates))
    return list(documents)[:DEPTH]


def _open_index(index_file: Path, settings: RetrievalSettings, embedder: Embedder | None) -> Retriever:
    """Search with the model that made the index, loaded once for all variants."""

    def given_embedder(_model: str) -> Embedder:
        if embedder is None:
            raise ModelUnavailable("no model was given")
        return embedder

    return Retriever(open_for_reading(index_file), settings, given_embedder)


def _variants(settings: RetrievalSettings) -> Iterable[tuple[str, SearchMode, RetrievalSettings]]:
    """Name the two legs, the configured fusion, and the one that was not chosen."""
    yield "keyword", SearchMode.KEYWORD, settings
    yield "vector", SearchMode.VECTOR, settings
    yield "hybrid", SearchMode.HYBRID, settings
    chosen = settings.fusion.method
    other = FusionMethod.RRF if chosen is FusionMethod.CONVEX else FusionMethod.CONVEX
    yield (
        f"hybrid_{other}",
        SearchMode.HYBRID,
        replace(settings, fusion=replace(settings.fusion, method=other)),
    )


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
