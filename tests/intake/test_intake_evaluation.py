"""Figures that say how well scores agree with readers."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.settings import RoutingSettings
from intake.evaluation import (
    Labels,
    area_under_curve,
    average_precision,
    average_ranks,
    evaluate_intake,
    rank_correlation,
)
from intake.types import Dimension, DomainMatch, ScoreCard

ROUTING = RoutingSettings(keep_threshold=0.55, review_threshold=0.40)


def card(composite: float, domain: str = "ai", value: float = 0.5) -> ScoreCard:
    """A card with one value for all dimensions."""
    part = Dimension(value)
    return ScoreCard(part, part, part, part, composite, (DomainMatch(domain, 0.9), DomainMatch("web", 0.1)), "1-0")


def labels(worth: float, *domains: str, value: float = 1.0) -> Labels:
    """Labels with one value for all dimensions."""
    return Labels(worth, value, value, value, value, domains or ("ai",))


@pytest.mark.parametrize(
    ("scores", "positive", "expected"),
    [
        ([0.9, 0.8, 0.2, 0.1], [True, True, False, False], 1.0),
        ([0.1, 0.2, 0.8, 0.9], [True, True, False, False], 0.0),
        ([0.9, 0.5, 0.4, 0.1], [True, False, True, False], 0.75),  # 3 of 4 pairs in order
        ([0.5, 0.5], [True, False], 0.5),
        ([0.9, 0.5, 0.5, 0.1], [True, True, False, False], 0.875),  # 3 pairs and half a pair, of 4
        ([0.9], [True], None),
        ([], [], None),
    ],
)
def test_auc_is_the_share_of_pairs_in_order(scores: list[float], positive: list[bool], expected: float | None) -> None:
    """A tie is half a pair, and without both classes there is nothing to say."""
    assert area_under_curve(scores, positive) == expected


@pytest.mark.parametrize(
    ("scores", "positive", "expected"),
    [
        ([0.9, 0.8, 0.2], [True, True, False], 1.0),
        ([0.9, 0.8, 0.2], [True, False, True], (1 + 2 / 3) / 2),
        ([0.9, 0.8, 0.2], [False, False, True], 1 / 3),
        ([0.5, 0.5, 0.5, 0.5], [True, False, False, False], 0.25),
        ([0.9, 0.5, 0.5], [False, True, False], 1 / 3),
        ([0.9], [False], None),
    ],
)
def test_average_precision_takes_ties_as_one_step(
    scores: list[float], positive: list[bool], expected: float | None
) -> None:
    """The order of equal scores makes no difference."""
    found = average_precision(scores, positive)
    assert found == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([1, 2, 3], [10, 20, 90], 1.0),
        ([1, 2, 3], [3, 2, 1], -1.0),
        ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8),  # 1 - 6 * 4 / (5 * 24)
        ([1, 2, 2, 3], [1, 2, 3, 4], 4.5 / math.sqrt(4.5 * 5)),
        ([1, 1], [1, 2], None),
        ([], [], None),
    ],
)
def test_rank_correlation_is_spearmans(left: list[float], right: list[float], expected: float | None) -> None:
    """Hand-worked examples, with average ranks where values tie."""
    found = rank_correlation(left, right)
    assert found == (None if expected is None else pytest.approx(expected))


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    """The second and third place make two and a half."""
    assert average_ranks([0.1, 0.5, 0.5, 0.9]) == [1.0, 2.5, 2.5, 4.0]


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), st.booleans()), min_size=1, max_size=20))
def test_auc_and_precision_do_not_depend_on_the_order(items: list[tuple[float, bool]]) -> None:
    """Figures belong to the set of items, stay within 0 and 1, and turning the scores round turns AUC round."""
    scores, positive = [score for score, _ in items], [flag for _, flag in items]
    area, precision = area_under_curve(scores, positive), average_precision(scores, positive)
    assert area == area_under_curve(scores[::-1], positive[::-1])
    assert precision is None or precision == pytest.approx(average_precision(scores[::-1], positive[::-1]))
    assert precision is None or 0 < precision <= 1
    if area is not None:
        assert area_under_curve([-score for score in scores], positive) == pytest.approx(1 - area)


def test_signals_are_counted_by_where_they_would_go() -> None:
    """Written from the keep threshold on, queued from the review threshold on, and what is lost is named."""
    result = evaluate_intake(
        [
            (card(0.55), labels(3.0)),
            (card(0.90), labels(1.5)),
            (card(0.60), labels(1.0)),
            (card(0.5499), labels(3.0)),
            (card(0.40), labels(0.0)),
            (card(0.3999), labels(2.5)),
            (card(0.10), labels(2.0)),
            (card(0.10), labels(0.0)),
        ],
        ROUTING,
    )
    assert (result.written, result.queued, result.dropped) == (3, 2, 3)
    assert result.written_precision == pytest.approx(2 / 3)
    assert result.top_lost == 1


def test_a_domain_is_right_if_any_reader_named_it_and_matters_only_where_there_is_worth() -> None:
    """Worthless signals and those without a domain are left out."""
    result = evaluate_intake(
        [
            (card(0.5, "ai"), labels(1.0, "ai")),
            (card(0.5, "ai"), labels(3.0, "web", "ai")),
            (card(0.5, "ai"), labels(2.0, "web")),
            (card(0.5, "ai"), labels(0.5, "web")),
            (card(0.5, "ai"), labels(2.0, "none")),
            (card(0.5, "ai"), labels(1.0, "none", "society")),
        ],
        ROUTING,
    )
    assert result.domain_accuracy == 0.5


def test_the_figures_have_exactly_the_published_keys() -> None:
    """The JSON form is stable, and None where nothing could be measured."""
    pairs = [(card(0.9, value=0.9), labels(3.0, value=3.0)), (card(0.1, value=0.1), labels(0.0, value=0.0))]
    assert json.loads(json.dumps(evaluate_intake(pairs, ROUTING).as_dict())) == {
        "signals": 2,
        "auc": 1.0,
        "average_precision": 1.0,
        "written": {"n": 1, "precision": 1.0},
        "queued": {"n": 0},
        "dropped": {"n": 1, "top_lost": 0},
        "domain_accuracy": 1.0,
        "spearman": {
            "relevance": pytest.approx(1.0), "actionability": pytest.approx(1.0),
            "depth": pytest.approx(1.0), "authority": pytest.approx(1.0),
        },
    }  # fmt: skip
    assert evaluate_intake([], ROUTING).as_dict() == {
        "signals": 0,
        "auc": None,
        "average_precision": None,
        "written": {"n": 0, "precision": None},
        "queued": {"n": 0},
        "dropped": {"n": 0, "top_lost": 0},
        "domain_accuracy": None,
        "spearman": {"relevance": None, "actionability": None, "depth": None, "authority": None},
    }
