"""The vocabulary of indexing, and for convenience that of searching."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from retrieval.answers import Answer, Leg, SearchMode, SearchResult

if TYPE_CHECKING:
    from datetime import datetime

__all__ = [
    "Answer",
    "Chunk",
    "FileProblem",
    "Frontmatter",
    "IndexReport",
    "Leg",
    "NoteMeta",
    "SearchMode",
    "SearchResult",
]


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
