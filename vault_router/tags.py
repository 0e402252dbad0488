"""Tags as Obsidian accepts them, made from whatever a feed calls its categories."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from vault_router.plain_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_TAGS = 20  # tags of one note; some feeds put hundreds on an entry
_MAX_CHARS = 60  # characters of one tag; longer ones are sentences
_SLASHES = re.compile(r"-*/[-/]*")
_HYPHENS = re.compile(r"-{2,}")


def obsidian_tags(tags: Iterable[str]) -> list[str]:
    """Make tags valid, keep the first of those that differ in case alone, and stop at twenty.

    Source: Obsidian's help page on tags: letters, numbers, `_`, `-` and `/` (nesting), no space, and at least one
    character that is no number.
    """
    unique: dict[str, str] = {}
    for tag in tags:
        valid = obsidian_tag(tag)
        if valid:
            unique.setdefault(valid.casefold(), valid)
    return list(unique.values())[:_MAX_TAGS]


def obsidian_tag(tag: str) -> str:
    """Make one tag valid, or return an empty string where no letter or number is left of it."""
    # A tag is cut before it is cleaned, so that a huge one costs nothing.
    kept = "".join(c if _allowed(c) else "-" for c in visible(tag[: 4 * _MAX_CHARS]))
    joined = _HYPHENS.sub("-", _SLASHES.sub("/", kept))[:_MAX_CHARS].strip("-/")
    if not any(c.isalnum() for c in joined):
        return ""
    return joined if any(not _numeric(c) for c in joined) else f"_{joined}"


def _allowed(character: str) -> bool:
    return character in "_/-" or unicodedata.category(character)[0] in {"L", "M", "N"}


def _numeric(character: str) -> bool:
    return character in "-/" or unicodedata.category(character)[0] == "N"
