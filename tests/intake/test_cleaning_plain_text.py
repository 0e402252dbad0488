"""Titles, names and tags as plain text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.cleaning.plain_text import MAX_TAGS, clean_tags, one_line, plain_line, shorten, strip_invisible

TITLES = st.text(alphabet=st.characters(codec=None), max_size=80) | st.text(alphabet="<>/bria&lt;gm p;x", max_size=40)


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("A &amp; B", "A & B"),
        ("A &amp;amp; B", "A & B"),
        ("<b>Bold</b> &#8211; <i>news</i>", "Bold \u2013 news"),
        ("&lt;b&gt;Bold&lt;/b&gt; news", "Bold news"),
        ("Using &lt;vector&gt; in C++", "Using <vector> in C++"),
        ("1 &lt; 2", "1 < 2"),
        ("5 > 4 < 6", "5 > 4 < 6"),
        ("two\n  lines\u2028of\ttext", "two lines of text"),
        ("in\u200bvisi\u00adble \u202egnp.exe", "invisible gnp.exe"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("e\u0301", "\u00e9"),
        ("one<br/>two</p>", "one two"),
        ("<script>alert(1)</script>x", "x"),
        ("nul\x00l", "null"),
        ("\ud800x", "x"),
    ],
)
def test_titles_are_plain(markup: str, title: str) -> None:
    """Markup and double escapes go, text about markup stays, invisible characters go."""
    assert plain_line(markup, 1_000) == title


@given(TITLES)
def test_no_title_raises_or_breaks_the_line(markup: str) -> None:
    """Any text becomes one line in NFC that holds no control characters and can be stored as UTF-8."""
    title = plain_line(markup, 50)
    assert len(title) <= 50
    assert title == " ".join(title.split())
    assert unicodedata.is_normalized("NFC", title)
    assert not {unicodedata.category(char) for char in title} & {"Cc", "Cs", "Zl", "Zp"}


@given(TITLES)
def test_visible_text_is_a_fixed_point(text: str) -> None:
    """Text without invisible characters stays as it is."""
    visible = strip_invisible(text)
    assert strip_invisible(visible) == visible


def test_joiners_stay_where_they_belong() -> None:
    """Family emoji and Persian words keep the joiners that shape them; elsewhere joiners are dropped."""
    family, persian = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert one_line(family) == family
    assert one_line(persian) == persian
    assert one_line("a\u200db\u200cc") == "abc"


def test_long_lines_are_cut_at_a_word() -> None:
    """A cut line ends in an ellipsis, at a word where one is near, and is never longer than the limit."""
    assert shorten("one two three", 10) == "one two…"
    assert shorten("x" * 30, 10) == "x" * 9 + "…"
    assert shorten("short", 5) == "short"


def test_tags_are_plain_and_unique() -> None:
    """Leading `#` goes, case does not make a tag new, sentences and addresses are no tags."""
    raw = ("#Python", "python", "C&amp;C", " ", "#", "x" * 61, "https://a.org/scheme", "Web  Dev")
    assert clean_tags(raw) == ("Python", "C&C", "Web Dev")


def test_tags_are_limited_in_number() -> None:
    """No more than the limit is kept, the first ones."""
    assert clean_tags(f"tag{number}" for number in range(100)) == tuple(f"tag{number}" for number in range(MAX_TAGS))
