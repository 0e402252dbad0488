"""The vocabulary of intake: what comes in, what it is worth, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from datetime import datetime

SignalId = NewType("SignalId", str)
"""Sixteen lower-case hexadecimal digits, a hash of source and identity: the same entry has the same id for ever."""


class SourceKind(StrEnum):
    """Where a signal came from."""

    FEED = "feed"
    CAPTURE = "capture"  # the command line, later HTTP and MCP
    DROP = "drop"  # a file in the vault's drop folder


@dataclass(frozen=True, slots=True)
class SourceRef:
    """The source of a signal.

    Attributes:
        kind: Which sort of source.
        key: Stable name of the source: the subscribed feed address, `capture`, or the drop folder.
        title: What people call it, for notes and reports; may be empty.
        link: The web page of the source; may be empty.
        tags: Tags the owner put on the source.
    """

    kind: SourceKind
    key: str
    title: str = ""
    link: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RawEntry:
    """What a source found, before cleaning; every text is hostile.

    Attributes:
        guid: Identifier the source gave, or empty.
        link: Address of the entry, possibly relative to `base_url`, or empty.
        title: Title as HTML or text, possibly escaped twice.
        author: Name of the author, or empty.
        published: Aware UTC time the source claims, or None where it gave none that could be read.
        tags: Categories the source put on the entry.
        html: Body as HTML; empty where `text` holds the body.
        text: Body as Markdown or plain text; empty where `html` holds it.
        base_url: Base of relative links.
        media_types: MIME types of the entry's enclosures, such as `audio/mpeg` for a podcast episode.
    """

    guid: str = ""
    link: str = ""
    title: str = ""
    author: str = ""
    published: datetime | None = None
    tags: tuple[str, ...] = ()
    html: str = ""
    text: str = ""
    base_url: str = ""
    media_types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Signal:
    """One cleaned piece of the stream: the unit that is scored, routed and written.

    Attributes:
        id: See SignalId.
        source: Where it came from.
        url: Address for people, tracking parameters removed; empty where there is none.
        canonical_url: Form of the address under which two links to one page are equal; empty where there is none.
        title: One line of plain text, never empty.
        author: Plain text, or empty.
        published: Aware UTC time; the time of capture where the source gave none.
        date_guessed: Whether `published` is such a guess, or was clamped because it lay in the future.
        captured: Aware UTC time at which the signal was first seen.
        tags: Plain text, in the source's order, without duplicates or a leading `#`.
        body: Clean Markdown: no raw HTML, no invisible characters, absolute links, a final newline unless empty.
        media_types: MIME types of enclosures.
        fingerprint: 64-bit SimHash of the body's words; 0 where the body is too short to have one.
    """

    id: SignalId
    source: SourceRef
    url: str
    canonical_url: str
    title: str
    author: str
    published: datetime
    date_guessed: bool
    captured: datetime
    tags: tuple[str, ...]
    body: str
    media_types: tuple[str, ...] = ()
    fingerprint: int = 0


class DimensionName(StrEnum):
    """The four dimensions of a score."""

    RELEVANCE = "relevance"
    ACTIONABILITY = "actionability"
    DEPTH = "depth"
    AUTHORITY = "authority"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason for a value.

    Attributes:
        label: Which word, link or fact, in words a person understands.
        amount: How much it moved the value; the amounts of a dimension add up to its value (within rounding).
    """

    label: str
    amount: float


@dataclass(frozen=True, slots=True)
class Dimension:
    """One of the four scores.

    Attributes:
        value: From 0 to 1.
        evidence: Why, strongest first.
    """

    value: float
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class DomainMatch:
    """How well a signal fits one domain.

    Attributes:
        name: Name of the domain.
        score: From 0 to 1; comparable between the domains of one signal.
        terms: The matched terms, strongest first.
    """

    name: str
    score: float
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """What a signal is worth, and every reason.

    Attributes:
        relevance: Nearness to the owner's interests.
        actionability: Whether something can be done with it.
        depth: How much the text itself explains.
        authority: How far the source can be trusted.
        composite: Weighted sum of the four, from 0 to 1.
        domains: One match for every configured domain, best first; ties in the order of configuration.
        rules: Version of the scoring rules, changed whenever the same signal could score differently.
    """

    relevance: Dimension
    actionability: Dimension
    depth: Dimension
    authority: Dimension
    composite: float
    domains: tuple[DomainMatch, ...]
    rules: str

    def dimension(self, name: DimensionName) -> Dimension:
        """Return one of the four by its name."""
        value: Dimension = getattr(self, name.value)
        return value


class SignalState(StrEnum):
    """How far a signal has come; a crash leaves it in a state from which the next run goes on."""

    SEEN = "seen"  # recorded, nothing done yet
    SCORED = "scored"  # has a score card, not routed yet
    QUEUED = "queued"  # waits for a person
    DROPPED = "dropped"  # kept in the ledger only
    WRITING = "writing"  # its note has a place, and may or may not be there
    WRITTEN = "written"  # its note is there
    DUPLICATE = "duplicate"  # another signal with the same page or text came first


class Decision(StrEnum):
    """What a person said about a queued signal."""

    KEEP = "keep"  # becomes a note
    DROP = "drop"  # stays in the ledger only


@dataclass(frozen=True, slots=True)
class FeedState:
    """What is remembered of a feed between runs.

    Attributes:
        url: The subscribed address; the key.
        current_url: Where it was permanently moved to, or the same address.
        title: The feed's own title, when last read.
        etag: Verbatim `ETag` of the last 200, or empty.
        last_modified: Verbatim `Last-Modified` of the last 200, or empty.
        next_try: Aware UTC time before which it must not be asked again, or None.
        failures: Failed tries in a row.
        gone: Whether the server said 410; such a feed is not asked again.
        id_policy: How entries of this feed are told apart.
        last_status: HTTP status of the last try; 0 where there was no answer.
        last_error: Why the last try failed; empty after a success.
        checked: Aware UTC time of the last try, or None.
    """

    url: str
    current_url: str = ""
    title: str = ""
    etag: str = ""
    last_modified: str = ""
    next_try: datetime | None = None
    failures: int = 0
    gone: bool = False
    id_policy: str = "guid"
    last_status: int = 0
    last_error: str = ""
    checked: datetime | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that went wrong with one thing and stopped nothing else.

    Attributes:
        subject: The feed address, file or signal it concerns.
        message: What happened and what can be done.
    """

    subject: str
    message: str


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A signal with everything the ledger knows of it.

    Attributes:
        signal: The signal.
        state: How far it has come.
        card: Its score, once it has one.
        domain: The domain it was routed to or would be kept in; empty before routing.
        note_path: Path of its note relative to the vault; empty before it has one.
    """

    signal: Signal
    state: SignalState
    card: ScoreCard | None = None
    domain: str = ""
    note_path: str = ""


@dataclass(frozen=True, slots=True)
class CollectReport:
    """What one collection brought.

    Attributes:
        feeds: Feeds that were due and asked.
        failed: Those that gave no usable answer.
        unchanged: Those that answered 304.
        new: Signals recorded for the first time.
        duplicates: New entries that repeated a known page or text.
        problems: One row per failure.
        warnings: One row per remark on a feed that was read all the same.
    """

    feeds: int = 0
    failed: int = 0
    unchanged: int = 0
    new: int = 0
    duplicates: int = 0
    problems: tuple[Problem, ...] = field(default=())
    warnings: tuple[Problem, ...] = field(default=())
