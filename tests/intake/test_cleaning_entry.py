"""From raw entries to signals: titles, links, dates, tags and bodies that can be trusted."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.cleaning import clean_entry
from intake.cleaning.plain_text import clean_tags, one_line, plain_line, strip_invisible
from intake.types import RawEntry, Signal, SignalId, SourceKind, SourceRef

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOURCE = SourceRef(SourceKind.FEED, "https://site.example/feed.xml", link="https://site.example/", tags=("mine",))


def clean(entry: RawEntry) -> Signal:
    """Clean an entry of a plain source."""
    return clean_entry(entry, SOURCE, signal_id=SignalId("0" * 16), now=NOW)


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("A &amp;amp; B", "A & B"), ("A &amp; B", "A & B"), ("&lt;b&gt;Bold&lt;/b&gt; move", "Bold move"),
        ("&amp;lt;em&amp;gt;x&amp;lt;/em&amp;gt;", "x"), ("The &lt;br&gt; element", "The <br> element"),
        ("<i>a</i>\n b\u200b\u202ec\x00", "a bc"), ("x <!-- c --> y", "x <!-- c --> y"),
        ("C++ &lt; Rust", "C++ < Rust"),
        ("<script>alert(1)</script>Title</b>", "Title"),
    ],
)  # fmt: skip
def test_titles_are_plain_however_often_they_were_escaped(raw: str, title: str) -> None:
    """Markup goes, text about markup stays, and invisible characters vanish."""
    assert clean(RawEntry(title=raw)).title == title


@pytest.mark.parametrize(
    ("entry", "title"),
    [
        (RawEntry(html="<p><b>First</b> words [of] a body</p>"), "First words of a body"),
        (RawEntry(html="<img src=/i.png>", link="/a"), "site.example"),
        (RawEntry(), "Untitled"), (RawEntry(title="\u200b \x00"), "Untitled"),
        (RawEntry(text="one two three four five six seven eight nine ten eleven twelve thirteen"),
         "one two three four five six seven eight nine ten eleven twelve …"),
    ],
)  # fmt: skip
def test_an_entry_without_a_title_is_named_by_what_it_has(entry: RawEntry, title: str) -> None:
    """The body's first words, the host, or a word for nothing at all."""
    assert clean(entry).title == title


@given(
    st.builds(
        RawEntry, title=st.text(max_size=80), html=st.text(max_size=200), link=st.text(max_size=60),
        author=st.text(max_size=9), tags=st.lists(st.text(max_size=20), max_size=4).map(tuple),
        text=st.text(max_size=80),
        base_url=st.text(max_size=30),
    )
)  # fmt: skip
def test_any_entry_becomes_a_signal_with_a_title(entry: RawEntry) -> None:
    """Cleaning never raises, a title is one visible line, and links lead to the web or nowhere."""
    signal = clean(entry)
    assert signal.title.strip()
    assert "\n" not in signal.title + signal.author + "".join(signal.tags)
    assert signal.url == "" or signal.url.startswith(("https://", "http://"))


@given(st.text(max_size=120))
def test_lines_that_are_plain_stay_as_they_are(text: str) -> None:
    """Making text visible and one line are idempotent."""
    assert strip_invisible(strip_invisible(text)) == strip_invisible(text)
    assert one_line(one_line(text)) == one_line(text)


def test_links_are_read_against_the_entry_and_shown_without_tracking() -> None:
    """The base of the entry comes before the site; address and body agree."""
    entry = RawEntry(link="a?utm_source=rss", base_url="https://site.example/x/", html='<a href="b">b</a>')
    signal = clean(entry)
    assert signal.url == "https://site.example/x/a"
    assert signal.body == "[b](https://site.example/x/b)\n"
    assert clean(RawEntry(link="javascript:alert(1)")).url == ""


def test_a_heading_that_only_repeats_the_title_is_dropped() -> None:
    """The note gets its title as a heading of its own, once."""
    assert clean(RawEntry(title="C &amp; D", html="<h1>C &amp; D</h1><p>Text</p>")).body == "Text\n"
    assert clean(RawEntry(title="C", html="<h1>Other</h1><p>Text</p>")).body == "## Other\n\nText\n"
    assert clean(RawEntry(title="C", html="<h1>C</h1>")).body == "## C\n"


def test_text_in_place_of_html_keeps_its_paragraphs() -> None:
    """Blank lines part paragraphs, short lines break, and wrapped lines flow."""
    assert clean(RawEntry(html="a\nb\n\nc *d*")).body == "a\nb\n\nc \\*d\\*\n"
    long = "word " * 12
    assert clean(RawEntry(html=f"{long}\n{long}")).body.count("\n") == 1
    assert clean(RawEntry(text="# Mine\n\n*as it is*")).body == "# Mine\n\n*as it is*\n"


def test_tags_are_plain_and_unique() -> None:
    """Case, hashes and escapes do not make two tags of one; addresses and sentences are none."""
    assert clean_tags(["#A", "a", "b &amp; c", "", "https://x.example/", "w " * 60]) == ("A", "b & c")
    assert clean(RawEntry(tags=("x",))).tags == ("x", "mine")


def test_a_line_is_cut_at_a_word() -> None:
    """Over-long titles end in an ellipsis and keep their limit."""
    line = plain_line("word " * 1000, 50)
    assert len(line) <= 50
    assert line.endswith("word…")
