"""The student: one vector per token, a text is the mean of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer


_UNKNOWN = "[UNK]"  # of BERT's vocabulary; the finished model leaves unknown words out, so does the student


@dataclass(frozen=True, slots=True)
class TokenizedTexts:
    """Token ids of many texts, end to end.

    Attributes:
        tokens: (n,) int64, token ids without those of unknown words.
        bounds: (texts + 1,) int64; text i has `tokens[bounds[i]:bounds[i + 1]]`.
    """

    tokens: NDArray[np.int64]
    bounds: NDArray[np.int64]

    def bag(self, rows: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return token ids and offsets of some texts, as `torch.nn.EmbeddingBag` takes them."""
        starts, ends = self.bounds[rows], self.bounds[rows + 1]
        lengths = ends - starts
        offsets = np.cumsum(lengths) - lengths
        places = np.repeat(starts - offsets, lengths) + np.arange(int(lengths.sum()))
        return torch.from_numpy(self.tokens[places]), torch.from_numpy(offsets)


def tokenize(tokenizer: Tokenizer, texts: Sequence[str]) -> TokenizedTexts:
    """Tokenise texts as the finished model will.

    Args:
        tokenizer: The student's tokenizer, without truncation and padding.
        texts: Any texts.

    Returns:
        Their tokens, in order.
    """
    encodings = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
    unknown = tokenizer.token_to_id(_UNKNOWN)
    ids = [[token for token in encoding.ids if token != unknown] for encoding in encodings]
    bounds = np.concatenate(([0], np.cumsum([len(tokens) for tokens in ids]))).astype(np.int64)
    return TokenizedTexts(np.fromiter(chain.from_iterable(ids), np.int64, int(bounds[-1])), bounds)


def student_of(table: NDArray[np.float32]) -> torch.nn.EmbeddingBag:
    """Return a trainable student that starts from a table of token vectors.

    Args:
        table: (vocabulary, dimension) float32.

    Returns:
        A bag that averages.
    """
    return torch.nn.EmbeddingBag.from_pretrained(torch.from_numpy(table.copy()), freeze=False, mode="mean")


def table_of(student: torch.nn.EmbeddingBag) -> NDArray[np.float32]:
    """Return the token vectors of a student, (vocabulary, dimension) float32."""
    table: NDArray[np.float32] = student.weight.detach().numpy().copy()
    return table


def encode(table: NDArray[np.float32], texts: TokenizedTexts, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Embed some texts with a table of token vectors.

    Args:
        table: (vocabulary, dimension) float32.
        texts: Tokenised texts.
        rows: (n,) int64, which of them.

    Returns:
        (n, dimension) float32, means of token vectors, not normalised.
    """
    with torch.inference_mode():
        vectors: NDArray[np.float32] = student_of(table)(*texts.bag(rows)).numpy()
    return vectors
