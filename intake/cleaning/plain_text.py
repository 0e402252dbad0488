"""Plain text out of anything: invisible characters, double escapes, one-line titles, tags."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TITLE_CHARS = 1_000
MAX_AUTHOR_CHARS = 200
MAX_TAG_CHARS = 60
MAX_TAGS = 30
"""Limits of our choice, far above what honest feeds send."""

_MAX_RAW_CHARS = 20_000  # of a title before cleaning; the rest cannot matter
_MAX_DECODINGS = 2  # feeds escape titles twice; a third time would be text about escapes

# Control, zero-width and bidi characters, tag characters, variation selectors without a use in running text, fillers
# that look like nothing (Hangul, Braille), surrogates, and the noncharacters of the first plane.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0d\ufeff"
    "\uffa0\ufff0-\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Joiners belong inside Arabic and Indic words and inside emoji, and are dropped everywhere else.
_JOINED = "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff"
_PICTOGRAPHS = "\u2190-\u2bff\ufe0e\ufe0f\U0001f000-\U0001faff"
_LOOSE_JOINER = re.compile(
    f"(?<![{_JOINED}])\u200c|\u200c(?![{_JOINED}])"
    f"|(?<![{_JOINED}{_PICTOGRAPHS}])\u200d|\u200d(?![{_JOINED}{_PICTOGRAPHS}])"
)
_LINE_BREAK = re.compile("\r\n?|[\x85\u2028\u2029]")
_SPACE = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_TITLE_TAG = re.compile(
    r"</?(?:a|abbr|acronym|b|bdi|bdo|big|br|cite|code|del|dfn|div|em|font|h[1-6]|i|img|ins|kbd|mark|p|q|s|samp|small"
    r"|span|strike|strong|sub|sup|time|tt|u|var|wbr)(?:[\s/][^<>]*)?>",
    re.IGNORECASE,
)
_DROPPED_ELEMENT = re.compile(r"<(script|style)\b[^<>]*>[^<]*(?:</\1\s*>)?|<!--[^<>]*-->", re.IGNORECASE)
_CLOSING_TAG = re.compile(r"</[a-z]|<(?:br|img|wbr)\b[^<>]*/>", re.IGNORECASE)


def strip_invisible(text: str) -> str:
    """Remove characters nobody sees: controls, zero-width and bidi marks, tag characters, lone surrogates.

    Line breaks become newlines; tabs stay; joiners stay inside Arabic and Indic words and emoji.
    """
    if text.isascii() and text.isprintable():
        return text
    return _LOOSE_JOINER.sub("", _INVISIBLE.sub("", _LINE_BREAK.sub("\n", text)))


def one_line(text: str) -> str:
    """Put visible text on one line in NFC, runs of white space as one space."""
    visible = strip_invisible(_SPACE.sub(" ", text))
    return _SPACE.sub(" ", unicodedata.normalize("NFC", visible)).strip()


def shorten(text: str, limit: int) -> str:
    """Cut a line at a word so that it has at most `limit` characters, the ellipsis included."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    at = cut.rfind(" ", limit // 2)
    return (cut[:at] if at > 0 else cut).rstrip(" ,;:-") + "…"


def plain_line(markup: str, limit: int) -> str:
    """Read a title or name that may be HTML, escaped once or twice, as one line of plain text.

    A tag that appears only by decoding is taken as markup where a closing tag shows that it is; otherwise it is
    text, as in a title about `<br>`.

    Args:
        markup: Text or HTML.
        limit: Longest result, in characters.
    """
    text = strip_invisible(markup[:_MAX_RAW_CHARS])
    for _ in range(_MAX_DECODINGS):
        if _CLOSING_TAG.search(text):
            text = _TITLE_TAG.sub(_tag_space, _DROPPED_ELEMENT.sub(" ", text))
        decoded = html.unescape(text)
        if decoded == text:
            break
        text = decoded
    if _CLOSING_TAG.search(text):
        text = _TITLE_TAG.sub(_tag_space, text)
    return shorten(one_line(text), limit)


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Make tags plain, without a leading `#`, each once whatever its case, in their order.

    Returns:
        At most `MAX_TAGS`; over-long ones are dropped, as they are sentences.
    """
    kept: dict[str, str] = {}
    for raw in tags:
        tag = plain_line(raw, 2 * MAX_TAG_CHARS).lstrip("# ").strip()
        if tag and len(tag) <= MAX_TAG_CHARS and "://" not in tag:  # some formats tag with a scheme's address
            kept.setdefault(tag.casefold(), tag)
        if len(kept) == MAX_TAGS:
            break
    return tuple(kept.values())


def _tag_space(tag: re.Match[str]) -> str:
    """Separate words where a tag that breaks the line stood between them."""
    return " " if tag.group().lower().strip("</ ").startswith(("br", "p>", "div", "p ")) else ""
