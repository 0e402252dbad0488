"""The error tree of `retrieval`.

RetrievalError
├── IndexMissing        there is no index yet
├── IndexDamaged        the file is not a database, or its parts disagree
├── IndexBusy           another process is indexing
├── MassDeletion        a run would delete more than the configured share of the index
├── ModelUnavailable    the embedding model cannot be loaded; search goes on by keywords
├── MalformedDataset    an evaluation folder is not in BEIR layout
└── NothingToMeasure    there is no judged question, or no such measure
"""

from __future__ import annotations


class RetrievalError(Exception):
    """Any failure of retrieval that a caller has to know about."""


class IndexMissing(RetrievalError):
    """The index was asked before it was built."""


class IndexDamaged(RetrievalError):
    """The index cannot be trusted; rebuild it, for the vault holds everything that was in it."""


class IndexBusy(RetrievalError):
    """Another process holds the index's write lock for longer than the caller wanted to wait."""


class MassDeletion(RetrievalError):
    """So many notes are gone from disk that the folder is more likely unmounted than emptied."""


class ModelUnavailable(RetrievalError):
    """The configured embedding model could not be loaded."""


class MalformedDataset(RetrievalError):
    """A file of an evaluation set is missing, or a line of it cannot be read."""


class NothingToMeasure(RetrievalError):
    """There is no judged question to measure with, or a gate names a leg or measure that does not exist."""
