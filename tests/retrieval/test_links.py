"""Which links of a note lead to other notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.markdown.links import Link, extract_links


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[[Note]]", Link("Note")),
        ("[[folder/Note|shown]]", Link("folder/Note", alias="shown")),
        ("[[Note#Heading]]", Link("Note", heading="Heading")),
        ("[[Note#One#Two]]", Link("Note", heading="Two")),
        ("[[Note#^abc1]]", Link("Note", block="abc1")),
        ("[[Note#Heading^abc1|x]]", Link("Note", heading="Heading", block="abc1", alias="x")),
        ("[[#Heading]]", Link("", heading="Heading")),
        ("![[image or note]]", Link("image or note", embed=True)),
        ("| [[Note\\|in a table]] |", Link("Note", alias="in a table")),
        ("[[ Note ]]", Link("Note")),
        ("[[U\u0308ber]]", Link("\u00dcber")),
        ("[text](other.md)", Link("other.md")),
        ("[text](../a/b%20c.md#Heading)", Link("../a/b c.md", heading="Heading")),
        ("[text](<a b.md>)", Link("a b.md")),
        ('[text](a.md "title")', Link("a.md")),
        ("[text](a.md#^b1)", Link("a.md", block="b1")),
    ],
)
def test_links_are_read_in_every_form(text: str, link: Link) -> None:
    """Target, heading, block and alias are told apart; names are NFC."""
    assert extract_links(f"Before {text} after.") == (link,)


@pytest.mark.parametrize(
    "text",
    [
        "```toml\n[[table]]\n```",
        "~~~\n[[a]]\n~~~",
        "`df[['a']]` and `[[b]]`",
        "``code ` [[c]]``",
        "`[d](d.md)`",
        "[a](https://e.org/a.md)",
        "[a](obsidian://a.md)",
        "[a](/abs/a.md)",
        "[a](a.txt)",
        "[[]]",
        "[[ ]]",
        "[[a\nb]]",
        "[x] [y]",
        "",
    ],
)
def test_code_and_addresses_hold_no_links(text: str) -> None:
    """Double brackets in code and links out of the vault lead to no note."""
    assert extract_links(text) == ()


def test_a_lone_backtick_hides_nothing() -> None:
    """Backticks without a partner in their paragraph are characters."""
    assert extract_links("a ` b [[one]]\n\nc ` [[two]] `` x") == (Link("one"), Link("two"))


def test_links_come_in_the_order_of_the_text() -> None:
    """Both kinds of link are merged, and a repeated link counts again."""
    found = extract_links("[[b]] [x](a.md) `[[no]]` [[b]]\n```\n[[no]]\n```\n[y](c.md)")
    assert [link.target for link in found] == ["b", "a.md", "b", "c.md"]


@pytest.mark.parametrize("piece", ["[[", "[[a", "](", "](a.md", "](<", "` ", "[[a|", "`[["])
def test_unclosed_links_cost_no_more_than_their_length(piece: str) -> None:
    """A long run of openings is read in one pass; a quadratic step would not end within the test run."""
    extract_links(piece * (300_000 // len(piece)) + ".md")


@given(st.text(alphabet=st.sampled_from('[]()#^|!`\\<>" \nab.md~')))
def test_any_text_is_read(text: str) -> None:
    """Nothing raises, and every link leads somewhere."""
    assert all(link.target or link.heading or link.block for link in extract_links(text))
