"""Tags: whatever a feed calls its categories, Obsidian accepts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_router.tags import obsidian_tag, obsidian_tags


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("python", "python"),
        ("#python", "python"),
        ("Machine Learning", "Machine-Learning"),
        ("topic/ai", "topic/ai"),
        ("/a // b/", "a/b"),
        ("R&D: news", "R-D-news"),
        ("2026", "_2026"),
        ("1/2", "_1/2"),
        ("Künstliche Intelligenz", "Künstliche-Intelligenz"),
        ("日本", "日本"),
        ("---", ""),
        ("", ""),
        ("\u202e\0", ""),
    ],
)
def test_a_tag_is_made_valid(tag: str, expected: str) -> None:
    """Spaces and signs become hyphens, numbers get a mark that makes them a tag."""
    assert obsidian_tag(tag) == expected


def test_tags_that_differ_in_case_are_one() -> None:
    """The first spelling stays, in its place."""
    assert obsidian_tags(["AI", "web", "ai", "#Web", "", "x"]) == ["AI", "web", "x"]


def test_a_flood_of_tags_is_cut_off() -> None:
    """Twenty tags are kept of a thousand."""
    assert obsidian_tags(f"tag{n}" for n in range(1000)) == [f"tag{n}" for n in range(20)]


@given(st.text(max_size=400))
def test_every_tag_is_valid_or_empty(tag: str) -> None:
    """No space, no forbidden sign, never numbers alone, of bounded length, and stable."""
    valid = obsidian_tag(tag)

    assert len(valid) <= 61
    assert not any(c.isspace() or c in "#,.:;!?'\"()[]{}&%$^*+=<>|\\`" for c in valid)
    assert not valid or any(not c.isnumeric() and c not in "/-" for c in valid)
    assert valid == obsidian_tag(valid)
