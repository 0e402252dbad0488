"""Repairs of the HTML tree before it is walked: links around blocks, numbers of list items, levels of headings."""

from __future__ import annotations

from bs4 import Tag

from intake.cleaning.tree import BLOCKS, DROPPED, HEADINGS, tags_in

INLINED = "x-inlined"
"""Name given to blocks that have to become a part of a line."""

_MERGED = ["b", "strong", "i", "em", "code", "del", "s"]
_MAX_LIST_NUMBER = 999_999_999  # CommonMark, 5.2: at most nine digits


def prepare_links(root: Tag) -> None:
    """Make links fit on one line: Markdown has no link around blocks.

    A link around a heading moves into the heading; a link around more than a few short blocks stops being one.
    """
    for link in root.find_all("a"):
        blocks = [tag for tag in tags_in(link) if tag.name in BLOCKS]
        if not blocks:
            continue
        headings = [block for block in blocks if block.name in HEADINGS]
        if len(headings) == 1 and len(link.get_text()) <= 2 * len(headings[0].get_text()):
            link.wrap(Tag(name=headings[0].name))
        elif any(block.name in {"pre", "table", "ul", "ol", "blockquote"} for block in blocks) or len(headings) > 1:
            link.name = "div"
            continue
        for block in blocks:
            block.name = INLINED


def merge_neighbours(root: Tag) -> None:
    """Make one of two like elements side by side: `*a**b*` and `` `a``b` `` would not be read as two."""
    for element in root.find_all(_MERGED):
        following = element.next_sibling
        while isinstance(following, Tag) and following.name == element.name != DROPPED:
            beyond = following.next_sibling
            for child in list(following.contents):
                element.append(child.extract())
            following.name = DROPPED
            following = beyond


def prepare_lists(root: Tag) -> None:
    """Number the items of ordered lists in one pass; counting from each item would be quadratic."""
    for numbered in root.find_all("ol"):
        start = str(numbered.attrs.get("start") or "1")
        number = int(start) if start.isdecimal() and len(start) < 9 else 1  # noqa: PLR2004  see _MAX_LIST_NUMBER
        for item in numbered.find_all("li", recursive=False):
            item["value"] = str(min(number, _MAX_LIST_NUMBER))
            number += 1


def heading_shift(root: Tag) -> int:
    """Tell by how many levels headings must go down so that none has the level of the note's own title."""
    return 1 if root.find("h1") is not None else 0
