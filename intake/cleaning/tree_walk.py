"""The walk over the HTML tree: markdownify's protocol, without its repeated searches among ancestors and siblings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bs4.element import NavigableString, Tag
from markdownify import MarkdownConverter

from intake.cleaning.tree import DROPPED, HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

_ONE_LINE = frozenset({*HEADINGS, "td", "th"})  # elements whose content must stay on one line
_VERBATIM = frozenset({"code", "kbd", "samp", "tt"})  # elements whose text is not escaped
_MAX_GAP = 2  # newlines between two blocks


class TreeWalker(MarkdownConverter):
    """Calls `convert_NAME(element, text of its children, names of its ancestors)` from the leaves up.

    Among the ancestors' names, `_inline` says that there can be no blocks here and `_noformat` that text stays as it
    is; both are markdownify's.
    """

    def process_tag(self, node: Tag, parent_tags: AbstractSet[str] | None = None) -> str:
        """Convert an element and everything in it."""
        outer = parent_tags or frozenset()
        name = node.name
        if name == DROPPED:
            return ""
        text = "" if name == "pre" else _join(self._pieces(node, _within(name, outer)))
        convert = self.get_conv_fn_cached(name)  # type: ignore[attr-defined]  # missing in its stubs
        return text if convert is None else convert(node, text, parent_tags=outer)

    def _pieces(self, node: Tag, ancestors: AbstractSet[str]) -> Iterable[str]:
        for child in node.children:
            if isinstance(child, Tag):
                yield self.process_tag(child, ancestors)
            elif isinstance(child, NavigableString):
                yield self.process_text(child, ancestors)  # type: ignore[attr-defined]  # same


def _within(name: str, outer: AbstractSet[str]) -> AbstractSet[str]:
    if name in _ONE_LINE:
        return outer | {name, "_inline"}
    return outer | {name, "_noformat"} if name in _VERBATIM else outer | {name}


def _join(pieces: Iterable[str]) -> str:
    """Join the parts of an element; where two ask for space between them, the larger gap wins."""
    joined: list[str] = []
    gap = 0
    for piece in pieces:
        content = piece.strip("\n")
        if not content:
            gap = min(_MAX_GAP, gap + len(piece))
            continue
        leading = len(piece) - len(piece.lstrip("\n"))
        joined.append("\n" * min(_MAX_GAP, max(gap, leading)) + content)
        gap = len(piece) - leading - len(content)
    joined.append("\n" * min(_MAX_GAP, gap))
    return "".join(joined)
