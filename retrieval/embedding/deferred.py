"""A model that is loaded when something is embedded: a run that finds nothing changed never needs it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from retrieval.embedding.loading import fingerprint_of, load_embedder

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from retrieval.embedding.types import Embedder, Prompts


class DeferredEmbedder:
    """An embedder whose fingerprint is known at once, and whose weights are read by the first use.

    Args:
        name: The model as the configuration names it.

    Raises:
        ModelUnavailable: There is no such model. A model that is there but damaged raises it at the first use.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.fingerprint = fingerprint_of(name)

    @cached_property
    def loaded(self) -> Embedder:
        """The model itself."""
        return load_embedder(self.name)

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return self.loaded.dimension

    @property
    def prompts(self) -> Prompts:
        """Return what the model puts before queries and documents."""
        return self.loaded.prompts

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages; see `Embedder.embed_documents`."""
        return self.loaded.embed_documents(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a query; see `Embedder.embed_query`."""
        return self.loaded.embed_query(text)
