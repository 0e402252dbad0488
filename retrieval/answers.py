"""What a search is asked for and what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class SearchMode(StrEnum):
    """Which legs a search may use."""

    HYBRID = "hybrid"
    KEYWORD = "keyword"
    VECTOR = "vector"


@dataclass(frozen=True, slots=True)
class Leg:
    """How one leg of a search went.

    Attributes:
        ran: Whether it contributed.
        hits: How many candidates it returned.
        reason: Why it did not run; empty where it did.
    """

    ran: bool
    hits: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One passage that answers a query.

    Attributes:
        path: File, relative to the vault, with forward slashes.
        title: Title of the note.
        section: Heading path of the passage.
        lines: First and last line in the file, from 1, inclusive.
        text: The passage, credentials redacted.
        score: What the results are ordered by: 0 to 1 under convex fusion, about 0.016 to 0.033 under RRF.
        keyword_rank: Rank in the keyword leg from 1, or None where that leg did not return it.
        vector_rank: Rank in the vector leg from 1, or None.
        bm25: BM25 of the keyword leg, positive, or None.
        cosine: Cosine to the query, or None where the vector leg did not run.
        date: The date of the note, or None.
        source: Address or name of the source of a note that came from a feed.
    """

    path: str
    title: str
    section: str
    lines: tuple[int, int]
    text: str
    score: float
    keyword_rank: int | None = None
    vector_rank: int | None = None
    bm25: float | None = None
    cosine: float | None = None
    date: datetime | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search returns: results, and how they came about.

    Attributes:
        query: As typed.
        legs: How each leg went, by name (`keyword`, `vector`).
        index_built: Aware UTC time of the last index run.
        fusion: How the legs were fused, in words.
        results: Best first.
        omitted: Results left out because of a token budget.
    """

    query: str
    legs: dict[str, Leg]
    index_built: datetime
    fusion: str
    results: tuple[SearchResult, ...]
    omitted: int = 0
