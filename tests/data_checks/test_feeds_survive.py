"""Every feed and subscription list at hand is read without an exception, and every entry becomes a signal."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from intake.cleaning import clean_entry
from intake.errors import MalformedOpml
from intake.identity import entry_identity, signal_id
from intake.sources.feed_document import NotAFeed, parse_feed
from intake.sources.opml import read_opml
from intake.types import SourceKind, SourceRef

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.data

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
URL = "https://feeds.example/feed"


def survive(folder: Path) -> Counter[str]:
    """Read every file of a folder as a feed and clean all of its entries."""
    counts: Counter[str] = Counter()
    source = SourceRef(SourceKind.FEED, URL)
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        counts["files"] += 1
        document = parse_feed(path.read_bytes(), content_type="", final_url=URL)
        if isinstance(document, NotAFeed):
            counts["no feeds"] += 1
            continue
        for entry in document.entries:
            key = signal_id(URL, entry_identity(entry, "guid"))
            signal = clean_entry(entry, source, signal_id=key, now=NOW)
            assert signal.title.strip(), path
            assert signal.url == "" or signal.url.startswith(("https://", "http://")), path
            counts["entries"] += 1
    return counts


def test_every_entry_of_165_real_feeds_becomes_a_signal(real_feeds: Path) -> None:
    """Real feeds are read, nearly all of them as feeds."""
    counts = survive(real_feeds)
    assert counts["files"] == 165
    assert counts["no feeds"] <= 5
    assert counts["entries"] > 2_000


def test_2760_peculiar_feeds_are_read_or_refused(real_feeds: Path) -> None:
    """Files that each break one rule raise nothing, and every entry found in them becomes a signal."""
    counts = survive(real_feeds.parent / "unit")
    assert counts["files"] >= 2_760
    assert counts["entries"] > 1_600


def test_118_subscription_lists_are_read_or_refused(real_feeds: Path) -> None:
    """OPML as people exchange it names feeds, and what cannot be read is refused by name."""
    files = [path for path in (real_feeds.parent / "opml").rglob("*") if path.is_file()]
    refused = 0
    for path in files:
        try:
            assert read_opml(path.read_bytes())
        except MalformedOpml:
            refused += 1
    assert len(files) == 118
    assert refused <= 5
