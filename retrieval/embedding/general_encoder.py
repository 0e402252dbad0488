"""Any model that model2vec can load, by its own code: for tokenizers the fast path does not know."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from model2vec import StaticModel

from retrieval.embedding.static_encoder import normalised
from retrieval.embedding.types import Prompts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class GeneralEncoder:
    """Embeds by `StaticModel.encode`. Safe to share between threads.

    Args:
        name: The model as the configuration names it.
        fingerprint: Changes with weights, tokenizer and the way of encoding.
        model: The model.
        prompts: What goes before queries and documents.
    """

    def __init__(
        self,
        name: str,
        fingerprint: str,
        model: StaticModel,
        prompts: Prompts = Prompts(),  # noqa: B008  frozen
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.prompts = prompts
        self._model = model
        self._lock = Lock()  # encode() changes the truncation of the shared tokenizer while it runs

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return int(self._model.dim)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages; see `Embedder.embed_documents`."""
        return self._encode([self.prompts.document + text for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a query; see `Embedder.embed_query`."""
        vector: NDArray[np.float32] = self._encode([self.prompts.query + text])[0]
        return vector

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        if not texts:  # which encode() refuses
            return np.zeros((0, self.dimension), np.float32)
        sound = [text.encode("utf-8", "ignore").decode() for text in texts]
        with self._lock:
            vectors = self._model.encode(sound, max_length=None, normalize=False, use_multiprocessing=False)
        return normalised(vectors.astype(np.float32))


def read_model(folder: Path) -> StaticModel:
    """Load a model through model2vec.

    Args:
        folder: A model folder in any layout model2vec knows.

    Returns:
        The model.

    Raises:
        ValueError: The folder holds no model that model2vec can load.
    """
    try:
        return StaticModel.from_pretrained(folder, force_download=False)
    except Exception as err:  # three libraries read these files; what they raise has no common base
        raise ValueError(str(err)) from err
