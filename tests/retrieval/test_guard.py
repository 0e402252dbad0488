"""The guard of the tuner: three conditions, worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation.guard import Outcome, Refusal, judge_change, weighted_mrr


def outcomes(*ranks: int | None, name: str = "", weight: float = 1.0) -> list[Outcome]:
    """Return questions of one set with these ranks."""
    return [Outcome(name, weight, rank) for rank in ranks]


def test_a_weighted_mean_worked_by_hand() -> None:
    """Ranks 1 and 4 as questions and 2 as a known item: (1 + 1/4 + 0.5/2) / 2.5 is 0.6; ranks 1, 2, 4, miss: .4375."""
    assert weighted_mrr([*outcomes(1, 4), *outcomes(2, weight=0.5)]) == pytest.approx(0.6)
    assert weighted_mrr(outcomes(1, 2, 4, None)) == 0.4375
    assert weighted_mrr([]) == 0


def test_a_clear_gain_is_accepted() -> None:
    """A question that rises from rank 2 to 1 among four gains .125 and costs nobody."""
    verdict = judge_change(outcomes(1, 2, 4, None), outcomes(1, 1, 4, None))
    assert verdict.accepted
    assert verdict.rise == pytest.approx(0.125)


def test_a_rise_of_exactly_one_hundredth_is_enough() -> None:
    """From rank 2 to 1 among 50 questions is .01; among 51 it is less, and is refused."""
    assert judge_change(outcomes(*[1] * 49, 2), outcomes(*[1] * 50)).accepted
    refused = judge_change(outcomes(*[1] * 50, 2), outcomes(*[1] * 51))
    assert refused.refusals == (Refusal.RISE,)


def test_a_loss_within_one_set_is_refused() -> None:
    """Three questions that rise do not outweigh another set that falls from rank 2 to 3."""
    before = [*outcomes(2, 2, 2, name="a"), *outcomes(2, name="b")]
    after = [*outcomes(1, 1, 1, name="a"), *outcomes(3, name="b")]
    verdict = judge_change(before, after)
    assert verdict.rise > 0.3
    assert verdict.refusals == (Refusal.SET,)


def test_a_set_may_lose_a_hundredth() -> None:
    """Among 20 questions of a set, one that falls from rank 3 to 6 costs 1/120 and is borne."""
    before = [*outcomes(2, 2, name="a"), *outcomes(*[1] * 19, 3, name="b")]
    after = [*outcomes(1, 1, name="a"), *outcomes(*[1] * 19, 6, name="b")]
    assert judge_change(before, after).accepted


def test_no_question_may_lose_its_first_place() -> None:
    """Nine questions that rise do not outweigh one that falls from rank 1 to 2, even within the same set."""
    verdict = judge_change(outcomes(1, *[2] * 9), outcomes(2, *[1] * 9))
    assert verdict.rise > 0.3
    assert verdict.refusals == (Refusal.FIRST_PLACE,)


def test_a_known_item_counts_half() -> None:
    """The same rise that carries a change as a question is too small as a known item."""
    before, after = [1] * 49, [1] * 49
    question = judge_change(outcomes(*before, 2), outcomes(*after, 1))
    known_item = judge_change(
        [*outcomes(*before), *outcomes(2, weight=0.5)], [*outcomes(*after), *outcomes(1, weight=0.5)]
    )
    assert question.accepted
    assert known_item.refusals == (Refusal.RISE,)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.integers(1, 10)), min_size=1, max_size=20))
def test_changing_nothing_is_never_accepted(questions: list[tuple[str, int | None]]) -> None:
    """Without a rise there is nothing to accept, and nothing else to complain of."""
    same = [Outcome(name, 1.0, rank) for name, rank in questions]
    assert judge_change(same, same).refusals == (Refusal.RISE,)


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from([0.5, 1.0]), st.integers(1, 10), st.integers(1, 10)),
        min_size=1,
        max_size=12,
    )
)
def test_an_accepted_change_keeps_every_promise(rows: list[tuple[str, float, int, int]]) -> None:
    """Whatever is accepted gained enough, kept every first place and cost no set more than a hundredth."""
    before = [Outcome(name, weight, old) for name, weight, old, _ in rows]
    after = [Outcome(name, weight, new) for name, weight, _, new in rows]
    if judge_change(before, after).accepted:
        assert weighted_mrr(after) - weighted_mrr(before) >= 0.01 - 1e-6
        assert all(new == 1 for _, _, old, new in rows if old == 1)
        for name in "ab":
            was = weighted_mrr(o for o in before if o.set == name)
            assert weighted_mrr(o for o in after if o.set == name) >= was - 0.01 - 1e-6
