"""From the files of a vault to the rows of an index."""

from __future__ import annotations

from retrieval.indexing.run import index_vault

__all__ = ["index_vault"]
