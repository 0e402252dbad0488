"""Minimums that a run has to reach."""

from __future__ import annotations

import pytest

from retrieval.errors import NothingToMeasure
from retrieval.evaluation.gate import Minimum, parse_minimum
from retrieval.evaluation.metrics import measure

LEGS = {"hybrid": measure([(["a"], {"a": 1}), (["x", "a"], {"a": 1}), (["x"], {"a": 1})])}


@pytest.mark.parametrize(
    ("text", "minimum"),
    [
        ("mrr@10=0.6", Minimum("hybrid", "mrr@10", 0.6)),
        ("hybrid.ndcg@10=0.6", Minimum("hybrid", "ndcg@10", 0.6)),
        (" keyword.hit@1 = 1 ", Minimum("keyword", "hit@1", 1.0)),
    ],
)
def test_a_minimum_names_leg_and_measure(text: str, minimum: Minimum) -> None:
    """Without a leg the hybrid is meant."""
    assert parse_minimum(text) == minimum


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mrr=0.6", "no measure 'mrr'"),
        ("words.mrr@10=0.6", "no leg 'words'"),
        (".mrr@10=0.6", "no leg ''"),
        ("mrr@10", "from 0 to 1"),
        ("mrr@10=60", "from 0 to 1"),
        ("mrr@10=nan", "from 0 to 1"),
        ("mrr@10=much", "from 0 to 1"),
    ],
)
def test_a_minimum_that_cannot_be_missed_or_met_is_refused(text: str, message: str) -> None:
    """A gate with a spelling mistake must not pass."""
    with pytest.raises(NothingToMeasure, match=message):
        parse_minimum(text)


def test_a_figure_as_printed_passes_as_its_own_minimum() -> None:
    """Two thirds are printed as .6667, which rounding must not put out of reach."""
    assert LEGS["hybrid"].as_dict()["hit@10"] == 0.6667
    assert parse_minimum("hit@10=0.6667").shortfall(LEGS) == ""
    assert parse_minimum("hit@10=0.6668").shortfall(LEGS) == "hybrid hit@10 is 0.6667, below the minimum of 0.6668"


def test_a_leg_that_was_not_measured_misses_its_minimum() -> None:
    """Without a model there is no vector leg, and a gate on it fails rather than passes."""
    assert "vector was not measured" in parse_minimum("vector.hit@1=0").shortfall(LEGS)
