"""Hostile size and depth: cleaning neither recurses to death nor takes time beyond proportion."""

from __future__ import annotations

import re

import pytest

from intake.cleaning.layout import MAX_BODY_CHARS, tidy_markdown
from intake.cleaning.markdown_conversion import html_to_markdown
from intake.cleaning.nesting import MAX_DEPTH, MAX_TAGS, limit_nesting
from intake.cleaning.sanitizing import sanitize_html

DEEPEST = 120
"""Levels of the tree after sanitising: the weighted depth plus what the parser adds (rows, cells, items, emphasis)."""


def _depth(clean: str) -> int:
    """Count how many elements of sanitised HTML are open at most."""
    depth = deepest = 0
    for tag in re.finditer(r"<(/?)(\w+)", clean):
        if tag[2] not in {"br", "img", "hr"}:
            depth += -1 if tag[1] else 1
            deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize(
    "unit",
    [
        "<div>", "<blockquote>", "<ul><li>", "<ol><li>", "<table><tr><td>", "<b>", "<i><b>", "<a href=x>", "<pre>",
        "<dl><dd>", "<h1><h2>", "<sup>", "<details><summary>", "<div title='<'>", "<b><div></b>", "<form><div></form>",
        "<div><table><td></div>", "<svg><g>", "<div><svg><foreignObject></div>", "<section/>",
    ],
)  # fmt: skip
def test_ten_thousand_nested_elements_are_flattened(unit: str) -> None:
    """Text within any kind of nesting is found, in a tree that can be walked."""
    assert _depth(sanitize_html(f"{unit * 10_000}needle")) <= DEEPEST
    found = html_to_markdown(f"<p>before</p>{unit * 1_000}needle")
    assert "before" in found
    assert "needle" in found or unit.startswith(("<svg", "<form", "<div><svg"))


def test_an_ordinary_depth_is_untouched() -> None:
    """HTML within the bounds passes unchanged."""
    markup = "<div>" * MAX_DEPTH + "x" + "</div>" * MAX_DEPTH
    assert limit_nesting(markup) == markup


def test_a_dropped_element_loses_both_of_its_tags() -> None:
    """The closing tag of a dropped element does not close another one."""
    markup = "<div>" * (MAX_DEPTH + 1) + "x" + "</div>" * (MAX_DEPTH + 1) + "<p>y</p>"
    bounded = limit_nesting(markup)
    assert bounded.count("<div>") == bounded.count("</div>") == MAX_DEPTH


def test_text_beyond_the_last_kept_tag_stays() -> None:
    """When the tags are used up, the text goes on without them."""
    assert html_to_markdown("<b>x</b> " * (MAX_TAGS + 5) + "needle").endswith("needle\n")


def test_closing_tags_alone_make_nothing() -> None:
    """Closing tags that browsers turn into empty elements are dropped."""
    assert sanitize_html("</p></br>" * 50_000 + "x").strip() == "x"


@pytest.mark.parametrize("text", ["*", "\\", "# ", "https://a"])
def test_a_megabyte_of_special_characters_is_cut_to_size(text: str) -> None:
    """The longest body has the promised length, however much its characters grow by escaping."""
    assert len(html_to_markdown(text * (1_000_000 // len(text)))) <= MAX_BODY_CHARS + 1


def test_a_cut_code_block_is_closed() -> None:
    """Where the end of a body is cut off within code, the fence is closed."""
    line = "x" * 99
    body = tidy_markdown("\n".join(["```", *[line] * 10_100, "```"]))
    assert len(body) <= MAX_BODY_CHARS + 10
    assert body.rstrip().endswith("```")
