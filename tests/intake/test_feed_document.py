"""Reading a body as a feed."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.sources.feed_document import parse_feed
from intake.sources.feed_types import FeedDocument, NotAFeed

if TYPE_CHECKING:
    from intake.types import RawEntry

HOST = "https://cdn.example.net/feeds/a.xml"


def read(body: str | bytes, content_type: str = "application/xml", url: str = HOST) -> FeedDocument:
    """Read a body that must be a feed."""
    data = body.encode() if isinstance(body, str) else body
    found = parse_feed(data, content_type=content_type, final_url=url)
    assert isinstance(found, FeedDocument), found
    return found


def rss(item: str, channel: str = "<link>https://blog.example.org/</link>") -> str:
    """Write an RSS feed with one item."""
    return f'<rss version="2.0"><channel><title>T</title>{channel}<item>{item}</item></channel></rss>'


def only(document: FeedDocument) -> RawEntry:
    """Take the only entry."""
    assert len(document.entries) == 1
    return document.entries[0]


def test_an_rss_item_gives_all_its_parts() -> None:
    """GUID, link, title, author, date, categories, the fullest text and enclosures are read."""
    item = (
        "<guid>g1</guid><link>https://blog.example.org/1</link><title>A &amp;amp; B</title><author>Ann</author>"
        "<pubDate>Mon, 01 Jun 2026 10:00:00 +0200</pubDate><category>x</category><description>short</description>"
        '<content:encoded xmlns:content="http://purl.org/rss/1.0/modules/content/">&lt;p&gt;the full text&lt;/p&gt;'
        '</content:encoded><enclosure url="https://blog.example.org/a.mp3" type="audio/mpeg" length="1"/>'
    )
    entry = only(read(rss(item)))
    assert (entry.guid, entry.link, entry.tags) == ("g1", "https://blog.example.org/1", ("x",))
    assert entry.published == datetime(2026, 6, 1, 8, 0, tzinfo=UTC)
    assert "the full text" in entry.html
    assert entry.media_types == ("audio/mpeg",)


def test_links_in_a_text_are_relative_to_the_page_it_quotes() -> None:
    """A feed on another host than its pages must not bend their relative links."""
    entry = only(read(rss("<link>https://blog.example.org/2026/06/a</link><description>x</description>")))
    assert entry.base_url == "https://blog.example.org/2026/06/a"
    without_link = only(read(rss("<title>a</title><description>x</description>")))
    assert without_link.base_url == "https://blog.example.org/"


def test_a_declared_base_wins() -> None:
    """`xml:base` says what relative links mean (RFC 4287, section 2)."""
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://site.example.org/deep/"><title>T</title>'
        '<entry><id>1</id><title>a</title><link href="post"/><content type="html">&lt;a href="x"&gt;x&lt;/a&gt;'
        "</content></entry></feed>"
    )
    entry = only(read(atom))
    assert entry.base_url == "https://site.example.org/deep/"
    assert entry.link == "https://site.example.org/deep/post"


def test_relative_links_of_entries_become_absolute() -> None:
    """An entry's own address is resolved against the site, or against the feed where no site is named."""
    assert only(read(rss("<link>/1</link>"))).link == "https://blog.example.org/1"
    assert only(read(rss("<link>/1</link>", channel=""))).link == "https://cdn.example.net/1"


def test_a_guid_is_kept_as_it_is() -> None:
    """A GUID that looks like a relative address does not change when the feed moves."""
    for url in (HOST, "https://elsewhere.example.net/b.xml"):
        assert only(read(rss("<guid>42</guid>"), url=url)).guid == "42"


def test_a_json_feed_is_read_with_its_page_as_base() -> None:
    """JSON Feed 1.1: content, authors, tags, and relative links against the entry's page."""
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "T",
        "home_page_url": "https://essays.example.org/",
        "authors": [{"name": "Ann"}],
        "items": [
            {"id": "1", "url": "/2026/a", "title": "A < B", "content_html": "<p>x</p>", "tags": ["t", 3]},
            "nonsense",
        ],
    }
    document = read(json.dumps(feed), content_type="application/feed+json")
    entry = only(document)
    assert entry.link == entry.base_url == "https://essays.example.org/2026/a"
    assert (entry.author, entry.tags) == ("Ann", ("t",))
    assert "&lt;" in entry.title
    assert document.problems


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<!DOCTYPE html><html><head><title>Not found</title></head><body>404</body></html>", "a web page"),
        (b"", "empty"),
        (b"hello", "neither"),
        (b'{"a": 1}', "not a JSON Feed"),
        (b"{broken", "JSON"),
    ],
)
def test_what_is_no_feed_is_called_by_its_name(body: bytes, reason: str) -> None:
    """An error page with status 200 is not a broken feed but a web page."""
    found = parse_feed(body, content_type="text/html", final_url=HOST)
    assert isinstance(found, NotAFeed)
    assert reason in found.reason


def test_a_body_that_equals_a_file_name_is_not_read_as_a_file() -> None:
    """The feed parser opens what looks like a path unless it is handed a stream."""
    assert isinstance(parse_feed(b"/etc/hostname", content_type="text/plain", final_url=HOST), NotAFeed)


def test_entity_bombs_do_not_explode() -> None:
    """Nested entities are refused or stay small."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    body = f'<!DOCTYPE rss [<!ENTITY e0 "ha">{entities}]>' + rss("<title>&e11;</title>")
    found = parse_feed(body.encode(), content_type="application/xml", final_url=HOST)
    size = sum(len(entry.title) for entry in found.entries) if isinstance(found, FeedDocument) else 0
    assert size < 100_000


def test_a_wrong_charset_in_the_header_costs_nothing() -> None:
    """A harmless override is a remark, not a failure."""
    document = read(rss("<title>Größe</title>"), content_type="text/xml")
    assert "Größe" in only(document).title


@given(st.binary(max_size=400))
def test_no_bytes_raise(data: bytes) -> None:
    """Whatever a server sends is a feed or a reason."""
    for prefix in (b"", b'<rss version="2.0"><channel><item>', b'{"items": ['):
        assert parse_feed(prefix + data, content_type="", final_url=HOST) is not None


def test_the_profession_of_an_author_is_not_the_title_of_the_entry() -> None:
    """Some feeds describe their authors with a `title` of their own, after the entry's."""
    person = "<author><name>Ada</name><title>Software Engineer</title><company></company></author>"
    assert only(read(rss(f"<title>Numbers</title>{person}"))).title == "Numbers"


def test_a_date_that_cannot_be_read_is_none_and_no_warning() -> None:
    """An unreadable date of publication is not asked for a second time under another name."""
    assert only(read(rss("<title>T</title><pubDate>the day before</pubDate>"))).published is None
