"""Measuring retrieval on judged questions."""

from __future__ import annotations

from retrieval.evaluation.beir import EvaluationSet, load_beir
from retrieval.evaluation.evaluate import SetEvaluation, evaluate_set

__all__ = ["EvaluationSet", "SetEvaluation", "evaluate_set", "load_beir"]
