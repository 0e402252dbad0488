"""Fusion of the two legs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.settings import FusionMethod, FusionSettings
from retrieval.fusion import convex_scores, fuse, reciprocal_rank_scores

RRF = FusionSettings(method=FusionMethod.RRF)
CONVEX = FusionSettings(method=FusionMethod.CONVEX, vector_share=0.4)
BOTH = pytest.mark.parametrize("settings", [RRF, CONVEX])

Leg = list[tuple[int, float]]


def _leg(scores: dict[int, float]) -> Leg:
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


legs = st.dictionaries(st.integers(1, 30), st.floats(0.01, 1.0), max_size=12).map(_leg)


def test_equal_weights_add_the_reciprocals_of_both_ranks() -> None:
    """Rank 1 in one leg and rank 3 in the other score 1/61 + 1/63."""
    keyword = [(7, 9.0), (1, 8.0), (2, 7.0)]
    vector = [(3, 0.9), (4, 0.8), (7, 0.7)]
    best = fuse(keyword, vector, dict(vector), RRF)[0]
    assert (best.chunk_id, best.keyword_rank, best.vector_rank) == (7, 1, 3)
    assert best.score == pytest.approx(0.0323, abs=5e-5)
    assert best.score == pytest.approx(1 / 61 + 1 / 63)


def test_weights_scale_the_reciprocal_of_their_leg() -> None:
    """Rank 1 with weight 1 and rank 2 with weight 0.5 score 1/61 + 0.5/62."""
    settings = replace(RRF, rrf_keyword_weight=1.0, rrf_vector_weight=0.5)
    vector = [(8, 0.9), (7, 0.8)]
    scores = {c.chunk_id: c.score for c in fuse([(7, 3.0)], vector, dict(vector), settings)}
    assert scores[7] == pytest.approx(0.02446, abs=5e-6)
    assert scores == pytest.approx({7: 1 / 61 + 0.5 / 62, 8: 0.5 / 61})


def test_reciprocal_ranks_use_the_constant_they_are_given() -> None:
    """The constant is added to every rank."""
    assert reciprocal_rank_scores([({5: 2}, 3.0)], 8.0) == {5: 0.3}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (replace(RRF, rrf_vector_weight=0.0), [1, 2]),
        (replace(RRF, rrf_keyword_weight=0.0), [3, 1]),
        (replace(CONVEX, vector_share=0.0), [1, 2]),
        (replace(CONVEX, vector_share=1.0), [3, 1]),
    ],
)
def test_a_weight_of_zero_switches_a_leg_off(settings: FusionSettings, expected: list[int]) -> None:
    """What only the switched-off leg found is not a candidate, and its order has no say."""
    keyword, vector = [(1, 4.0), (2, 3.0)], [(3, 0.9), (1, 0.8)]
    assert [c.chunk_id for c in fuse(keyword, vector, dict(vector), settings)] == expected


def test_convex_fusion_worked_by_hand() -> None:
    """BM25 4 and 2 scale to 1 and 0.5, cosines 0.8 and 0.4 to 1 and 0.5; a chunk of one leg has its true cosine."""
    keyword, vector = [(1, 4.0), (2, 2.0)], [(3, 0.8)]
    fused = fuse(keyword, vector, {1: 0.4, 2: -0.3, 3: 0.8}, CONVEX)
    assert {c.chunk_id: c.score for c in fused} == pytest.approx(
        {1: 0.6 * 1 + 0.4 * 0.5, 2: 0.6 * 0.5 + 0.4 * 0, 3: 0.6 * 0 + 0.4 * 1}
    )
    assert [c.chunk_id for c in fused] == [1, 3, 2]
    assert [(c.bm25, c.cosine) for c in fused] == [(4.0, 0.4), (None, 0.8), (2.0, -0.3)]


def test_convex_scores_of_nothing_are_nothing() -> None:
    """No candidates, and cosines that are all negative, divide by nothing."""
    assert convex_scores({}, {}, 0.4) == {}
    assert convex_scores({}, {1: -0.5}, 1.0) == {1: 0.0}


@BOTH
def test_fusing_two_empty_legs_gives_nothing(settings: FusionSettings) -> None:
    """No leg found anything: there are no candidates."""
    assert fuse([], [], {}, settings) == []


@BOTH
@given(leg=st.dictionaries(st.integers(1, 30), st.floats(-1.0, 1.0), max_size=12).map(_leg))
def test_an_empty_leg_leaves_the_other_in_its_order(settings: FusionSettings, leg: Leg) -> None:
    """One leg alone keeps its order, negative cosines included."""
    positive = [(chunk_id, score + 2.0) for chunk_id, score in leg]
    assert [c.chunk_id for c in fuse(positive, [], {}, settings)] == [i for i, _ in leg]
    assert [c.chunk_id for c in fuse([], leg, dict(leg), settings)] == [i for i, _ in leg]


@pytest.mark.parametrize(
    "settings",
    [
        replace(RRF, rrf_keyword_weight=0.0, rrf_vector_weight=0.0),
        replace(CONVEX, vector_share=0.0),
        replace(CONVEX, vector_share=1.0),
    ],
)
def test_a_leg_that_is_asked_alone_needs_no_weight(settings: FusionSettings) -> None:
    """Weights balance two legs; where only one has results, its order stands whatever its weight."""
    assert [c.chunk_id for c in fuse([(4, 2.0), (2, 1.0)], [], {}, settings)] == [4, 2]
    assert [c.chunk_id for c in fuse([], [(4, 0.2), (2, 0.1)], {4: 0.2, 2: 0.1}, settings)] == [4, 2]


@given(keyword=legs, vector=legs)
def test_swapping_the_legs_changes_nothing_under_equal_weights(keyword: Leg, vector: Leg) -> None:
    """Reciprocal rank fusion does not depend on which leg comes first."""
    forward = fuse(keyword, vector, dict(vector), RRF)
    backward = fuse(vector, keyword, dict(keyword), RRF)
    assert [(c.chunk_id, c.score) for c in forward] == [(c.chunk_id, c.score) for c in backward]


@BOTH
@given(keyword=legs, vector=legs)
def test_fusion_returns_every_candidate_once_and_best_first(
    settings: FusionSettings, keyword: Leg, vector: Leg
) -> None:
    """The result is a ranking of the union of both lists."""
    fused = fuse(keyword, vector, dict(vector), settings)
    assert sorted(c.chunk_id for c in fused) == sorted({i for i, _ in (*keyword, *vector)})
    assert [c.score for c in fused] == sorted((c.score for c in fused), reverse=True)


@BOTH
@given(keyword=legs, vector=legs, chosen=st.integers(0, 11))
def test_rising_in_one_leg_never_lowers_the_score(
    settings: FusionSettings, keyword: Leg, vector: Leg, chosen: int
) -> None:
    """A chunk whose BM25 rises to just above its predecessor's keeps or raises its fused score."""
    if chosen >= len(keyword) or chosen == 0:
        return
    chunk_id, before = keyword[chosen][0], fuse(keyword, vector, dict(vector), settings)
    risen = [*keyword[: chosen - 1], (chunk_id, keyword[chosen - 1][1]), keyword[chosen - 1], *keyword[chosen + 1 :]]
    after = fuse(risen, vector, dict(vector), settings)
    old, new = (next(c.score for c in fused if c.chunk_id == chunk_id) for fused in (before, after))
    assert new >= old
