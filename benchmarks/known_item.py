"""Does a sentence that somebody half remembers lead back to its page, and by which evidence?

    python benchmarks/known_item.py INDEX [--questions 300]

Draws pages of an index at random, takes one sentence of each that stands on no other page, and drops two words in
five. The page must be found by what is left. Measured are all legs with both ways of rolling passages up to files, and
one vector for the whole text of a file instead of one per passage. Prints JSON; the same index gives the same figures.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np

from config.settings import RetrievalSettings, RollUp
from retrieval.embedding.loading import load_embedder
from retrieval.evaluation.metrics import Measures, average, measure_question
from retrieval.evaluation.ranking import Question, score_questions
from retrieval.evaluation.significance import compare_paired
from retrieval.retriever import Retriever
from retrieval.store.passage_text import unpack_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SHOWN = ("mrr@10", "hit@1", "hit@10")
WORDS = (10, 25)
DROPPED = 0.4
SENTENCE_END = re.compile(r"[.!?]\s")
FILES_AT_ONCE = 500


def read_pages(index: Path) -> dict[str, tuple[str, list[str]]]:
    """Return title and passages of every file."""
    pages: dict[str, tuple[str, list[str]]] = {}
    connection = apsw.Connection(str(index), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute(
        "SELECT f.path, f.title, c.text FROM files f JOIN chunks c ON c.file_id = f.id ORDER BY c.id"
    )
    for path, title, text in rows:
        pages.setdefault(path, (title, []))[1].append(unpack_text(text))
    connection.close()
    return pages


def sentences_of(passages: Sequence[str]) -> list[str]:
    """Return the sentences of running text: no headings, lists, tables or code."""
    paragraphs = (line for text in passages for line in text.split("\n") if line[:1].isalpha() and "|" not in line)
    sentences = (" ".join(part.split()) for line in paragraphs for part in SENTENCE_END.split(line))
    return [sentence for sentence in sentences if WORDS[0] <= len(sentence.split()) <= WORDS[1]]


def draw_questions(pages: Mapping[str, tuple[str, list[str]]], number: int) -> dict[str, str]:
    """Return page by question."""
    chance = random.Random(3)  # noqa: S311  repeatable questions
    by_page = {path: sentences_of(passages) for path, (_, passages) in pages.items()}
    pages_with = Counter(sentence for sentences in by_page.values() for sentence in set(sentences))
    questions: dict[str, str] = {}
    for path in chance.sample(sorted(by_page), len(by_page)):
        alone = [sentence for sentence in by_page[path] if pages_with[sentence] == 1]
        if alone and len(questions) < number:
            words = chance.choice(alone).split()
            kept = sorted(chance.sample(range(len(words)), round(len(words) * (1 - DROPPED))))
            questions[" ".join(words[i] for i in kept)] = path
    return questions


def one_vector_per_file(pages: Mapping[str, tuple[str, list[str]]], questions: Mapping[str, str]) -> list[Measures]:
    """Rank files by the cosine of one vector for all their text."""
    embedder = load_embedder("bundled")
    paths = list(pages)
    texts = ["\n".join((pages[path][0], *pages[path][1])) for path in paths]
    batches = [embedder.embed_documents(texts[i : i + FILES_AT_ONCE]) for i in range(0, len(texts), FILES_AT_ONCE)]
    vectors = np.concatenate(batches)
    scores = []
    for text, page in questions.items():
        nearest = np.argsort(-(vectors @ embedder.embed_query(text)), kind="stable")[:100]
        scores.append(measure_question([paths[i] for i in nearest], {page: 1}))
    return scores


def summary(scores: Sequence[Measures]) -> dict[str, float]:
    """Return the measures worth looking at for one wanted page."""
    means = average(scores).as_dict()
    return {name: means[name] for name in SHOWN}


def compared(first: Sequence[Measures], second: Sequence[Measures], leg: str) -> dict[str, object]:
    """Compare two rankings of the same questions by MRR@10."""
    values = [[score.mrr_at_10 for score in scores] for scores in (first, second)]
    return compare_paired(*values, leg=leg, measure="mrr@10").as_dict()


def main(index: Path, number: int) -> None:
    """Measure and print."""
    pages = read_pages(index)
    questions = draw_questions(pages, number)
    asked = [Question(text, partial(lambda page, _ranked: {page: 1}, page)) for text, page in questions.items()]
    by_method: dict[str, dict[str, tuple[Measures, ...]]] = {}
    with Retriever.open(index) as retriever:
        files = retriever.chunk_paths()
        for method in RollUp:
            settings = replace(RetrievalSettings(), rollup=method)
            by_method[method] = score_questions(retriever, settings, asked, files)
    whole = one_vector_per_file(pages, questions)
    best, weighted = by_method[RollUp.BEST], by_method[RollUp.WEIGHTED]
    report: dict[str, Any] = {
        "pages": len(pages),
        "questions": len(questions),
        "rollup": {
            method: {leg: summary(scores) for leg, scores in legs.items()} for method, legs in by_method.items()
        },
        "one_vector_per_file": summary(whole),
        "weighted_against_best": {leg: compared(best[leg], weighted[leg], leg) for leg in best},
        "passages_against_one_vector": compared(whole, best["vector"], "vector"),
    }
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("--questions", type=int, default=300)
    chosen = parser.parse_args()
    main(chosen.index, chosen.questions)
