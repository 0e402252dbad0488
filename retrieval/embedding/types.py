"""What the rest of retrieval knows of an embedding model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Prompts:
    """What a model wants to read before the text itself; static models want nothing.

    Attributes:
        query: Put before every query.
        document: Put before every document.
    """

    query: str = ""
    document: str = ""


class Embedder(Protocol):
    """A model that turns text into vectors whose dot product is their cosine."""

    @property
    def name(self) -> str:
        """Return the model as the configuration names it."""
        ...

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return a text that changes whenever the vector of any text could change."""
        ...

    @property
    def prompts(self) -> Prompts:
        """Return what the model puts before queries and documents."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages.

        Args:
            texts: Passages of any length and content; none is cut.

        Returns:
            (len(texts), dimension) float32, in order. A row is L2-normalised, or all zero where the text
            holds nothing the model knows: that has no direction, so no vector is stored for it. Never NaN.
        """
        ...

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a query.

        Args:
            text: The query as typed.

        Returns:
            (dimension,) float32, L2-normalised, or all zero where the model knows none of the words: then
            there is nothing to compare and the vector leg stays out.
        """
        ...
