"""Scoring: what a signal is worth in four dimensions, with the reasons."""

from __future__ import annotations

from intake.scoring.composite import RULES, Scorer

__all__ = ["RULES", "Scorer"]
