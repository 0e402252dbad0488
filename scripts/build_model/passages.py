"""Passages of 25 to 110 words out of HTML documentation."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MIN_WORDS = 25
"""Shorter passages say too little for the teacher to place them."""

MAX_WORDS = 110
"""About the 128 tokens that the teacher reads."""

MIN_LETTERS = 0.75
"""Share of letters among the characters that are not white space; below it a passage is code or a table."""

_CLUTTER = ["script", "style", "nav", "header", "footer", "aside", "pre", "table", "svg", "form"]
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_BLOCKS = frozenset({"p", "li", "dd"})
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_MAX_PAGE_BYTES = 2_000_000  # a larger page is an index


@dataclass(frozen=True, slots=True)
class Passage:
    """A few sentences and the heading they stand under.

    Attributes:
        heading: Text of the nearest heading above, or empty.
        text: The sentences, in one line.
    """

    heading: str
    text: str


def passages_of_pages(pages: Iterable[bytes], cap: int) -> list[Passage]:
    """Cut pages into passages, leaving out duplicates.

    Args:
        pages: HTML files.
        cap: Most passages returned.

    Returns:
        Passages in the order of the pages.
    """
    seen: set[str] = set()
    found: list[Passage] = []
    for page in pages:
        for passage in passages_of_page(page):
            if passage.text not in seen:
                seen.add(passage.text)
                found.append(passage)
        if len(found) >= cap:
            break
    return found[:cap]


def passages_of_page(html: bytes) -> Iterator[Passage]:
    """Cut one page into passages.

    Args:
        html: An HTML file.

    Yields:
        Passages of its sections, in order.
    """
    if len(html) > _MAX_PAGE_BYTES:
        return
    for heading, blocks in _sections(html):
        for text in cut_sentences(" ".join(blocks)):
            if _is_prose(text):
                yield Passage(heading, text)


def cut_sentences(text: str) -> Iterator[str]:
    """Cut text at sentence ends into pieces of `MIN_WORDS` to `MAX_WORDS` words.

    Args:
        text: A section.

    Yields:
        Pieces; what is too short to be one, and sentences longer than a piece, are left out.
    """
    piece: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        words = sentence.split()
        if len(piece) + len(words) > MAX_WORDS:
            if len(piece) >= MIN_WORDS:
                yield " ".join(piece)
            piece = []
        if len(words) <= MAX_WORDS:
            piece += words
    if len(piece) >= MIN_WORDS:
        yield " ".join(piece)


def sampled(path: str, one_in: int) -> bool:
    """Return whether a page belongs to a fixed sample of a large package.

    Args:
        path: Path of the page in its package.
        one_in: Every how many-th page is taken.

    Returns:
        The same for the same path, on any machine.
    """
    return zlib.crc32(path.encode()) % one_in == 0


def _sections(html: bytes) -> Iterator[tuple[str, list[str]]]:
    root = LexborHTMLParser(html).root
    if root is None:
        return
    root.strip_tags(_CLUTTER)
    heading, blocks = "", list[str]()
    for node in root.traverse():
        if node.tag in _HEADINGS:
            yield heading, blocks
            heading, blocks = _line(node.text()).strip("¶#§ "), []
        elif node.tag in _BLOCKS and len(node.css("p, li, dd")) == 1:  # itself; outer blocks would repeat inner ones
            blocks.append(_line(node.text()))
    yield heading, blocks


def _line(text: str) -> str:
    return " ".join(text.split())


def _is_prose(text: str) -> bool:
    dense = "".join(text.split())
    return sum(map(str.isalpha, dense)) >= MIN_LETTERS * len(dense)
