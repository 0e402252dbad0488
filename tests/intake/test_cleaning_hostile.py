"""Hostile HTML: no markup gets through, nothing raises, and the result is bounded."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from intake.cleaning.layout import MAX_BODY_CHARS
from intake.cleaning.markdown_conversion import html_to_markdown

BASE = "https://site.example/post"
PIECES = st.sampled_from([
    "<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<i>", "</i>", "<code>", "</code>", "<pre>", "</pre>", "<ul>",
    "<ol>",
    "<li>", "</li>", "</ul>", "<table>", "<tr>", "<td>", "</td>", "</table>", "<h1>", "</h1>", "<blockquote>",
    "</blockquote>", "<br>", "<hr>", "<a href='/x'>", "<a href='javascript:alert(1)'>", "</a>",
    "<img src=/i alt='<b>'>",
    "<script>alert(1)</script>", "<!--", "-->", "&lt;script&gt;", "&lt;/b&gt;", "&lt;", "&amp;lt;b&amp;gt;",
    "&#60;i&#62;",
    "<![CDATA[", "]]>", "<svg><style>", "<math><mtext>", "`", "``", "```", "~~~", "\\", "*", "_", "[", "](", ")", "|",
    "\n",
    "\n\n", "    ", "\t", "#", ">", "- ", "1. ", "word", " ", "é", "\u200b", "\u202e", "\x00", "<sup>", "<del>",
    "<dt>", "==",
])  # fmt: skip
DEEP = [
    "<div>",
    "<ul><li>",
    "<ol><li><p>",
    "<blockquote>",
    "<table><tr><td>",
    "<b>",
    "<a href=x>",
    "<b><i><u>",
    "<svg>",
]
LARGE = {
    "text": "a " * 500_000, "brackets": "<" * 1_000_000, "ampersands": "&" * 1_000_000, "stars": "*" * 1_000_000,
    "addresses": "http://" * 140_000, "backticks": "<code>" + "`" * 990_000, "comments": "<!--" * 250_000,
    "attributes": "<a " + "x=1 " * 250_000 + ">", "emphasis": "<em>a</em>" * 90_000,
    "paragraphs": "<p>a</p>" * 125_000, "joiners": "\u200d" * 1_000_000,
}  # fmt: skip


def raw_html(markdown: str) -> list[str]:
    """HTML that a Markdown reader would pass through."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    inner = [child for token in tokens for child in token.children or []]
    return [token.content for token in [*tokens, *inner] if token.type in {"html_block", "html_inline"}]


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_no_html_survives_whatever_comes_in(html: str) -> None:
    """A Markdown reader finds no HTML in the result, no link that runs scripts, and no invisible character."""
    markdown = html_to_markdown(html, base=BASE)
    assert raw_html(markdown) == []
    assert "](javascript:" not in markdown.lower()
    assert not [c for c in markdown if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in "\n\t"]
    assert markdown == "" or (markdown.endswith("\n") and markdown.strip())


@given(st.text(max_size=300))
def test_any_text_is_html_enough(text: str) -> None:
    """Conversion never raises and never lets HTML through."""
    assert raw_html(html_to_markdown(text, base=BASE)) == []


@pytest.mark.parametrize("tag", DEEP)
def test_ten_thousandfold_nesting_keeps_the_text_within_bounds(tag: str) -> None:
    """Depth is cut before any parser recurses; the text in the middle stays."""
    markdown = html_to_markdown(tag * 10_000 + "middle")
    assert len(markdown) < 1_000
    assert "middle" in markdown or tag == "<svg>"


@pytest.mark.parametrize("name", LARGE)
def test_a_megabyte_of_anything_is_read_without_growing(name: str) -> None:
    """Large input neither raises nor gives more than the longest body."""
    assert len(html_to_markdown(LARGE[name])) <= MAX_BODY_CHARS + 1


def test_a_single_line_that_is_too_long_is_cut_and_not_lost() -> None:
    """Escapes can make a line longer than the longest body; its beginning stays."""
    markdown = html_to_markdown("<p>" + "&lt;b " * 166_000 + "</p>")
    assert markdown.startswith("\\<b \\<b")
    markdown = html_to_markdown("<code>" + "` " * 30_000 + "</code><p>" + "*" * 990_000)
    assert 0 < len(markdown) <= MAX_BODY_CHARS + 1


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:x",
        "jav&#09;ascript:x",
        " javascript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///x",
    ],
)
def test_links_that_do_more_than_lead_to_a_page_become_text(link: str) -> None:
    """Scripts, data and files are neither linked nor shown."""
    assert html_to_markdown(f'<p><a href="{link}">label</a><img src="{link}"></p>', base=BASE) == "label\n"
