"""From a parsed feed to those of its signals that were not seen before."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from intake.canonical_url import canonicalize_url, clean_url
from intake.cleaning import clean_entry
from intake.cleaning.plain_text import MAX_TITLE_CHARS, plain_line
from intake.identity import choose_id_policy, entry_identity, signal_id
from intake.types import SourceKind, SourceRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from config.feeds import Feed
    from intake.ledger import Ledger
    from intake.sources.feed_types import FeedDocument
    from intake.types import RawEntry, Signal, SignalId

# What the HTML and text libraries may let through on one hostile entry. It is then left out and named, for neither
# the other entries nor the other feeds are to blame.
_CLEANING_FAILURES = (
    ValueError, LookupError, AssertionError, AttributeError, TypeError, OverflowError, RecursionError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """What was new in some entries.

    Attributes:
        signals: Ready to be recorded, in the order of the entries.
        problems: Entries that could not be cleaned.
    """

    signals: tuple[Signal, ...]
    problems: tuple[str, ...]


def source_of(feed: Feed, document: FeedDocument, final_url: str) -> SourceRef:
    """Name a feed as the source of its entries.

    Args:
        feed: The subscription; its own title and tags come before what the document says.
        document: The feed as read.
        final_url: Where it came from, the base of its link.
    """
    return SourceRef(
        kind=SourceKind.FEED,
        key=without_login(feed.url),
        title=feed.title or plain_line(document.title, MAX_TITLE_CHARS),
        link=clean_url(document.link, final_url),
        tags=feed.tags,
    )


def identify_entries(
    entries: Sequence[RawEntry], source: SourceRef, *, policy: str, limit: int
) -> tuple[str, dict[SignalId, RawEntry]]:
    """Give the entries of a document their ids.

    Args:
        entries: In the order of the document.
        source: The feed.
        policy: How its entries were told apart so far.
        limit: Entries taken at most; those with the latest dates.

    Returns:
        How its entries are told apart from now on, and the entries by id, the first of each, in their order.
    """
    chosen = choose_id_policy(entries, policy)
    named: dict[SignalId, RawEntry] = {}
    for entry in _newest(entries, limit):
        named.setdefault(signal_id(source.key, entry_identity(entry, chosen)), entry)
    return chosen, named


def read_new(named: Mapping[SignalId, RawEntry], source: SourceRef, ledger: Ledger, *, now: datetime) -> Reading:
    """Clean those of the entries that were not seen before.

    Args:
        named: Entries by id.
        source: Where they come from.
        ledger: Knows what was seen.
        now: Aware time of capture.
    """
    seen = ledger.seen(named)
    fresh = {key: entry for key, entry in named.items() if key not in seen}
    of_feed = source.kind is SourceKind.FEED
    shared = _shared_pages(named.values()) if fresh and of_feed else frozenset()
    signals: list[Signal] = []
    problems: list[str] = []
    for key, entry in fresh.items():
        try:
            signal = clean_entry(entry, source, signal_id=key, now=now)
        except _CLEANING_FAILURES as err:
            title = plain_line(entry.title, MAX_TITLE_CHARS) or key
            problems.append(f"{title!r} cannot be read ({type(err).__name__}: {err})")
            continue
        signals.append(replace(signal, canonical_url="") if signal.canonical_url in shared else signal)
    return Reading(tuple(signals), tuple(problems))


def _shared_pages(entries: Iterable[RawEntry]) -> frozenset[str]:
    """Find pages to which differently titled entries link: a home page or a log of changes.

    Such an address does not tell what an entry is, and all but the first would pass for its duplicates.
    """
    titles: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        titles[canonicalize_url(entry.link, entry.base_url)].add(entry.title.strip())
    return frozenset(page for page, names in titles.items() if page and len(names) > 1)


def _newest(entries: Sequence[RawEntry], limit: int) -> Sequence[RawEntry]:
    """Keep the latest entries in their order; without dates, the first, for feeds begin with the newest."""
    if len(entries) <= limit:
        return entries
    dated = [(entry.published, place) for place, entry in enumerate(entries) if entry.published]
    if len(dated) < len(entries):
        return entries[:limit]
    latest = sorted(dated, key=lambda pair: pair[0], reverse=True)[:limit]
    return [entries[place] for place in sorted(place for _, place in latest)]


def without_login(url: str) -> str:
    """Drop user name and password: the key of a source is written into notes."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2])) if "@" in parts.netloc else url
