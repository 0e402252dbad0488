"""The vocabulary of retrieval."""

from __future__ import annotations

from dataclasses import dataclass, field
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
class FileProblem:
    """Something that kept a file, or a part of one, from being indexed as it stands.

    Attributes:
        path: Relative to the vault, with forward slashes.
        message: What is wrong and what was done about it.
        indexed: Whether the file is in the index all the same.
    """

    path: str
    message: str
    indexed: bool = True


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The YAML block of a note, read as far as it can be read.

    Attributes:
        fields: Parsed keys; empty where there is no block or it is broken.
        body: The text below the block, byte for byte.
        body_line: Line number of the first line of `body`, from 1.
        problem: Why the block could not be read; empty where all is well.
    """

    fields: dict[str, object]
    body: str
    body_line: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class NoteMeta:
    """What a note says about itself.

    Attributes:
        title: From frontmatter, else the first H1, else the file name.
        type: Frontmatter `type`, or empty.
        tags: From frontmatter, without `#`, in order, without duplicates.
        aliases: Other names of the note.
        date: Aware UTC time the note belongs to (`published`, `date`, `created`, `updated`, else the day its file name
            begins with), or None.
        source: Address or name of the source of a note that came from a feed; empty for one a person wrote.
    """

    title: str
    type: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    date: datetime | None = None
    source: str = ""

    @property
    def heading_context(self) -> str:
        """Return `Title | type | tag, tag`, leaving out what is empty."""
        return " | ".join(part for part in (self.title, self.type, ", ".join(self.tags)) if part)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a note: the unit that is indexed and returned.

    Attributes:
        section: Heading path above it, joined by ` > `; empty before the first heading.
        text: The passage as it stands in the note.
        first_line: Line of the file it begins on, from 1.
        last_line: Line of the file it ends on, inclusive.
    """

    section: str
    text: str
    first_line: int
    last_line: int


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
        also_in: Other files that hold the same text, as far as they rank near the results.
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
    also_in: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index run did.

    Attributes:
        files: Files in the index afterwards.
        chunks: Chunks in the index afterwards.
        added: Files that were new.
        updated: Files whose text had changed.
        deleted: Files that were gone.
        unchanged: Files left alone, whatever their modification time.
        problems: Everything that kept a file from being indexed as it stands.
        reason: Why everything was indexed anew; empty for an incremental run.
        interrupted: Whether the run stopped early, keeping what it had done.
    """

    files: int
    chunks: int
    added: int = 0
    updated: int = 0
    deleted: int = 0
    unchanged: int = 0
    problems: tuple[FileProblem, ...] = field(default=())
    reason: str = ""
    interrupted: bool = False
