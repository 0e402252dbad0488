"""The fast path for static models: look words up, add their vectors, normalise.

Equal to `model2vec.StaticModel.encode(texts, max_length=None, normalize=True)` to the last bits, with two
differences. A float16 model is summed in float32, which is nearer to the true sum. Lone surrogates, at which
model2vec raises, are left out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedding.types import Prompts
from retrieval.embedding.word_cache import PUNCTUATION, WordCache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from retrieval.embedding.word_cache import TokenLists

_BATCH = 512
"""Texts per step: enough to drown the fixed costs of numpy, few enough for some MB of working memory."""

_GATHERED_ROWS = 2048
"""Token vectors added at once; 2 MB of float32 at 256 dimensions, near the size of a second-level cache."""


class StaticEncoder:
    """Embeds by the sum of token vectors. Safe to share between threads.

    Args:
        name: The model as the configuration names it.
        fingerprint: Changes with weights, tokenizer and the way of encoding.
        table: (vocabulary, dimension) float32, one finite row per token id.
        tokenizer: One that `word_cache.understands` accepts; padding and truncation are switched off here.
        prompts: What goes before queries and documents.
    """

    def __init__(
        self,
        name: str,
        fingerprint: str,
        table: NDArray[np.float32],
        tokenizer: Tokenizer,
        prompts: Prompts = Prompts(),  # noqa: B008  frozen
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.prompts = prompts
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._table = table
        self._tokenizer = tokenizer
        self._unknown = unknown_token(tokenizer)
        self._added = tuple(token.content for token in tokenizer.get_added_tokens_decoder().values())
        self._words = WordCache(tokenizer, lowercase=bool(tokenizer.normalizer.lowercase), unknown=self._unknown)
        self._punctuation_table = self._rows_of_punctuation()

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return int(self._table.shape[1])

    @property
    def table(self) -> NDArray[np.float32]:
        """Return (vocabulary, dimension) float32, one row per token id."""
        return self._table

    @property
    def tokenizer(self) -> Tokenizer:
        """Return the tokenizer."""
        return self._tokenizer

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages; see `Embedder.embed_documents`."""
        prompt = self.prompts.document
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [prompt + text for text in texts[start : start + _BATCH]]
            vectors[start : start + len(batch)] = self._encode(batch)
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a query; see `Embedder.embed_query`."""
        vector: NDArray[np.float32] = self._encode([self.prompts.query + text])[0]
        return vector

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        together = "\n".join(texts)
        added = [token for token in self._added if token in together]
        spelt_out = (
            [place for place, text in enumerate(texts) if any(token in text for token in added)] if added else []
        )
        plain = list(texts)
        for place in spelt_out:
            plain[place] = ""
        sums = self._sum(self._words.split(plain))
        for place in spelt_out:
            sums[place] = self._table[self._tokenise_whole(texts[place])].sum(axis=0)
        return normalised(sums)

    def _sum(self, lists: TokenLists) -> NDArray[np.float32]:
        sums: NDArray[np.float32] = lists.punctuation @ self._punctuation_table
        ones = np.ones(_GATHERED_ROWS, np.float32)
        rows = np.empty((_GATHERED_ROWS, self.dimension), np.float32)
        bounds = lists.bounds.tolist()
        for place, (first, last) in enumerate(pairwise(bounds)):
            for start in range(first, last, _GATHERED_ROWS):
                tokens = lists.tokens[start : min(start + _GATHERED_ROWS, last)]
                # "clip" lets numpy write straight into `out`; every id is within the table.
                gathered = self._table.take(tokens, axis=0, out=rows[: len(tokens)], mode="clip")
                sums[place] += ones[: len(tokens)] @ gathered
        return sums

    def _tokenise_whole(self, text: str) -> list[int]:
        """Tokenise a text that spells out a special token such as `[PAD]`, hence is no sum over its words."""
        sound = text.encode("utf-8", "ignore").decode()
        ids = self._tokenizer.encode(sound, add_special_tokens=False).ids
        return [token for token in ids if token != self._unknown]

    def _rows_of_punctuation(self) -> NDArray[np.float32]:
        rows = np.zeros((len(PUNCTUATION), self.dimension), np.float32)
        for place, code in enumerate(PUNCTUATION):
            token = self._tokenizer.token_to_id(chr(code))
            if token is not None and token != self._unknown:
                rows[place] = self._table[token]
        return rows


def unknown_token(tokenizer: Tokenizer) -> int | None:
    """Return the id of the token that stands for unknown words, or None where there is none."""
    token = getattr(tokenizer.model, "unk_token", None)
    return None if token is None else tokenizer.token_to_id(token)


def normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale rows to length 1; a row of zeros stays one.

    Args:
        vectors: (n, dim) float32.

    Returns:
        (n, dim) float32.

    Raises:
        ValueError: A row holds NaN or infinity.
    """
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all():
        raise ValueError("the embedding model returned a vector that is not finite")
    scaled: NDArray[np.float32] = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
    return scaled
