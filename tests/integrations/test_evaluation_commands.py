"""Measuring and tuning a vault on its own questions, with the real program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command import Sluice

TOPICS = ("backup", "kernel", "garden", "harbour")
FILLER = "It is about something else altogether and only says so in passing."
LEGS = ["keyword", "vector", "hybrid", "hybrid_rrf"]


@pytest.fixture
def notes(sluice: Sluice) -> Path:
    """Notes of which the wanted ones bear the topic as their title, and diaries that name it in the text."""
    for topic in TOPICS:
        folder = sluice.vault / "Wanted"
        folder.mkdir(exist_ok=True)
        (folder / f"{topic}.md").write_text(f"---\ntitle: {topic}\n---\nThe page itself. {FILLER}\n")
        (sluice.vault / f"diary-{topic}.md").write_text(f"# A day\n\nThen {topic} again. {FILLER} {FILLER}\n")
    (sluice.vault / ".sluice" / "sluice.yaml").write_text("retrieval: {keyword: {context_weight: 0.05}}\n")
    assert sluice.run("index").returncode == 0
    return sluice.vault


def add_questions(sluice: Sluice) -> None:
    """Ask for every topic, the last one kept apart."""
    lines = [
        f"- {{question: {topic}, expect: Wanted/{topic}, held_out: {str(topic == TOPICS[-1]).lower()}}}\n"
        for topic in TOPICS
    ]
    (sluice.vault / ".sluice" / "golden.yaml").write_text("".join(lines))


@pytest.mark.usefixtures("notes")
def test_a_vault_is_measured_on_its_own_questions(sluice: Sluice) -> None:
    """Both sides of the split are reported by leg with intervals, ranks and what one question is worth."""
    add_questions(sluice)
    report = sluice.json("eval")
    assert (report["set"], report["queries"]) == ("golden", 4)
    assert list(report["legs"]) == LEGS
    assert (report["tuning"]["queries"], report["held_out"]["queries"]) == (3, 1)
    assert report["tuning"]["one_question"] == 0.3333
    low, high = report["tuning"]["intervals"]["mrr@10"]["hybrid"]
    assert low <= report["tuning"]["legs"]["hybrid"]["mrr@10"] <= high
    assert all(item["ranks"]["keyword"] in {1, 2} for item in report["questions"])
    text = sluice.run("eval", "--text").stdout
    assert "to tune on: 3 questions; one is worth 33.3 points" in text
    assert "kept apart: 1 questions" in text


@pytest.mark.usefixtures("notes")
def test_a_note_that_is_gone_is_told_from_one_that_is_not_found(sluice: Sluice) -> None:
    """A question whose note was renamed is named with the fragment that leads nowhere."""
    assert sluice.run("golden", "add", "old things", "--expect", "Archive/old").returncode == 0
    assert sluice.json("eval")["unknown"] == {"old things": ["Archive/old"]}
    assert "no file in the index is called Archive/old" in sluice.run("eval", "--text").stdout


def test_without_questions_or_index_the_way_out_is_named(sluice: Sluice) -> None:
    """First the index, then the questions, and a word of how to get either."""
    assert "sluice index" in sluice.run("eval").stderr
    assert sluice.run("index").returncode == 0
    done = sluice.run("eval")
    assert done.returncode == 1
    assert "sluice golden add" in done.stderr


def test_golden_questions_are_added_once_and_listed(sluice: Sluice) -> None:
    """The same question again changes nothing and ends with code 3; the list says which side each is on."""
    first = sluice.json("golden", "add", "rank fusion", "--expect", "a.md", "--expect", "b", "--set", "search")
    assert first["added"] is True
    assert sluice.run("golden", "add", "rank fusion", "--expect", "c").returncode == 3
    (row,) = sluice.json("golden", "list")
    assert (row["question"], row["expect"], row["set"]) == ("rank fusion", ["a.md", "b"], "search")
    assert row["held_out"] is first["held_out"]
    assert "rank fusion  -> a.md, b" in sluice.run("golden", "list").stdout


@pytest.mark.usefixtures("notes")
def test_a_gate_passes_or_fails_with_one_clear_line(sluice: Sluice) -> None:
    """The report is printed either way; a figure below its minimum ends with code 1, a misspelt one with code 2."""
    add_questions(sluice)
    assert sluice.run("eval", "--min", "mrr@10=0.4", "--min", "keyword.hit@3=1").returncode == 0
    missed = sluice.run("eval", "--json", "--min", "keyword.hit@1=1")
    assert missed.returncode == 1
    assert "keyword hit@1 is 0.0000, below the minimum of 1" in missed.stderr
    assert json.loads(missed.stdout)["queries"] == 4
    assert sluice.run("eval", "--min", "hybird.mrr@10=0.4").returncode == 2


@pytest.mark.usefixtures("notes")
def test_two_settings_are_compared_question_by_question(sluice: Sluice) -> None:
    """Lifting the weight of titles lifts the keyword leg, and one sentence says what the whole is worth."""
    add_questions(sluice)
    changed = ("--compare", "keyword.context_weight=9", "--compare", "fusion.vector_share=0")
    found = sluice.json("eval", *changed)
    comparison = found["comparison"]
    assert (comparison["leg"], comparison["measure"]) == ("hybrid", "mrr@10")
    assert (found["legs"]["keyword"]["hit@1"], comparison["second_legs"]["keyword"]["hit@1"]) == (0, 1)
    assert comparison["wins"] + comparison["losses"] + comparison["ties"] == 4
    assert comparison["sentence"] in sluice.run("eval", "--text", *changed).stdout
    wrong = sluice.run("eval", "--compare", "fusion.vector_shre=0.3")
    assert wrong.returncode == 1
    assert "did you mean 'vector_share'" in wrong.stderr
    assert "judged folder" in sluice.run("eval", "--compare", "embedding.model=other").stderr


def test_a_judged_folder_reports_intervals_and_a_comparison(sluice: Sluice, tmp_path: Path) -> None:
    """The seven measures per leg stay as they are; everything new stands beside them."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    rows = [{"_id": topic, "title": topic, "text": f"{FILLER} {topic}"} for topic in TOPICS]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = [{"_id": f"q{topic}", "text": topic} for topic in TOPICS]
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked))
    (folder / "qrels.tsv").write_text("".join(f"q{topic}\t{topic}\t1\n" for topic in TOPICS))
    report = sluice.json("eval", str(folder), "--compare", "index.chunks.min_chars=0", "--min", "ndcg@10=1")
    assert report["legs"]["hybrid"] == dict.fromkeys(report["legs"]["keyword"], 1.0)
    assert report["intervals"] == {"ndcg@10": {leg: [1.0, 1.0] for leg in LEGS}}
    assert report["one_question"] == 0.25
    assert report["comparison"]["ties"] == 4
    assert report["comparison"]["interval"] == [0, 0]


def test_a_weight_is_tuned_applied_and_taken_back(sluice: Sluice, notes: Path) -> None:
    """A dry run changes nothing; --apply writes a file of its own; --rollback restores what was before, once."""
    settings = notes / ".sluice" / "sluice.yaml"
    settings.write_text(
        "# mine\nretrieval:\n  keyword:\n    section_weight: 0.7  # by hand\n  fusion: {vector_share: 0}\n"
    )
    written = settings.read_bytes()
    tuned = notes / ".sluice" / "tuned.yaml"
    tuned.write_text("retrieval: {keyword: {context_weight: 0.05}}\n")
    add_questions(sluice)

    tried = sluice.json("tune")
    assert tried["applied"] is False
    assert tried["change"]["key"] in {"retrieval.keyword.text_weight", "retrieval.keyword.context_weight"}
    assert tried["change"]["mrr"] > tried["mrr"]
    assert tuned.read_text() == "retrieval: {keyword: {context_weight: 0.05}}\n"

    applied = sluice.json("tune", "--apply")
    assert applied["change"] == tried["change"]
    assert sluice.json("eval")["tuning"]["legs"]["hybrid"]["mrr@10"] == applied["change"]["mrr"]
    assert settings.read_bytes() == written

    assert sluice.run("tune", "--apply").returncode == 3
    assert sluice.json("tune", "--rollback")["weights"] == {"retrieval": {"keyword": {"context_weight": 0.05}}}
    assert sluice.json("eval")["tuning"]["legs"]["hybrid"]["mrr@10"] == applied["mrr"]
    assert sluice.run("tune", "--rollback").returncode == 3
    lines = (sluice.state / "quality.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["tried", "applied", "tried", "rolled back"]


def test_files_are_ranked_once_each_and_copies_are_named(sluice: Sluice, notes: Path) -> None:
    """`--files` shows every file once; without it a file has two passages at most, and a copy is not shown again."""
    sections = "\n\n".join(f"## Part {n}\n\nThe lighthouse of part {n} shines for ships far out." for n in range(4))
    (notes / "light.md").write_text(f"# Light\n\n{sections}\n")
    (notes / "copy.md").write_text("# Light\n\n## Part 0\n\nThe  lighthouse of part 0 shines for ships far out.\n")
    assert sluice.run("index").returncode == 0
    results = sluice.json("search", "lighthouse ships")["results"]
    assert [result["path"] for result in results].count("light.md") <= 2
    first = next(result for result in results if "part 0" in result["text"])
    assert {first["path"], *first["also_in"]} == {"light.md", "copy.md"}
    files = [result["path"] for result in sluice.json("search", "lighthouse", "ships", "--files")["results"]]
    assert len(files) == len(set(files))
    assert "light.md" in files
