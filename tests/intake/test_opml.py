"""Subscription lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.feeds import Feed
from intake.errors import MalformedOpml
from intake.sources.opml import read_opml, write_opml

plain = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=12)
feeds = st.lists(
    st.builds(
        Feed,
        url=plain.map(lambda word: f"https://{word.lower()}.example.org/feed?a=1&b=2"),
        title=plain | st.sampled_from(['A & B <c> "d"', "Größe"]),
        tags=st.lists(plain, max_size=3, unique=True).map(tuple),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda feed: feed.url,
)


@given(feeds)
def test_what_is_written_is_read_again(subscriptions: list[Feed]) -> None:
    """Address, title and tags survive the way out and in."""
    assert list(read_opml(write_opml(subscriptions, title="Mine").encode())) == subscriptions


def test_folders_become_tags_and_an_address_counts_once() -> None:
    """Nested outlines are folders; a feed in two folders has both as tags."""
    body = (
        '<opml version="1.0"><body><outline text="Tech"><outline type="rss" text="A" xmlUrl="https://a.example/f"/>'
        '</outline><outline text="Daily"><outline type="rss" text="A" xmlUrl="https://a.example/f"/></outline>'
        "</body></opml>"
    )
    assert read_opml(body.encode()) == (Feed("https://a.example/f", title="A", tags=("Tech", "Daily")),)


def test_a_list_that_is_not_well_formed_still_gives_its_addresses() -> None:
    """Published lists forget to escape quotes and ampersands; the addresses are what matters."""
    body = b'<opml><body><outline text="5" screens" xmlUrl="https://a.example/f?x=1&y=2"></outline></outline></body>'
    assert [feed.url for feed in read_opml(body)] == ["https://a.example/f?x=1&y=2"]


def test_another_encoding_is_honoured() -> None:
    """A declared encoding is used; without one, bytes that are not UTF-8 are taken for Windows-1252."""
    text = '<opml><body><outline type="rss" text="Größe" xmlUrl="https://a.example/f"/></body></opml>'
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?>' + text
    assert read_opml(declared.encode("latin-1"))[0].title == "Größe"
    assert read_opml(text.encode("cp1252"))[0].title == "Größe"


@pytest.mark.parametrize("body", [b"", b"no list", b"<opml><body/></opml>", b'<!DOCTYPE x [<!ENTITY a "b">]><opml/>'])
def test_what_names_no_feed_is_an_error_with_a_reason(body: bytes) -> None:
    """A file that is no list is not taken for an empty one."""
    with pytest.raises(MalformedOpml):
        read_opml(body)


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    """Whatever the file is, it is a list or a MalformedOpml."""
    try:
        found = read_opml(b"<opml><body>" + data)
    except MalformedOpml:
        return
    assert all(feed.url for feed in found)
