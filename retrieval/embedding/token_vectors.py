"""What an index keeps of a model so that queries can be embedded without loading it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedding.deferred import DeferredEmbedder
from retrieval.embedding.query_encoder import CONTINUATION, MAX_WORD_CHARS
from retrieval.embedding.static_encoder import StaticEncoder, unknown_token

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from retrieval.embedding.types import Embedder

_MAX_BYTES = 64 * 2**20
"""Size above which a model is not kept beside the passages. Our choice: twice that of common static models."""


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The word pieces of a static model.

    Attributes:
        number_format: `b` for int8, `f` for float32.
        special: Tokens that are no words, such as `[PAD]`.
        prompt: What the model wants to read before a query.
        rows: Piece and packed vector of everything but the token for unknown words.
    """

    number_format: str
    special: tuple[str, ...]
    prompt: str
    rows: list[tuple[str, bytes]]


def token_vectors_of(embedder: Embedder) -> TokenVectors | None:
    """Take a model apart into word pieces and their vectors.

    Returns:
        None where `QueryEncoder` would not embed queries as the model does, or the model is too large to be kept.
    """
    if isinstance(embedder, DeferredEmbedder):
        embedder = embedder.loaded
    if not isinstance(embedder, StaticEncoder) or not _is_plain(embedder.tokenizer):
        return None
    whole = bool((embedder.table == np.rint(embedder.table)).all() and np.abs(embedder.table).max(initial=0) < 128)  # noqa: PLR2004  int8
    table = embedder.table.astype(np.int8 if whole else np.float32)
    if table.nbytes > _MAX_BYTES:
        return None
    unknown = unknown_token(embedder.tokenizer)
    special = tuple(token.content for token in embedder.tokenizer.get_added_tokens_decoder().values())
    rows = [
        (piece, table[number].tobytes())
        for piece, number in embedder.tokenizer.get_vocab().items()
        if number != unknown and piece not in special
    ]
    return TokenVectors("b" if whole else "f", special, embedder.prompts.query, rows)


def _is_plain(tokenizer: Tokenizer) -> bool:
    """Tell whether a tokenizer differs from BERT's for lower-case text in nothing."""
    normalizer, model = tokenizer.normalizer, tokenizer.model
    return bool(
        normalizer.lowercase
        and normalizer.strip_accents is not False
        and normalizer.handle_chinese_chars
        and model.max_input_chars_per_word == MAX_WORD_CHARS
        and model.continuing_subword_prefix == CONTINUATION
    )
