"""Index a folder of Markdown, and find the right paragraph in it.

Example:
    >>> from retrieval import Retriever
    >>> with Retriever.open(index_file) as retriever:  # doctest: +SKIP
    ...     for result in retriever.search("rotate backup keys").results:
    ...         print(result.path, result.section, result.score)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retrieval.answers import Answer, Leg, SearchMode, SearchResult
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
    from retrieval.types import IndexReport

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

_PLACES = {
    "Answer": "answers",
    "ContextBlock": "context",
    "IndexReport": "types",
    "Leg": "answers",
    "Retriever": "retriever",
    "SearchMode": "answers",
    "SearchResult": "answers",
    "build_context": "context",
}


def __getattr__(name: str) -> object:
    """Import a name when it is asked for: a process that answers one query has no time for the others."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  only where a name is asked for

    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'errors')}"), name)
