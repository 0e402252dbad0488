"""Intervals and paired comparisons."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.evaluation.significance import bootstrap_interval, compare_paired, randomization_test

scores = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@settings(deadline=None, max_examples=25)
@given(scores)
def test_a_bootstrap_interval_lies_within_the_values(values: list[float]) -> None:
    """A mean of values drawn with replacement lies between the smallest and the largest, and low is not above high."""
    interval = bootstrap_interval(values)
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12
    assert interval == bootstrap_interval(values)


def test_an_interval_worked_by_hand() -> None:
    """Of 100 hits and misses in equal parts, the mean's standard error is .05, so 95 % lie within about .1 of .5."""
    interval = bootstrap_interval([0.0, 1.0] * 50)
    assert interval.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.02)
    assert interval.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.02)


def test_more_questions_narrow_the_interval() -> None:
    """Four times as many questions halve the width."""
    few, many = bootstrap_interval([0.0, 1.0] * 25), bootstrap_interval([0.0, 1.0] * 100)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(2, rel=0.25)


def test_no_question_gives_an_empty_interval() -> None:
    """A report without questions is still a report."""
    assert bootstrap_interval([]).as_list() == [0.0, 0.0]


@settings(deadline=None, max_examples=25)
@given(scores)
def test_identical_systems_do_not_differ(values: list[float]) -> None:
    """The difference is 0, its interval contains 0, every question is a tie, and chance explains it all."""
    found = compare_paired(values, values, leg="hybrid", measure="ndcg@10")
    assert found.difference == 0
    assert found.interval.low <= 0 <= found.interval.high
    assert (found.wins, found.losses, found.ties) == (0, 0, len(values))
    assert found.p_value == 1
    assert "do not differ" in found.sentence


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=30))
def test_exchanging_the_systems_turns_the_sign(pairs: list[tuple[float, float]]) -> None:
    """What the second wins is what the first loses, and the test does not care which is which."""
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    there = compare_paired(first, second, leg="hybrid", measure="mrr@10")
    back = compare_paired(second, first, leg="hybrid", measure="mrr@10")
    assert there.difference == -back.difference
    assert (there.wins, there.losses) == (back.losses, back.wins)
    assert there.p_value == back.p_value


def test_a_clear_difference_is_said_in_one_sentence() -> None:
    """Forty questions of which half gain .5 are no accident, and the sentence says so with its figures."""
    found = compare_paired([0.5] * 40, [0.5, 1.0] * 20, leg="hybrid", measure="ndcg@10")
    assert found.difference == pytest.approx(0.25)
    assert found.p_value < 0.001
    assert found.sentence.startswith("the second is better by .250; the interval [.1")
    assert found.sentence.endswith("excludes 0")


def test_one_question_more_or_less_may_be_chance() -> None:
    """Two questions won and one lost prove nothing."""
    found = compare_paired([0, 0, 1, 1, 0], [1, 1, 0, 1, 0], leg="hybrid", measure="hit@1")
    assert (found.wins, found.losses, found.ties) == (2, 1, 2)
    assert found.p_value > 0.5
    assert "may be chance" in found.sentence
    assert "contains 0" in found.sentence


def test_the_p_value_of_four_equal_gains() -> None:
    """Of the 16 ways to sign four equal gains two are as extreme as all of one sign: p is one eighth."""
    assert randomization_test([0.1] * 4) == pytest.approx(1 / 8, abs=0.01)


def test_runs_over_different_questions_cannot_be_compared() -> None:
    """A pair needs two."""
    with pytest.raises(ValueError, match="shorter"):
        compare_paired([1.0], [], leg="hybrid", measure="mrr@10")
