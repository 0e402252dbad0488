"""The teacher: a sentence transformer that the static model learns to imitate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from model2vec.distill import distill_from_model
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MAX_TOKENS = 128
"""What the teacher reads of a text, in tokens."""

_BATCH = 256


class Teacher:
    """all-MiniLM-L6-v2, mean-pooled.

    Args:
        folder: Folder of the transformer model.
        bfloat16: Whether it computes in bfloat16: several times faster on processors with instructions for it,
            several times slower on others.
    """

    def __init__(self, folder: Path, *, bfloat16: bool = False) -> None:
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        self._dtype: Any = torch.bfloat16 if bfloat16 else torch.float32
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModel.from_pretrained(folder).eval()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts.

        Args:
            texts: Any texts.

        Returns:
            (len(texts), 384) float32, rows L2-normalised.
        """
        model = self.model.to(self._dtype)
        vectors = np.zeros((len(texts), model.config.hidden_size), np.float32)
        # Texts of like length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        with torch.inference_mode():
            for start in range(0, len(order), _BATCH):
                rows = order[start : start + _BATCH]
                vectors[rows] = self._encode_batch(model, [texts[row] for row in rows])
        return vectors

    def _encode_batch(self, model: Any, texts: list[str]) -> NDArray[np.float32]:  # noqa: ANN401  untyped library
        inputs = self.tokenizer(texts, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt")
        hidden = model(**inputs).last_hidden_state.float()
        mask = inputs["attention_mask"].unsqueeze(-1).float()
        pooled = (hidden * mask).sum(1) / mask.sum(1)
        batch: NDArray[np.float32] = torch.nn.functional.normalize(pooled, dim=1).numpy()
        return batch


def leading_axes(vectors: NDArray[np.float32], dimension: int) -> NDArray[np.float32]:
    """Express vectors on their leading principal axes, uncentred so that cosines survive.

    Args:
        vectors: (n, d) float32.
        dimension: How many axes are kept, at most d.

    Returns:
        (n, dimension) float32, rows L2-normalised.
    """
    _values, axes = np.linalg.eigh(vectors.T @ vectors)
    projected = vectors @ axes[:, ::-1][:, :dimension]
    normalised: NDArray[np.float32] = projected / np.linalg.norm(projected, axis=1, keepdims=True)
    return normalised


def distil(teacher: Teacher, dimension: int) -> tuple[NDArray[np.float32], Tokenizer]:
    """Distil the teacher's vocabulary: every token alone through the transformer, then PCA.

    Args:
        teacher: The teacher.
        dimension: Length of the vectors.

    Returns:
        (vocabulary, dimension) float32 token vectors, and the tokenizer they belong to without truncation and
        padding.
    """
    distilled = distill_from_model(teacher.model.float(), teacher.tokenizer, pca_dims=dimension, quantize_to="float32")
    tokenizer = distilled.tokenizer
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return distilled.embedding.astype(np.float32), tokenizer
