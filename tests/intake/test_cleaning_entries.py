"""Raw entries become signals."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.cleaning import clean_entry
from intake.types import RawEntry, Signal, SignalId, SourceKind, SourceRef

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FEED = SourceRef(SourceKind.FEED, "https://a.org/feed.xml", title="A", link="https://a.org/", tags=("Mine",))


def _clean(entry: RawEntry, source: SourceRef = FEED) -> Signal:
    return clean_entry(entry, source, signal_id=SignalId("0123456789abcdef"), now=NOW)


def test_an_entry_is_cleaned_as_a_whole() -> None:
    """Every field of the signal is the clean form of the entry's."""
    entry = RawEntry(
        guid="1",
        link="/post?utm_source=feed",
        title="Tom &amp;amp; Jerry",
        author="<b>Ann</b>",
        published=datetime(2026, 2, 1, tzinfo=UTC),
        tags=("#cats", "Cats"),
        html="<p>Hello <a href='x'>there</a></p>",
        base_url="https://a.org/blog/",
        media_types=("Audio/MPEG; x=1", "nonsense"),
    )
    signal = _clean(entry)
    assert signal.url == signal.canonical_url == "https://a.org/post"
    assert (signal.title, signal.author) == ("Tom & Jerry", "Ann")
    assert (signal.published, signal.date_guessed) == (datetime(2026, 2, 1, tzinfo=UTC), False)
    assert signal.tags == ("cats", "Mine")
    assert signal.body == "Hello [there](https://a.org/blog/x)\n"
    assert signal.media_types == ("audio/mpeg",)
    assert (signal.id, signal.captured, signal.fingerprint) == ("0123456789abcdef", NOW, 0)


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        (RawEntry(title=" \u200b ", html="<h2>First words</h2><p>of <b>the</b> body</p>"), "First words of the body"),
        (RawEntry(html=f"<p>{'word ' * 40}</p>"), f"{' '.join(['word'] * 12)} …"),
        (RawEntry(html="<code>&lt;br /></code>"), "<br />"),
        (RawEntry(link="https://b.org/x", html="<p>…</p>"), "b.org"),
        (RawEntry(link="javascript:x"), "Untitled"),
        (RawEntry(), "Untitled"),
    ],
)
def test_a_title_is_never_empty(entry: RawEntry, title: str) -> None:
    """Without a title the first words of the body serve, then the host, then a fixed word."""
    assert _clean(entry).title == title


def test_text_of_the_owner_stays_as_it_is() -> None:
    """Markdown of the owner keeps its markup; only invisible characters go."""
    text = "# Note\n\n- [[link]] *x* <b>raw</b>\n\n\n```\ncode\n```"
    assert _clean(RawEntry(title="t", text=f"{text}\x00\u200b")).body == f"{text}\n"


def test_text_in_place_of_html_keeps_its_paragraphs() -> None:
    """Blank lines part paragraphs, breaks between short lines stay, hard-wrapped lines are joined."""
    wrapped = "This line was wrapped by an editor after some seventy characters,\nand this is where it goes on."
    body = _clean(RawEntry(html=f"one\ntwo\n\n{wrapped}")).body
    assert body == f"one\ntwo\n\n{wrapped.replace(chr(10), ' ')}\n"


def test_links_are_resolved_against_the_source_where_the_entry_has_no_base() -> None:
    """An entry without base uses the page of its feed."""
    assert _clean(RawEntry(link="p.html", html="<a href='q.html'>q</a>")).url == "https://a.org/p.html"


def test_long_texts_have_a_fingerprint() -> None:
    """A body with enough words gets a fingerprint."""
    assert _clean(RawEntry(html=f"<p>{' '.join(f'word{n}' for n in range(60))}</p>")).fingerprint > 0


@given(
    st.builds(
        RawEntry,
        guid=st.text(max_size=5),
        link=st.text(max_size=20),
        title=st.text(alphabet=st.characters(codec=None), max_size=20),
        author=st.text(max_size=10),
        published=st.none() | st.datetimes(timezones=st.just(UTC)),
        tags=st.lists(st.text(max_size=8), max_size=3).map(tuple),
        html=st.text(alphabet=st.characters(codec=None), max_size=60),
        text=st.text(max_size=20),
        base_url=st.text(max_size=10),
        media_types=st.lists(st.text(max_size=10), max_size=2).map(tuple),
    )
)
def test_any_entry_becomes_a_signal_that_can_be_stored(entry: RawEntry) -> None:
    """No entry raises; the title is one non-empty line, the body ends with a newline, everything encodes as UTF-8."""
    signal = _clean(entry)
    assert signal.title
    assert len(signal.title.splitlines()) == 1
    assert signal.body == "" or signal.body.endswith("\n")
    assert signal.published <= datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
    "\n".join((signal.title, signal.body, signal.author, signal.url, *signal.tags)).encode("utf-8")
