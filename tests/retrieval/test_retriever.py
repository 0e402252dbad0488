"""Searching an index."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.settings import EmbeddingSettings, FusionMethod, FusionSettings, IndexSettings, RetrievalSettings
from retrieval.embedding.loading import load_embedder
from retrieval.errors import IndexDamaged, IndexMissing, ModelUnavailable
from retrieval.indexing import index_vault
from retrieval.retriever import Retriever
from retrieval.store.connection import open_for_reading
from retrieval.store.passage_text import pack_text
from retrieval.types import Leg, SearchMode

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from retrieval.embedding.types import Embedder
    from retrieval.types import Answer, IndexReport

    WriteNote = Callable[[str, str | bytes], Path]
    RunIndex = Callable[..., IndexReport]
    OpenRetriever = Callable[..., Retriever]

NOTES = {
    "ops/keys.md": (
        "---\ntitle: Backup keys\ndate: 2024-05-01\n---\n\n## Rotating\n\nRotate the backup keys every year.\n"
    ),
    "ops/disks.md": "# Disks\n\n## Replacing\n\nReplace a failing disk before the backup starts.\n",
    "ai/fusion.md": "# Fusion\n\nReciprocal rank fusion adds ranks of two lists; a state-of-the-art method.\n",
    "de/strasse.md": "# Straße\n\nMüller wohnt in einer langen Straße am Wald.\n",
}


@pytest.fixture
def notes(write_note: WriteNote, run_index: RunIndex) -> None:
    """The notes above, indexed."""
    for path, text in NOTES.items():
        write_note(path, text)
    run_index()


def _paths(answer: Answer) -> list[str]:
    return [result.path for result in answer.results]


def test_a_result_says_where_it_stands_and_how_it_was_found(
    notes: None, open_retriever: OpenRetriever, now: datetime
) -> None:
    """Path, title, section, lines, date, both ranks, BM25 and cosine come with the text; the answer names its legs."""
    answer = open_retriever().search("rotate backup keys")
    best = answer.results[0]
    assert (best.path, best.title, best.section, best.lines) == ("ops/keys.md", "Backup keys", "Rotating", (8, 8))
    assert "Rotate the backup keys every year." in best.text
    assert (best.keyword_rank, best.vector_rank) == (1, 1)
    assert best.bm25 is not None
    assert best.bm25 > 0
    assert best.cosine is not None
    assert 0 < best.cosine <= 1
    assert best.date is not None
    assert best.date.isoformat() == "2024-05-01T00:00:00+00:00"
    assert answer.legs == {"keyword": Leg(ran=True, hits=2), "vector": Leg(ran=True, hits=4)}
    assert answer.fusion == "0.6 x BM25/max + 0.4 x cosine/max"
    assert answer.index_built == now


def test_the_same_query_gives_an_equal_answer(notes: None, open_retriever: OpenRetriever) -> None:
    """Twice in one retriever, and in another: nothing depends on what was asked before."""
    first, second = open_retriever(), open_retriever()
    second.search("fusion of ranks")
    assert first.search("backup") == first.search("backup") == second.search("backup")


def test_answers_are_the_same_in_every_process(
    write_note: WriteNote, vault: Path, index_file: Path, now: datetime
) -> None:
    """Whatever the hash seed of the interpreter, the order and the scores are the same."""
    for path, text in NOTES.items():
        write_note(path, text)
    index_vault(vault, index_file, IndexSettings(), load_embedder("bundled"), now=now)
    code = (
        "import sys\nfrom pathlib import Path\nfrom retrieval import Retriever\n"
        "with Retriever.open(Path(sys.argv[1])) as r:\n"
        "    for query in ('backup keys', 'method -disk', 'Straße \"am Wald\"'):\n"
        "        print(ascii(r.search(query)))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, str(index_file)],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert b"ops/keys.md" in outputs.pop()


def test_a_change_by_another_connection_is_noticed(
    notes: None, write_note: WriteNote, run_index: RunIndex, open_retriever: OpenRetriever
) -> None:
    """An open retriever finds, by both legs, what was indexed since, and no longer what was deleted."""
    retriever = open_retriever()
    assert len(retriever.search("zebra").results) == 4
    write_note("ai/zebra.md", "# Zebra\n\nA zebra has stripes, says this new note.\n")
    write_note("ops/disks.md", "# Nothing\n\nThis note speaks about something else now.\n")
    run_index()
    answer = retriever.search("zebra stripes")
    assert (answer.results[0].path, answer.results[0].vector_rank) == ("ai/zebra.md", 1)
    assert not any("failing disk" in result.text for result in retriever.search("failing disk").results)


def test_without_a_model_the_search_goes_on_by_keywords(notes: None, index_file: Path, embedder: Embedder) -> None:
    """The answer says why there are no vectors, and the model is asked for once, not at every query."""
    asked: list[str] = []

    def unavailable(model: str) -> Embedder:
        asked.append(model)
        raise ModelUnavailable("there is no such folder")

    settings = RetrievalSettings(embedding=EmbeddingSettings(model="/nowhere"))
    with Retriever(open_for_reading(index_file), settings, unavailable) as retriever:
        for _ in range(2):
            answer = retriever.search("backup keys")
            assert answer.legs["vector"] == Leg(ran=False, reason="there is no such folder")
            assert answer.fusion == "keyword leg alone"
            assert _paths(answer) == ["ops/keys.md", "ops/disks.md"]
            assert answer.results[0].cosine is None
    assert asked == ["/nowhere"]


def test_a_model_that_cannot_be_loaded_is_a_reason_not_an_error(notes: None, index_file: Path) -> None:
    """The same with the real loader and a folder that does not exist."""
    settings = RetrievalSettings(embedding=EmbeddingSettings(model="/nowhere/at/all"))
    with Retriever.open(index_file, settings) as retriever:
        leg = retriever.search("backup keys").legs["vector"]
    assert not leg.ran
    assert "/nowhere/at/all" in leg.reason


def test_vectors_of_another_model_are_never_compared(
    notes: None, index_file: Path, make_embedder: Callable[..., Embedder]
) -> None:
    """The vector leg stays out and says that the index needs another run."""
    with Retriever(open_for_reading(index_file), RetrievalSettings(), lambda _m: make_embedder("other")) as retriever:
        answer = retriever.search("backup keys")
    assert not answer.legs["vector"].ran
    assert "another model" in answer.legs["vector"].reason
    assert _paths(answer) == ["ops/keys.md", "ops/disks.md"]


def test_an_index_without_vectors_says_so(
    write_note: WriteNote, run_index: RunIndex, open_retriever: OpenRetriever
) -> None:
    """An index made for keywords alone is searched by keywords."""
    write_note("a.md", NOTES["ops/keys.md"])
    run_index(embedder=None)
    answer = open_retriever().search("backup keys")
    assert answer.legs["vector"].reason == "the index was built without vectors"
    assert _paths(answer) == ["a.md"]


def test_a_query_the_model_does_not_know_is_left_to_the_keywords(
    notes: None, write_note: WriteNote, run_index: RunIndex, open_retriever: OpenRetriever
) -> None:
    """A zero vector has no direction, so nothing is nearest to it."""
    write_note("ja.md", "日本語 のノートはここにあります。長い文章ではありませんが、三十文字はあります。\n")
    run_index()
    answer = open_retriever().search("日本語")
    assert answer.legs["vector"].reason == "the model knows no word of the query"
    assert answer.fusion == "keyword leg alone"
    assert _paths(answer) == ["ja.md"]


@pytest.mark.parametrize("query", ["", "   ", "\0", "...", '""', "-", "-backup", '-"backup keys"'])
def test_a_query_that_looks_for_nothing_finds_nothing(notes: None, open_retriever: OpenRetriever, query: str) -> None:
    """Nothing to look for, or exclusions alone, is an empty answer with a reason for both legs."""
    answer = open_retriever().search(query)
    assert (answer.results, answer.fusion) == ((), "no leg ran")
    assert all(leg.reason and not leg.ran for leg in answer.legs.values())
    assert answer.query == query


def test_a_mode_runs_one_leg(notes: None, open_retriever: OpenRetriever) -> None:
    """Keyword mode embeds nothing, vector mode asks no table, and the reason of the other leg is that."""
    retriever = open_retriever()
    keyword = retriever.search("backup keys", mode=SearchMode.KEYWORD)
    assert keyword.legs["vector"] == Leg(ran=False, reason="not asked for")
    assert _paths(keyword) == ["ops/keys.md", "ops/disks.md"]
    vector = retriever.search("backup keys", mode=SearchMode.VECTOR)
    assert vector.legs["keyword"] == Leg(ran=False, reason="not asked for")
    assert [result.vector_rank for result in vector.results] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("fusion", "off"),
    [
        (FusionSettings(method=FusionMethod.RRF, rrf_vector_weight=0), "vector"),
        (FusionSettings(method=FusionMethod.RRF, rrf_keyword_weight=0), "keyword"),
        (FusionSettings(vector_share=0), "vector"),
        (FusionSettings(vector_share=1), "keyword"),
    ],
)
def test_a_leg_without_weight_does_not_run_unless_it_is_asked_for(
    notes: None, open_retriever: OpenRetriever, fusion: FusionSettings, off: str
) -> None:
    """A weight of 0 switches a leg off in a hybrid search, and says so; asked for by name it still answers."""
    retriever = open_retriever(RetrievalSettings(fusion=fusion))
    answer = retriever.search("backup keys")
    assert answer.legs[off] == Leg(ran=False, reason="switched off by its weight of 0")
    assert answer.results
    assert retriever.search("backup keys", mode=SearchMode(off)).results


def test_reciprocal_rank_fusion_is_explained(notes: None, open_retriever: OpenRetriever) -> None:
    """The answer names the constant and the weights its scores come from."""
    retriever = open_retriever(RetrievalSettings(fusion=FusionSettings(method=FusionMethod.RRF)))
    answer = retriever.search("rotate backup keys")
    assert answer.fusion == "reciprocal ranks, k = 60, weights keyword 1, vector 1"
    assert answer.results[0].score == pytest.approx(2 / 61)


def test_phrases_and_exclusions_bind_both_legs(notes: None, open_retriever: OpenRetriever) -> None:
    """No leg brings back what lacks a phrase or holds an exclusion, however near it is."""
    retriever = open_retriever()
    for mode in SearchMode:
        assert _paths(retriever.search('keys "failing disk"', mode=mode)) == ["ops/disks.md"]
        assert "ops/keys.md" not in _paths(retriever.search("rotate backup keys -rotating", mode=mode))
        assert _paths(retriever.search("state-of-the-art", mode=mode))[0] == "ai/fusion.md"
    assert len(_paths(retriever.search("rotate backup keys -rotating", mode=SearchMode.VECTOR))) == 3


def test_the_limit_and_the_budget_cut_the_list(notes: None, open_retriever: OpenRetriever) -> None:
    """The first result is always there; what a budget leaves out is counted."""
    retriever = open_retriever()
    everything = retriever.search("backup keys")
    assert (len(everything.results), everything.omitted) == (4, 0)
    assert retriever.search("backup keys", limit=2).results == everything.results[:2]
    tight = retriever.search("backup keys", max_tokens=1)
    assert (tight.results, tight.omitted) == (everything.results[:1], 3)
    fitting = sum(len(result.text) for result in everything.results[:2]) // 4 + 1
    assert retriever.search("backup keys", max_tokens=fitting).results == everything.results[:2]


def test_what_is_handed_out_is_redacted_once_more(notes: None, index_file: Path, open_retriever: OpenRetriever) -> None:
    """A credential in an index of older patterns reaches nobody."""
    token = "gh" + "p_" + "".join("aB3dE5gH1j"[i % 10] for i in range(36))
    writer = apsw.Connection(str(index_file))
    writer.execute("UPDATE chunks SET text = ?, section = ?", (pack_text(f"About backup keys: {token}"), token))
    writer.execute("UPDATE files SET title = ?, source = ?", (token, f"https://example.org/{token}"))
    writer.close()
    answer = open_retriever().search("backup keys")
    assert "[REDACTED:" in answer.results[0].text
    assert token not in repr(answer)


def test_opening_needs_a_finished_index(tmp_path: Path, index_file: Path, run_index: RunIndex) -> None:
    """No file, a file that is none, and a database without an index are told apart from an empty index."""
    with pytest.raises(IndexMissing):
        Retriever.open(index_file)
    bad = tmp_path / "bad.db"
    bad.write_bytes(b"no database " * 400)
    with pytest.raises(IndexDamaged):
        Retriever.open(bad)
    (tmp_path / "empty.db").touch()
    with pytest.raises(IndexMissing, match="no finished index"):
        Retriever.open(tmp_path / "empty.db")
    run_index()
    with Retriever.open(index_file) as retriever:
        assert retriever.search("anything").results == ()


def test_every_candidate_has_its_file(notes: None, open_retriever: OpenRetriever) -> None:
    """Rolling passages up to notes starts from their paths."""
    retriever = open_retriever()
    candidates, _ = retriever.rank("rotate backup keys", depth=2)
    paths = [retriever.chunk_paths()[candidate.chunk_id] for candidate in candidates]
    assert paths == _paths(retriever.search("rotate backup keys"))[: len(candidates)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(), max_size=40))
def test_no_query_raises(notes: None, index_file: Path, embedder: Embedder, query: str) -> None:
    """Any text has an answer in every mode, and results are ordered by their score."""
    with Retriever(open_for_reading(index_file), RetrievalSettings(), lambda _m: embedder) as retriever:
        for mode in SearchMode:
            scores = [result.score for result in retriever.search(query, mode=mode).results]
            assert scores == sorted(scores, reverse=True)


def test_a_configured_depth_bounds_each_leg(notes: None, open_retriever: OpenRetriever) -> None:
    """Each leg hands no more than so many candidates to the fusion."""
    shallow = replace(RetrievalSettings(), fusion=FusionSettings(candidates=1))
    answer = open_retriever(shallow).search("backup")
    assert {name: leg.hits for name, leg in answer.legs.items()} == {"keyword": 1, "vector": 1}
