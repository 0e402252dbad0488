"""Running a judged set through the real thing: notes on disk, the indexer, the retriever."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from config.settings import FusionMethod, FusionSettings
from retrieval.errors import ModelUnavailable
from retrieval.evaluation.metrics import Measures, measure
from retrieval.fusion import fuse
from retrieval.indexing import index_vault
from retrieval.retriever import Retriever
from retrieval.store.connection import open_for_reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from config.settings import RetrievalSettings
    from retrieval.embedding.types import Embedder
    from retrieval.evaluation.beir import Document, EvaluationSet
    from retrieval.retriever import LegResults

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
        with _open_index(index_file, replace(settings, fusion=FusionSettings()), embedder) as retriever:
            documents = {chunk: ids[path] for chunk, path in retriever.chunk_paths().items()}
            rankings: dict[str, list[tuple[list[str], dict[str, int]]]] = {}
            for query, text in judged.queries.items():
                for name, ranked in _rank_by_leg(retriever.ask(text, depth=_CHUNK_DEPTH), settings.fusion):
                    rankings.setdefault(name, []).append((roll_up(ranked, documents), judged.qrels[query]))
    legs = {name: measure(ranked) for name, ranked in rankings.items() if embedder or name == "keyword"}
    return SetEvaluation(judged.name, len(judged.queries), legs)


def roll_up(chunk_ids: Iterable[int], documents: Mapping[int, str]) -> list[str]:
    """Return the best documents, each at the place of its best passage.

    Args:
        chunk_ids: Passages, best first.
        documents: Document of every passage.
    """
    return list(dict.fromkeys(documents[chunk_id] for chunk_id in chunk_ids))[:DEPTH]


def _open_index(index_file: Path, settings: RetrievalSettings, embedder: Embedder | None) -> Retriever:
    """Search with the model that made the index, loaded once for all variants."""

    def given_embedder(_model: str) -> Embedder:
        if embedder is None:
            raise ModelUnavailable("no model was given")
        return embedder

    return Retriever(open_for_reading(index_file), settings, given_embedder)


def _rank_by_leg(found: LegResults, chosen: FusionSettings) -> Iterator[tuple[str, list[int]]]:
    """Order the passages of one query by each leg, by the configured fusion, and by the one that was not chosen."""
    yield "keyword", [chunk_id for chunk_id, _ in found.keyword]
    yield "vector", [chunk_id for chunk_id, _ in found.vector.nearest]
    other = FusionMethod.RRF if chosen.method is FusionMethod.CONVEX else FusionMethod.CONVEX
    for name, fusion in (("hybrid", chosen), (f"hybrid_{other}", replace(chosen, method=other))):
        fused = fuse(found.keyword, found.vector.nearest, found.vector.cosines, fusion)
        yield name, [candidate.chunk_id for candidate in fused]


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
