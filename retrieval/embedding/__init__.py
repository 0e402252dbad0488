"""Turn text into vectors: one protocol, a bundled static model, any other model2vec model by name."""

from __future__ import annotations

from retrieval.embedding.loading import BUNDLED, fingerprint_of, load_embedder
from retrieval.embedding.types import Embedder, Prompts

__all__ = ["BUNDLED", "Embedder", "Prompts", "fingerprint_of", "load_embedder"]
