"""From passages to files, and what is shown of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.settings import RollUp
from retrieval.rollup import roll_up
from retrieval.selection import Passage, select_passages

FILES = {1: "a", 2: "b", 3: "b", 4: "b", 5: "b", 6: "c"}


def test_the_best_passage_ranks_a_file() -> None:
    """Three good passages do not beat one that is better."""
    passages = [(1, 0.9), (2, 0.8), (3, 0.8), (4, 0.8)]
    assert roll_up(passages, FILES, RollUp.BEST) == [("a", 0.9), ("b", 0.8)]


def test_the_weighted_sum_worked_by_hand() -> None:
    """0.8 + 0.3 x 0.7 + 0.1 x 0.6 = 1.07 beats 0.9; the fourth passage adds nothing."""
    passages = [(1, 0.9), (2, 0.8), (3, 0.7), (4, 0.6), (5, 0.5)]
    (first, score), second = roll_up(passages, FILES, RollUp.WEIGHTED)
    assert first == "b"
    assert score == pytest.approx(1.07)
    assert second == ("a", 0.9)


def test_a_score_below_zero_takes_nothing_away() -> None:
    """A further passage that has nothing to do with the question is no evidence against its file."""
    assert roll_up([(2, 0.5), (1, 0.4), (3, -0.5)], FILES, RollUp.WEIGHTED)[0] == ("b", 0.5)


@given(st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.floats(-1, 1)), unique_by=lambda pair: pair[0]))
def test_every_file_is_ranked_once(passages: list[tuple[int, float]]) -> None:
    """Both ways name the same files, each once, in falling order of score."""
    passages.sort(key=lambda pair: -pair[1])
    for method in RollUp:
        ranked = roll_up(passages, FILES, method)
        assert sorted(file for file, _ in ranked) == sorted({FILES[i] for i, _ in passages})
        scores = [score for _, score in ranked]
        assert scores == sorted(scores, reverse=True)


def passages(*rows: tuple[str, str]) -> list[Passage]:
    """Return passages of these paths and texts, numbered from 1."""
    return [Passage(number, path, text) for number, (path, text) in enumerate(rows, 1)]


def test_one_file_does_not_fill_an_answer() -> None:
    """Its third passage gives way to the next file; 0 sets no limit."""
    rows = passages(("a", "one"), ("a", "two"), ("a", "three"), ("b", "four"))
    assert list(select_passages(rows, limit=3, max_per_file=2)) == [1, 2, 4]
    assert list(select_passages(rows, limit=3, max_per_file=0)) == [1, 2, 3]


def test_copies_are_shown_once_with_where_else_they_are() -> None:
    """White space and case make no other text; copies in the same file are not named, later ones still are."""
    rows = passages(("a", "One two"), ("b", "one\n two "), ("a", "ONE TWO"), ("c", "three"), ("d", "one two"))
    assert select_passages(rows, limit=2, max_per_file=2) == {1: ("b", "d"), 4: ()}


def test_a_copy_of_what_was_crowded_out_is_shown() -> None:
    """A text that its own file had no room for still reaches the answer through another file."""
    rows = passages(("a", "one"), ("a", "two"), ("b", "two"))
    assert select_passages(rows, limit=5, max_per_file=1) == {1: (), 3: ()}
