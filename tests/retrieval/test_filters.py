"""Filters of a query, against brute force over the same notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.query.filters import Filter, FilterKind, parse_filter
from retrieval.query.parsing import parse_query
from retrieval.types import SearchMode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from retrieval.retriever import Retriever

NOTES = {
    "Projects/backup.md": ("[ops, python/async]", "guide", "2025-01-10"),
    "Projects/old/keys.md": ("[Ops]", "note", "2024-12-31"),
    "Archive/keys.md": ("[python]", "Guide", "2025-02-01"),
    "Straße/undated.md": ("[operations, '100%']", "", ""),
}

EXPECTED = {
    "tag:ops": {"Projects/backup.md", "Projects/old/keys.md"},
    "tag:#OPS": {"Projects/backup.md", "Projects/old/keys.md"},
    "tag:python": {"Projects/backup.md", "Archive/keys.md"},
    "tag:100%": {"Straße/undated.md"},
    "tag:%": set(),
    "-tag:ops": {"Archive/keys.md", "Straße/undated.md"},
    "path:keys": {"Projects/old/keys.md", "Archive/keys.md"},
    'path:"projects/old"': {"Projects/old/keys.md"},
    "path:STRASSE": {"Straße/undated.md"},
    "path:_": set(),
    "type:guide": {"Projects/backup.md", "Archive/keys.md"},
    "domain:old": {"Projects/old/keys.md"},
    "domain:projects": {"Projects/backup.md", "Projects/old/keys.md"},
    "after:2025": {"Projects/backup.md", "Archive/keys.md"},
    "after:2025-01-10": {"Projects/backup.md", "Archive/keys.md"},
    "before:2025-01-10": {"Projects/old/keys.md"},
    "-after:2025": {"Projects/old/keys.md", "Straße/undated.md"},
    "tag:python after:2025-01-11": {"Archive/keys.md"},
}


@pytest.fixture
def filtered(
    write_note: Callable[..., Path], run_index: Callable[..., object], open_retriever: Callable[..., Retriever]
) -> Retriever:
    """Return a retriever of the notes above, each of which says the same."""
    for path, (tags, kind, day) in NOTES.items():
        day_line = f"date: {day}\n" if day else ""
        body = "Rotate the backup keys every month, and keep a copy."
        write_note(path, f"---\ntags: {tags}\ntype: {kind}\n{day_line}---\n{body}\n")
    run_index()
    return open_retriever()


@pytest.mark.parametrize("mode", list(SearchMode))
def test_filters_act_in_every_leg_and_equal_brute_force(filtered: Retriever, mode: SearchMode) -> None:
    """What a filter leaves is the same whichever leg is asked, with a limit of one note as with all."""
    for query, expected in EXPECTED.items():
        answer = filtered.search(f"rotate keys {query}", mode=mode)
        found = {path for result in answer.results for path in (result.path, *result.also_in)}
        assert found == expected, query
        first = filtered.search(f"rotate keys {query}", mode=mode, limit=1)
        assert len(first.results) == min(1, len(expected))


@pytest.mark.parametrize(
    "word", ["tag:", "after:soon", "before:2025-13", "after:2025-02-30", "colour:red", "tag", ":x", "after:٢٠٢٥"]
)
def test_what_is_no_valid_filter_is_an_ordinary_word(word: str) -> None:
    """Nothing a person types is lost or refused."""
    parsed = parse_query(f"keys {word}")
    assert parsed.filters == ()
    assert parsed.text == f"keys {word}"


def test_filters_are_no_words_for_either_leg() -> None:
    """A filter says where to look, not what for; quotes allow spaces in it."""
    parsed = parse_query('keys tag:Ops -path:"My Archive" before:2025')
    assert parsed.terms == ("keys",)
    assert parsed.text == "keys"
    assert parsed.excluded == ()
    assert parsed.filters == (
        Filter(FilterKind.TAG, "ops"),
        Filter(FilterKind.PATH, "my archive", excluded=True),
        Filter(FilterKind.BEFORE, "2025"),
    )


@given(kind=st.sampled_from(list(FilterKind)), value=st.text(max_size=12))
def test_any_value_of_a_filter_is_read_or_left_a_word(kind: FilterKind, value: str) -> None:
    """Reading never raises, and what is read has the kind that was written."""
    found = parse_filter(f"{kind}:{value}")
    assert found is None or found.kind is kind
