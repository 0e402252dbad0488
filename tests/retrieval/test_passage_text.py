"""The stored form of a passage."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import IndexDamaged
from retrieval.store.passage_text import pack_text, unpack_text


@given(st.text())
def test_a_text_comes_back_as_it_was(text: str) -> None:
    """Packing loses nothing."""
    assert unpack_text(pack_text(text)) == text


def test_prose_is_stored_in_less() -> None:
    """Packing makes ordinary text shorter."""
    text = "A passage about ranking, and another sentence about ranking passages by their words. " * 10
    assert len(pack_text(text)) < len(text) / 2


@pytest.mark.parametrize("stored", [b"", b"plain text", pack_text("a passage")[:-3]])
def test_damaged_bytes_are_a_damaged_index(stored: bytes) -> None:
    """Bytes that are no packed text raise the error that names the way out."""
    with pytest.raises(IndexDamaged, match="sluice index --full"):
        unpack_text(stored)
