"""The configuration reference."""

from __future__ import annotations

from pathlib import Path

from config.reference import render_reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"


def test_the_committed_reference_equals_the_generated_one() -> None:
    """A change of the settings without a new reference is noticed; run scripts/write_reference.py."""
    assert PAGE.read_text(encoding="utf-8") == render_reference()
