"""Questions about a node of the HTML tree: is it a block, does it begin a line."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bs4.element import NavigableString, Tag

if TYPE_CHECKING:
    from collections.abc import Iterator

DROPPED = "x-dropped"
"""Name given to elements that leave no trace; renaming costs nothing, where removing walks all siblings."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

BLOCKS = frozenset(
    "address article aside blockquote center details dd div dl dt fieldset figcaption figure footer header hr li main "
    "nav ol p pre section summary table caption thead tbody tfoot tr td th ul [document]".split()
) | frozenset(HEADINGS)
"""Elements that begin and end a line; `[document]` is the name of the whole tree."""


_MAX_LOOK_BACK = 20  # siblings; more empty ones in a row are taken for the beginning of a line, which costs an escape


def tags_in(element: Tag) -> Iterator[Tag]:
    """Give all elements within an element; many times faster than a search with a filter."""
    return (node for node in element.descendants if isinstance(node, Tag))


def is_block(node: object) -> bool:
    """Tell whether a node begins and ends a line."""
    return isinstance(node, Tag) and (node.name in BLOCKS or node.name == "br")


def begins_line(text: NavigableString) -> bool:
    """Tell whether nothing stands before a text on its line."""
    node: NavigableString | Tag = text
    while True:
        before = next((n for n in islice(node.previous_siblings, _MAX_LOOK_BACK) if not _leaves_nothing(n)), None)
        if before is not None:
            return is_block(before)
        parent = node.parent
        if parent is None or is_block(parent):
            return True
        node = parent


def class_words(tag: Tag) -> list[str]:
    """Give the words of an element's `class`, in lower case."""
    value = tag.attrs.get("class") or ()
    words = value.split() if isinstance(value, str) else value
    return [str(word).lower() for word in words]


def text_of(tag: Tag) -> str:
    """Give the text of an element on one line."""
    return " ".join(tag.get_text(" ").split())


def _leaves_nothing(node: object) -> bool:
    if isinstance(node, NavigableString):
        return not node.strip()
    if not isinstance(node, Tag) or is_block(node):
        return False
    if node.name == DROPPED:
        return True
    return next(node.stripped_strings, None) is None and node.name != "img" and node.find("img") is None
