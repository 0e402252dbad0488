"""Every feed of the large data set is read and cleaned without an exception."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from intake.cleaning import clean_entry
from intake.identity import choose_id_policy, entry_identity, signal_id
from intake.sources.feed_document import parse_feed
from intake.sources.feed_types import FeedDocument, NotAFeed
from intake.types import SourceKind, SourceRef

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.data
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def _read_all(folder: Path) -> tuple[dict[str, int], list[str]]:
    """Clean every entry of every file: entries by file, and the reasons of what is no feed."""
    entries: dict[str, int] = {}
    refused: list[str] = []
    for path in sorted(folder.rglob("*.*")):
        document = parse_feed(path.read_bytes(), content_type="", final_url="https://feeds.example.org/feed.xml")
        match document:
            case NotAFeed():
                refused.append(f"{path.name}: {document.reason}")
            case FeedDocument():
                entries[str(path.relative_to(folder))] = _clean_all(document)
    return entries, refused


def _clean_all(document: FeedDocument) -> int:
    source = SourceRef(SourceKind.FEED, "https://feeds.example.org/feed.xml", document.title, document.link)
    policy = choose_id_policy(document.entries, "guid")
    for entry in document.entries:
        identity = signal_id(source.key, entry_identity(entry, policy))
        signal = clean_entry(entry, source, signal_id=identity, now=NOW)
        assert signal.title.strip()
        assert not _holds_html(signal.body)
        assert "javascript:" not in signal.url
    return len(document.entries)


def _holds_html(markdown: str) -> bool:
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    kinds = {token.type for token in tokens} | {part.type for token in tokens for part in token.children or []}
    return not kinds.isdisjoint({"html_block", "html_inline"})


def test_165_real_feeds_are_read(real_feeds: Path) -> None:
    """All real feeds are feeds, with thousands of entries between them."""
    entries, refused = _read_all(real_feeds)
    assert len(entries) == 165
    assert refused == []
    assert sum(entries.values()) > 6_000


def test_2760_odd_documents_are_read_or_refused(real_feeds: Path) -> None:
    """The cases of other parsers' tests, broken on purpose, are read or refused with a reason."""
    entries, refused = _read_all(real_feeds.parent / "unit")
    assert len(entries) + len(refused) == 2_760
    assert len(refused) < 30
