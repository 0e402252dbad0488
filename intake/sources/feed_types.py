"""What reading a body as a feed gives, whatever the format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

if TYPE_CHECKING:
    from intake.types import RawEntry


@dataclass(frozen=True, slots=True)
class FeedDocument:
    """A feed as read.

    Attributes:
        title: The feed's own title as HTML or text; may be empty.
        link: The web page of the feed; may be empty or relative.
        entries: In the order of the document.
        problems: What was wrong with the document although entries could be read.
    """

    title: str
    link: str
    entries: tuple[RawEntry, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotAFeed:
    """A body that is no feed.

    Attributes:
        reason: What it is instead, for people.
    """

    reason: str


def resolve_link(link: str, base: str) -> str:
    """Make a link absolute; a link that cannot be read stays as it is, for cleaning to refuse."""
    try:
        return urljoin(base, link) if link else ""
    except ValueError:
        return link
