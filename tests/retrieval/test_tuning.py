"""Trying one weight at a time on a real index."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from config.settings import FusionMethod, FusionSettings, KeywordSettings, RetrievalSettings
from retrieval.errors import NothingToMeasure
from retrieval.evaluation.golden import GoldenQuestion
from retrieval.evaluation.quality_log import APPLIED, ROLLED_BACK, TRIED, append_run, last_applied
from retrieval.evaluation.tuning import changes, tune

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from retrieval.retriever import Retriever
    from retrieval.types import IndexReport

TOPICS = ("backup", "kernel", "garden", "harbour")
FILLER = "It is about something else altogether and only says so in passing."


@pytest.fixture
def titled_notes(write_note: Callable[[str, str | bytes], Path], run_index: Callable[..., IndexReport]) -> None:
    """Index notes of which the wanted ones bear a word in the title, and others in a longer text."""
    for topic in TOPICS:
        write_note(f"wanted/{topic}.md", f"---\ntitle: {topic}\n---\nThe page itself. {FILLER}")
        write_note(f"other/{topic}-log.md", f"# Diary of a day\n\nThen {topic} again. {FILLER} {FILLER}")
    run_index(embedder=None)


QUESTIONS = [GoldenQuestion(topic, (f"wanted/{topic}",)) for topic in TOPICS]
TEXT_LEADS = RetrievalSettings(keyword=KeywordSettings(text_weight=1.0, section_weight=1.0, context_weight=0.05))


@pytest.mark.usefixtures("titled_notes")
def test_a_weight_that_helps_is_found(open_retriever: Callable[..., Retriever]) -> None:
    """Where titles decide and weigh next to nothing, the best change lifts their weight, and takes all to rank 1."""
    told: list[tuple[int, int]] = []
    found = tune(open_retriever, TEXT_LEADS, QUESTIONS, progress=lambda done, total: told.append((done, total)))
    assert told == [(n, len(found.trials)) for n in range(1, len(found.trials) + 1)]
    assert found.mrr == pytest.approx(0.5)
    assert found.best is not None
    assert found.best.change.section == "keyword"
    assert found.best.mrr == pytest.approx(1.0)
    assert found.best.verdict.accepted
    again = tune(open_retriever, found.best.change.apply(TEXT_LEADS), QUESTIONS)
    assert again.best is None
    assert again.refused


@pytest.mark.usefixtures("titled_notes")
def test_questions_kept_apart_decide_nothing(open_retriever: Callable[..., Retriever]) -> None:
    """A change that only they would profit from is not found, and their figure is reported."""
    apart = [replace(item, held_out=True) for item in QUESTIONS]
    easy = GoldenQuestion("the page itself", ("wanted",))
    found = tune(open_retriever, TEXT_LEADS, [easy, *apart])
    assert found.best is None
    assert (found.questions, found.held_out) == (1, 4)
    assert found.held_out_mrr == pytest.approx(0.5)
    assert max(trial.held_out_mrr for trial in found.trials) == pytest.approx(1.0)


@pytest.mark.usefixtures("titled_notes")
def test_a_weight_set_by_hand_is_left_alone(open_retriever: Callable[..., Retriever]) -> None:
    """What a person wrote into the settings is not tried at all."""
    fixed = {f"retrieval.keyword.{name}_weight" for name in ("text", "section", "context")}
    found = tune(open_retriever, TEXT_LEADS, QUESTIONS, fixed=fixed)
    assert {trial.change.key for trial in found.trials} == {"retrieval.fusion.vector_share"}


def test_there_must_be_a_question_to_tune_on(open_retriever: Callable[..., Retriever]) -> None:
    """With every question kept apart, or none at all, nothing can be learned."""
    for questions in ([], [GoldenQuestion("a", ("b",), held_out=True)]):
        with pytest.raises(NothingToMeasure, match="to tune on"):
            tune(open_retriever, RetrievalSettings(), questions)


def test_shares_move_by_twentieths_from_end_to_end() -> None:
    """From 0.4 every multiple of 0.05 between 0 and 1 is tried but 0.4 itself."""
    shares = [c.new for c in changes(RetrievalSettings()) if c.name == "vector_share"]
    assert shares == [n / 20 for n in range(21) if n != 8]


def test_weights_move_by_fifths_and_never_to_zero() -> None:
    """Five steps of 0.2 to either side, the lowest at the floor of 0.05; reciprocal ranks have two, columns three."""
    settings = RetrievalSettings(fusion=FusionSettings(method=FusionMethod.RRF, rrf_vector_weight=0.3))
    tried = list(changes(settings))
    assert [c.new for c in tried if c.name == "rrf_keyword_weight"] == [
        0.05, 0.2, 0.4, 0.6, 0.8, 1.2, 1.4, 1.6, 1.8, 2.0,
    ]  # fmt: skip
    assert [c.new for c in tried if c.name == "rrf_vector_weight"] == [0.05, 0.1, 0.5, 0.7, 0.9, 1.1, 1.3]
    assert {c.name for c in tried if c.section == "keyword"} == {"text_weight", "section_weight", "context_weight"}
    assert not any(c.name == "vector_share" for c in tried)


def test_each_rollback_takes_one_applied_change_back(tmp_path: Path) -> None:
    """Two applied changes are taken back in turn; runs that changed nothing do not count."""
    path = tmp_path / "state" / "quality.jsonl"
    assert last_applied(path) is None
    append_run(path, {"event": APPLIED, "weights_before": {}, "change": 1})
    append_run(path, {"event": APPLIED, "weights_before": {"a": 1}, "change": "zwei\u2028"})
    append_run(path, {"event": TRIED})
    assert last_applied(path) == {"event": APPLIED, "weights_before": {"a": 1}, "change": "zwei\u2028"}
    append_run(path, {"event": ROLLED_BACK})
    run = last_applied(path)
    assert run is not None
    assert run["change"] == 1
    append_run(path, {"event": ROLLED_BACK})
    assert last_applied(path) is None


def test_a_line_cut_short_harms_no_other(tmp_path: Path) -> None:
    """What a full disk left of a line is passed over, and the next line begins on its own."""
    path = tmp_path / "quality.jsonl"
    append_run(path, {"event": APPLIED, "weights_before": {}})
    with path.open("a") as handle:
        handle.write('{"event": "app')
    append_run(path, {"event": TRIED})
    assert last_applied(path) == {"event": APPLIED, "weights_before": {}}
    assert json.loads(path.read_text().split("\n")[2]) == {"event": TRIED}
