"""Retrieval and scoring on judged data: floors under what was reached, so that a change cannot lower it unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command import Sluice

pytestmark = pytest.mark.data

MEASURES = {"ndcg@10", "recall@10", "recall@100", "mrr@10", "hit@1", "hit@3", "hit@10"}

# nDCG@10 that was reached, less half a point for rounding and library versions; see docs/measurements.md.
FLOORS = {
    "xquad_en": {"keyword": 0.964, "hybrid": 0.971},
    "xquad_de": {"keyword": 0.950, "hybrid": 0.956},
    "stackfaq": {"keyword": 0.826, "hybrid": 0.870},
    "cosqa": {"keyword": 0.388, "hybrid": 0.432},
    "scifact": {"keyword": 0.706, "hybrid": 0.713},
}


@pytest.mark.parametrize("name", FLOORS)
def test_the_hybrid_beats_the_keyword_leg_on_every_judged_set(sluice: Sluice, data_folder: Path, name: str) -> None:
    """`sluice eval` reports every leg and measure, none falls below what was reached, and fusion helps."""
    report = sluice.json("eval", str(data_folder / "ir" / name))
    assert report["set"] == name
    assert set(report["legs"]) == {"keyword", "vector", "hybrid", "hybrid_rrf"}
    for measures in report["legs"].values():
        assert set(measures) == MEASURES
        assert all(0 <= value <= 1 for value in measures.values())
    ndcg = {leg: measures["ndcg@10"] for leg, measures in report["legs"].items()}
    assert all(ndcg[leg] >= floor for leg, floor in FLOORS[name].items()), ndcg
    assert ndcg["hybrid"] > ndcg["keyword"]


def test_the_scorer_ranks_labelled_signals_as_their_readers_did(sluice: Sluice, data_folder: Path) -> None:
    """`sluice eval intake` reports every figure, and none falls below what was reached."""
    report = sluice.json("eval", "intake", str(data_folder / "signals" / "dev.jsonl"))
    assert report["signals"] == 264
    assert report["auc"] >= 0.94
    assert report["average_precision"] >= 0.80
    assert report["written"]["n"] >= 15
    assert report["written"]["precision"] >= 0.85
    assert report["dropped"]["top_lost"] == 0
    assert report["written"]["n"] + report["queued"]["n"] + report["dropped"]["n"] == 264
    assert report["domain_accuracy"] >= 0.84
    floors = {"relevance": 0.58, "actionability": 0.54, "depth": 0.76, "authority": 0.46}
    assert all(report["spearman"][name] >= floor for name, floor in floors.items()), report["spearman"]
