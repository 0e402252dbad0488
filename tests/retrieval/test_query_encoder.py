"""Queries embedded by word pieces, against the model's own tokenizer and arithmetic."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from config.settings import IndexSettings
from retrieval.embedding import load_embedder
from retrieval.embedding.query_encoder import QueryEncoder, split_words
from retrieval.embedding.static_encoder import StaticEncoder
from retrieval.embedding.token_vectors import token_vectors_of
from retrieval.indexing import index_vault
from retrieval.store import schema
from retrieval.store.connection import open_for_reading
from retrieval.store.matrix_search import encode_vectors
from retrieval.store.token_table import query_encoder

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from retrieval.embedding.types import Embedder
    from retrieval.types import IndexReport

LETTERS = st.characters(max_codepoint=0x9FA5).filter(lambda c: QueryEncoder(lambda _: None, "b").understands(c))
WORDS = st.sampled_from(
    "backup Größe übergrößen naïve "
    "Ελλάδα ΟΔΟΣ Привет 知識管理 かな ガ don't state-of-the-art C++ xyzzyq İstanbul ﬁ [x] _a_ "
    "38.101 €5 \u201eso\u201c \u2013 \u2026 ½ ß ẞ \u00a0 \t".split(" ")
)


@pytest.fixture(scope="module")
def model() -> StaticEncoder:
    embedder = load_embedder("bundled")
    assert isinstance(embedder, StaticEncoder)
    return embedder


@pytest.fixture(scope="module")
def encoder(model: StaticEncoder) -> QueryEncoder:
    tokens = token_vectors_of(model)
    assert tokens is not None
    return QueryEncoder(dict(tokens.rows).get, tokens.number_format, tokens.special, tokens.prompt)


def _pieces_by_model(model: StaticEncoder, text: str) -> list[str]:
    pieces = model.tokenizer.encode(text, add_special_tokens=False).tokens
    return [piece for piece in pieces if piece != "[UNK]"]


def _pieces(model: StaticEncoder, text: str) -> list[str]:
    vocabulary = model.tokenizer.get_vocab()
    named = QueryEncoder(lambda piece: piece.encode() if piece in vocabulary else None, "b")
    return [row.decode() for word in split_words(text) for row in named._pieces(word)]


def _differ_by_rounding(one: bytes | None, other: bytes | None) -> bool:
    """Rounding of an exact half is where single precision and integers may part, by one.

    Halves are common where the largest sum is twice the largest code; one wrong word piece changes codes by far more.
    """
    if one is None or other is None:
        return one is other
    pairs = zip(memoryview(one).cast("b"), memoryview(other).cast("b"), strict=True)
    return all(abs(a - b) <= 1 for a, b in pairs)


@given(st.lists(WORDS | st.text(LETTERS, max_size=12), max_size=12).map(" ".join))
@example("ΟΔΟΣ ΟΔΟΣ かな 38.101 4ºº")  # many components on an exact half
def test_word_pieces_are_those_of_the_tokenizer(model: StaticEncoder, encoder: QueryEncoder, text: str) -> None:
    """English, German, Greek, Cyrillic, Chinese, kana, accents, punctuation and unknown words are cut alike."""
    if encoder.understands(text):
        assert _pieces(model, text) == _pieces_by_model(model, text)
        by_model = encode_vectors(model.embed_query(text)[None, :])[0]
        assert _differ_by_rounding(encoder.encode(text), by_model)


def test_every_character_it_understands_is_cut_as_the_tokenizer_does(
    model: StaticEncoder, encoder: QueryEncoder
) -> None:
    """Not one of twenty thousand characters is handled otherwise, alone or inside a word."""
    understood = [c for c in map(chr, range(0x9FFF)) if encoder.understands(c)]
    assert len(understood) > 20_000
    for start in range(0, len(understood), 50):
        text = " ".join(f"{c} ba{c}ck" for c in understood[start : start + 50])
        assert _pieces(model, text) == _pieces_by_model(model, text)


@pytest.mark.parametrize(
    "text", ["\x00", "a\u200bb", "\u0301", "🙂", "[PAD]", "x [UNK] y", "한국어", "\u0600", "\x85", "ﬁ"]
)
def test_what_only_the_tokenizer_should_handle_is_left_to_it(encoder: QueryEncoder, text: str) -> None:
    """Controls, lone accents, emoji, special tokens and scripts with rules of their own are not guessed at."""
    assert not encoder.understands(text)


@pytest.mark.parametrize("text", ["", " ", "\u1234"[:0], "x" * 101])
def test_a_text_without_a_known_word_has_no_code(encoder: QueryEncoder, text: str) -> None:
    """Nothing has no direction."""
    assert encoder.encode(text) is None


def test_a_float_model_is_embedded_in_its_own_numbers() -> None:
    """Vectors of float32 are summed as they stand; a repeated word counts twice."""
    from array import array  # noqa: PLC0415  only here

    vectors = {"a": array("f", [1.0, 0.0]).tobytes(), "b": array("f", [0.0, 0.5]).tobytes()}
    assert QueryEncoder(vectors.get, "f").encode("A b B b b a") == bytes([127, 127])
    assert QueryEncoder(vectors.get, "f", prompt="b ").encode("a") == bytes([127, 64])


def test_an_index_holds_the_word_pieces_of_its_model(
    vault: Path, index_file: Path, now: datetime, model: StaticEncoder, encoder: QueryEncoder
) -> None:
    """What the index embeds a query to is what its model would."""
    index_vault(vault, index_file, IndexSettings(), model, now=now)
    with closing(open_for_reading(index_file)) as connection:
        of_index = query_encoder(connection, schema.read_finished_meta(connection))
        assert of_index is not None
        for text in ("rotate the backup keys", "Größe übergroßer Wörter", "中 人"):
            assert of_index.encode(text) == encoder.encode(text) is not None


def test_a_model_of_another_kind_leaves_no_word_pieces(
    run_index: Callable[..., IndexReport], index_file: Path, embedder: Embedder
) -> None:
    """Such an index is searched by loading its model."""
    assert token_vectors_of(embedder) is None
    run_index()
    with closing(open_for_reading(index_file)) as connection:
        assert query_encoder(connection, schema.read_finished_meta(connection)) is None
