"""Measures of ranked lists."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation.metrics import hit, measure, ndcg, recall, reciprocal_rank

documents = st.lists(st.sampled_from("abcdefghij"), unique=True)
judgements = st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-1, 3), min_size=1)


def test_ndcg_worked_by_hand() -> None:
    """Grades 3, 0, 2 at ranks 1 to 3, with another 2 not found, gain 3/1 + 2/2 of an ideal 3/1 + 2/1.585 + 2/2."""
    qrels = {"a": 3, "c": 2, "d": 2, "x": 0}
    ideal = 3 / log2(2) + 2 / log2(3) + 2 / log2(4)
    assert ndcg(["a", "b", "c"], qrels, 10) == pytest.approx((3 + 1) / ideal)
    assert ndcg(["a", "c", "d"], qrels, 10) == pytest.approx(1.0)


def test_ndcg_counts_only_the_first_k_and_never_goes_below_zero() -> None:
    """What stands beyond k gains nothing, and a grade below zero costs nothing."""
    assert ndcg(["b", "a"], {"a": 1}, 1) == 0
    assert ndcg(["b"], {"b": -1, "a": 1}, 10) == 0


def test_recall_is_the_share_of_relevant_documents_found() -> None:
    """One of two relevant documents among the first two is a recall of one half."""
    assert recall(["a", "x", "b"], {"a": 1, "b": 2, "x": 0}, 2) == 0.5
    assert recall(["a"], {"x": 0}, 2) == 0


def test_mean_reciprocal_rank_of_first_second_fourth_and_a_miss() -> None:
    """Ranks 1, 2, 4 and a miss give a mean reciprocal rank of .4375 and hits of 1/4, 2/4 and 3/4."""
    qrels = {"yes": 1}
    rankings = [["yes"], ["n", "yes"], ["n", "o", "p", "yes"], ["n"]]
    measures = measure([(ranked, qrels) for ranked in rankings])
    assert measures.mrr_at_10 == 0.4375
    assert (measures.hit_at_1, measures.hit_at_3, measures.hit_at_10) == (0.25, 0.5, 0.75)
    assert measures.as_dict()["mrr@10"] == 0.4375


def test_a_relevant_document_beyond_k_is_a_miss() -> None:
    """Rank 11 counts for nothing at ten."""
    ranked = [*"abcdefghij", "yes"]
    assert reciprocal_rank(ranked, {"yes": 1}, 10) == 0
    assert hit(ranked, {"yes": 1}, 10) == 0
    assert hit(ranked, {"yes": 1}, 11) == 1


def test_questions_without_a_relevant_document_are_left_out() -> None:
    """A question nobody could answer does not lower the mean; none at all gives zeros."""
    assert measure([(["a"], {"a": 1}), (["a"], {"a": 0})]).mrr_at_10 == 1
    assert measure([]).ndcg_at_10 == 0


@given(ranked=documents, qrels=judgements, k=st.integers(1, 12))
def test_every_measure_lies_between_zero_and_one(ranked: list[str], qrels: dict[str, int], k: int) -> None:
    """Whatever the ranking and the grades, a measure is a share."""
    for measured in (ndcg, recall, reciprocal_rank, hit):
        assert 0 <= measured(ranked, qrels, k) <= 1 + 1e-12


@given(qrels=judgements)
def test_the_ideal_order_has_an_ndcg_of_one(qrels: dict[str, int]) -> None:
    """Sorting by grade is the best that can be done."""
    ranked = sorted(qrels, key=lambda doc: -qrels[doc])
    assert ndcg(ranked, qrels, 10) == pytest.approx(1.0 if max(qrels.values()) > 0 else 0.0)
