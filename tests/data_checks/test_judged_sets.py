"""Retrieval and scoring on judged data: floors under what was reached, so that a change cannot lower it unnoticed."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.data

MEASURES = {"ndcg@10", "recall@10", "recall@100", "mrr@10", "hit@1", "hit@3", "hit@10"}
