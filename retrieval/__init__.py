"""Index a folder of Markdown, and find the right paragraph in it.

Example:
    >>> from retrieval import Retriever
    >>> with Retriever.open(index_file) as retriever:  # doctest: +SKIP
    ...     for result in retriever.search("rotate backup keys").results:
    ...         print(result.path, result.section, result.score)
"""

from __future__ import annotations

from retrieval.context import ContextBlock, build_context
from retrieval.errors import (
    IndexBusy,
    IndexDamaged,
    IndexMissing,
    MalformedDataset,
    MassDeletion,
    ModelUnavailable,
    RetrievalError,
)
from retrieval.retriever import Retriever
from retrieval.types import Answer, IndexReport, Leg, SearchMode, SearchResult

__all__ = [
    "Answer",
    "ContextBlock",
    "IndexBusy",
    "IndexDamaged",
    "IndexMissing",
    "IndexReport",
    "Leg",
    "MalformedDataset",
    "MassDeletion",
    "ModelUnavailable",
    "RetrievalError",
    "Retriever",
    "SearchMode",
    "SearchResult",
    "build_context",
]
