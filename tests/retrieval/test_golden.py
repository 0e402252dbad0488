"""Golden questions: read strictly, added without touching what a person wrote, and judged by parts of paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.errors import ConfigError, InvalidSettings, UnreadableConfig
from retrieval.evaluation.golden import (
    GoldenQuestion,
    QuestionKind,
    add_golden,
    is_held_out,
    judge_paths,
    load_golden,
    unknown_fragments,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COMMENTED = """\
# What I ask most
- question: how do I rotate the backup keys   # weekly
  expect: [Ops/backup, keys.md]

  # by heart
- {question: 'write-ahead log', expect: wal.md, kind: known-item, set: databases, held_out: true}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file of a vault lies; its folder is not there yet."""
    return tmp_path / ".sluice" / "golden.yaml"


@pytest.fixture
def write(path: Path) -> Callable[[str], None]:
    """Return a writer of the file."""

    def write_text(text: str) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())

    return write_text


def test_a_missing_file_means_no_questions(path: Path) -> None:
    """Nothing is created by reading."""
    assert load_golden(path) == ()
    assert not path.parent.exists()


def test_questions_are_read_in_their_order(path: Path, write: Callable[[str], None]) -> None:
    """One fragment may stand without a list, and what is not said is decided: kind, set, and by hash the side."""
    write(COMMENTED)
    first, second = load_golden(path)
    rotated = "how do I rotate the backup keys"
    assert first == GoldenQuestion(rotated, ("Ops/backup", "keys.md"), held_out=is_held_out(rotated))
    assert second == GoldenQuestion("write-ahead log", ("wal.md",), QuestionKind.KNOWN_ITEM, "databases", held_out=True)
    assert (first.weight, second.weight) == (1.0, 0.5)


@pytest.mark.parametrize("end", ["", "# the end\n", "# no line end"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_adding_keeps_every_byte(end: str, line_end: str, path: Path, write: Callable[[str], None]) -> None:
    """Comments, quotes, blank lines and line ends stay; the question stands at the end."""
    before = (COMMENTED + end).replace("\n", line_end)
    write(before)
    question = GoldenQuestion("why: quotes # and colons", ("Ä b/c.md",), QuestionKind.KNOWN_ITEM, "s", held_out=True)
    assert add_golden(path, question)
    assert path.read_bytes().startswith(before.encode())
    assert load_golden(path)[-1] == question


def test_a_question_is_not_added_twice(path: Path) -> None:
    """The second try writes nothing, whatever it expects."""
    assert add_golden(path, GoldenQuestion("rank fusion", ("a.md",)))
    before = path.read_bytes()
    assert not add_golden(path, GoldenQuestion("rank fusion", ("b.md",)))
    assert path.read_bytes() == before


def test_a_list_on_one_line_is_left_alone(path: Path, write: Callable[[str], None]) -> None:
    """What cannot be edited line by line is refused with the way out, and not a byte is changed."""
    text = "[{question: a, expect: b}]\n"
    write(text)
    with pytest.raises(UnreadableConfig, match="one entry per line"):
        add_golden(path, GoldenQuestion("c", ("d",)))
    assert path.read_text() == text


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30), max_size=4),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=30),
)
def test_any_question_comes_back_as_it_was_added(
    tmp_path_factory: pytest.TempPathFactory, comments: list[str], question: str
) -> None:
    """Whatever a person types is read back unchanged below whatever comments stand there, or refused beforehand."""
    path = tmp_path_factory.mktemp("golden") / "golden.yaml"
    before = "".join(f"# {comment}\n" for comment in comments) + "- question: first\n  expect: first.md\n"
    path.write_bytes(before.encode())
    item = GoldenQuestion(" ".join(question.split()), (question.strip(),))
    try:
        added = add_golden(path, item)
    except ConfigError:
        added = False
    assert path.read_bytes().startswith(before.encode())
    if added:
        assert load_golden(path)[-1] == item


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("question: a\n", "expected a list"),
        ("- just words\n", "question 1: expected a mapping"),
        ("- {question: a, expect: b, answer: c}\n", "unknown key 'answer'"),
        ("- {question: ' ', expect: b}\n", "question is ' '"),
        ("- {question: a}\n", "expect is None"),
        ("- {question: a, expect: []}\n", r"expect is \[\]"),
        ("- {question: a, expect: [b, 3]}\n", "something other than parts of paths"),
        ("- {question: a, expect: b, kind: riddle}\n", "it must be question or known-item"),
        ("- {question: a, expect: b, set: 3}\n", "it must be a name"),
        ("- {question: a, expect: b, held_out: 1}\n", "true or false"),
        ("- {question: a, expect: b}\n- {question: a, expect: c}\n", "asked twice"),
    ],
)
def test_every_fault_is_named(text: str, message: str, path: Path, write: Callable[[str], None]) -> None:
    """A file with a fault is refused as a whole, with the question and the key."""
    write(text)
    with pytest.raises(InvalidSettings, match=message):
        load_golden(path)


def test_about_every_fifth_question_is_kept_apart() -> None:
    """The hash decides alike every time, for any spelling of white space and case, and for a fifth of questions."""
    questions = [f"question number {number}" for number in range(1000)]
    assert 150 <= sum(map(is_held_out, questions)) <= 250
    assert all(is_held_out(q) == is_held_out(f"  {q.upper().replace(' ', '   ')} ") for q in questions)


def test_files_are_judged_by_parts_of_their_paths() -> None:
    """Per fragment the best-ranked file counts once; a fragment that nothing holds counts as one that was missed."""
    ranked = ["Notes/Other.md", "Ops/Backup/Keys.md", "ops/backup/old.md", "Disks.md"]
    assert judge_paths(ranked, ["ops/backup", "DISKS", "nowhere"]) == {
        "Ops/Backup/Keys.md": 1,
        "Disks.md": 1,
        "\0nowhere": 1,
    }
    assert judge_paths(["Mu\u0308ller.md"], ["M\u00fcller"]) == {"Mu\u0308ller.md": 1}


def test_an_expected_note_that_is_not_there_is_named() -> None:
    """A question whose note was renamed is not simply a miss."""
    question = GoldenQuestion("q", ("keys.md", "gone"))
    assert unknown_fragments([question, replace(question, question="r", expect=("ops",))], ["Ops/Keys.md"]) == {
        "q": ("gone",)
    }
