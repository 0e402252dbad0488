"""Judged sets in BEIR layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from retrieval.errors import MalformedDataset
from retrieval.evaluation.beir import Document, load_beir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CORPUS = '{"_id": "d1", "title": "Keys", "text": "Rotate them."}\n\n{"_id": 2, "text": null}\n'
QUERIES = '{"_id": "q1", "text": "rotate keys"}\n{"_id": "q2", "text": "not judged"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\t2\t0\n"


@pytest.fixture
def write_set(tmp_path: Path) -> Callable[..., Path]:
    """Return a writer of sets whose files default to the valid ones above; None leaves one out."""

    def write(corpus: str | None = CORPUS, queries: str | None = QUERIES, qrels: str | None = QRELS) -> Path:
        folder = tmp_path / "tiny"
        folder.mkdir()
        for name, text in (("corpus.jsonl", corpus), ("queries.jsonl", queries), ("qrels.tsv", qrels)):
            if text is not None:
                (folder / name).write_text(text, encoding="utf-8")
        return folder

    return write


def test_a_set_is_read_with_its_judged_questions_alone(write_set: Callable[..., Path]) -> None:
    """Ids become text, missing titles empty, blank lines are skipped, unjudged questions left out."""
    judged = load_beir(write_set())
    assert judged.name == "tiny"
    assert judged.documents == (Document("d1", "Keys", "Rotate them."), Document("2", "", ""))
    assert judged.queries == {"q1": "rotate keys"}
    assert judged.qrels == {"q1": {"d1": 2, "2": 0}}


def test_judgements_may_lie_in_a_folder_of_their_own(write_set: Callable[..., Path]) -> None:
    """The layout of the published sets, `qrels/test.tsv`, is read as well."""
    folder = write_set(qrels=None)
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(QRELS, encoding="utf-8")
    assert load_beir(folder).qrels == {"q1": {"d1": 2, "2": 0}}


def test_judgements_may_have_the_four_columns_of_trec_and_no_heading(write_set: Callable[..., Path]) -> None:
    """The second column of a TREC file is ignored."""
    assert load_beir(write_set(qrels="q1\t0\td1\t1\n")).qrels == {"q1": {"d1": 1}}


@pytest.mark.parametrize(
    ("broken", "named"),
    [
        ({"corpus": None}, "corpus.jsonl"),
        ({"queries": None}, "queries.jsonl"),
        ({"qrels": None}, "test.tsv"),
        ({"corpus": "{\n"}, "corpus.jsonl, line 1"),
        ({"corpus": CORPUS + "[1]\n"}, "corpus.jsonl, line 4"),
        ({"queries": '{"text": "no id"}\n'}, "queries.jsonl, line 1"),
        ({"qrels": "query-id\tcorpus-id\tscore\nq1\td1\tgood\n"}, "qrels.tsv, line 2"),
        ({"qrels": "q1 d1 1\n"}, "qrels.tsv, line 1"),
    ],
)
def test_a_malformed_set_is_named_by_file_and_line(
    write_set: Callable[..., Path], broken: dict[str, str | None], named: str
) -> None:
    """Whoever wrote the set learns where to look."""
    with pytest.raises(MalformedDataset, match=named):
        load_beir(write_set(**broken))


def test_a_set_that_is_not_text_is_malformed(write_set: Callable[..., Path]) -> None:
    """Bytes that are not UTF-8 are reported like any other fault."""
    folder = write_set()
    (folder / "corpus.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(MalformedDataset, match=r"corpus\.jsonl"):
        load_beir(folder)
