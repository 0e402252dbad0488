"""Judged sets in BEIR layout: corpus.jsonl, queries.jsonl, qrels.tsv.

Source: Thakur et al.: BEIR, a heterogeneous benchmark for zero-shot evaluation of information retrieval models,
    NeurIPS 2021, and its file layout. Qrels may also lie in `qrels/test.tsv`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import MalformedDataset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_QREL_COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """A judged set.

    Attributes:
        name: Name of its folder.
        documents: The corpus, in file order.
        queries: Query text by id; only those with judgements.
        qrels: Per query id, the grade of every judged document.
    """

    name: str
    documents: tuple[Document, ...]
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]


def load_beir(folder: Path) -> EvaluationSet:
    """Read a folder in BEIR layout.

    Raises:
        MalformedDataset: A file is missing or a line cannot be read; the message names both.
    """
    documents = tuple(
        Document(str(row["_id"]), str(row.get("title") or ""), str(row.get("text") or ""))
        for row in _json_lines(folder / "corpus.jsonl")
    )
    qrels_file = folder / "qrels.tsv"
    qrels = _qrels(qrels_file if qrels_file.exists() else folder / "qrels" / "test.tsv")
    queries = {
        str(row["_id"]): str(row.get("text") or "")
        for row in _json_lines(folder / "queries.jsonl")
        if str(row["_id"]) in qrels
    }
    return EvaluationSet(folder.resolve().name, documents, queries, qrels)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8") as handle:
            for number, line in enumerate(handle, 1):
                if line.strip():
                    yield number, line
    except (OSError, UnicodeDecodeError) as err:
        raise MalformedDataset(
            f"{path} cannot be read ({err}); a set needs corpus.jsonl, queries.jsonl and qrels.tsv"
        ) from err


def _json_lines(path: Path) -> Iterator[dict[str, object]]:
    for number, line in _lines(path):
        try:
            row = json.loads(line)
        except ValueError as err:
            raise MalformedDataset(f"{path}, line {number}: not JSON ({err})") from err
        if not isinstance(row, dict) or "_id" not in row:
            raise MalformedDataset(f"{path}, line {number}: expected an object with _id")
        yield row


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for number, line in _lines(path):
        parts = line.rstrip("\r\n").split("\t")
        if number == 1 and parts[-1].strip().lower() == "score":
            continue
        try:
            query, document, grade = parts if len(parts) == _QREL_COLUMNS else (parts[0], parts[2], parts[3])
            qrels.setdefault(query, {})[document] = int(grade)
        except (ValueError, IndexError) as err:
            raise MalformedDataset(
                f"{path}, line {number}: expected query-id, corpus-id and score, separated by tabs"
            ) from err
    return qrels
