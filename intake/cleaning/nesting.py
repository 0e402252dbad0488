"""A bound on the depth and number of tags, before any parser sees the HTML.

HTML parsers need time in proportion to depth times length (two minutes for 200,000 nested `div`), and the tree
walkers behind them recurse. Dropping what lies too deep keeps both linear. The scan follows the parsing rules of HTML
closely enough never to count less depth than the parser will build.
"""

from __future__ import annotations

import re
from collections import Counter

MAX_HTML_CHARS = 1_000_000
"""Characters of an entry that are read; the longest honest ones are books."""

MAX_DEPTH = 40
"""Weighted depth of kept elements: newsletters nest some ten tables."""

MAX_TAGS = 20_000
"""Opening tags that are kept; a long article has some thousands."""

_MAX_OPEN_FORMATTING = 20

_TAG_START = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*)")
_TAG_REST = re.compile(r"[^<>]*>?")
# Elements that are empty, that close by themselves, or that the parser opens only once.
_UNCOUNTED = frozenset(
    "area base br col embed hr img input link meta source track wbr param keygen frame "
    "p li dt dd tr td th thead tbody tfoot colgroup option optgroup rp rt rb rtc a nobr "
    "html head body form".split()
)
# The parser reopens these after a block closed over them, so they are counted apart.
_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
# A closing tag does not reach beyond these (HTML standard, 13.2.4.2, "has an element in scope").
_BOUNDARIES = frozenset(
    "applet caption marquee object table template foreignobject desc title mi mo mn ms mtext annotation-xml".split()
)
# A closing tag without its opening one makes an empty element of these (HTML standard, 13.2.6.4.7).
_OPENED_BY_CLOSING = frozenset({"p", "br"})
_WEIGHTS = {"table": 4, "ul": 3, "ol": 3, "blockquote": 3, "dl": 2}  # what each adds to the tree or the indentation


class _Scan:
    """Where the scan stands: kept open elements, their weight, and how many of each name were dropped.

    Only kept elements are on the stack, so that it never holds more than `MAX_DEPTH` and every step is short. A
    closing tag is dropped as long as an opening tag of its name was: the depth is then counted too high, never too low.
    """

    __slots__ = ("_depth", "_dropped", "_formatting", "_kept", "_stack")

    def __init__(self) -> None:
        self._stack: list[str] = []
        self._depth = 0
        self._formatting: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._kept = 0

    def keeps(self, name: str, *, closing: bool) -> bool:
        """Account for a tag; False where it must be dropped."""
        if closing and name not in _OPENED_BY_CLOSING:
            return self._keeps_closing(name)
        if self._kept < MAX_TAGS and self._has_room(name):
            self._kept += 1
            self._open(name)
            return True
        if name not in _UNCOUNTED:
            self._dropped[name] += 1
        return False

    def _has_room(self, name: str) -> bool:
        if name in _UNCOUNTED:
            return True
        if name in _FORMATTING:
            return self._formatting.total() < _MAX_OPEN_FORMATTING
        return self._depth + _WEIGHTS.get(name, 1) <= MAX_DEPTH

    def _open(self, name: str) -> None:
        if name in _FORMATTING:
            self._formatting[name] += 1
        elif name not in _UNCOUNTED:
            self._stack.append(name)
            self._depth += _WEIGHTS.get(name, 1)

    def _keeps_closing(self, name: str) -> bool:
        if self._dropped[name] > 0:
            self._dropped[name] -= 1
            return False
        if name in _FORMATTING:
            self._formatting[name] = max(0, self._formatting[name] - 1)
        elif name not in _UNCOUNTED:
            at = self._find(name)
            self._depth -= sum(_WEIGHTS.get(element, 1) for element in self._stack[at:])
            del self._stack[at:]
        return True

    def _find(self, name: str) -> int:
        """Where the element lies that a closing tag closes; the end of the stack where it closes none."""
        for at in range(len(self._stack) - 1, -1, -1):
            if self._stack[at] == name:
                return at
            if self._stack[at] in _BOUNDARIES:
                break
        return len(self._stack)


def limit_nesting(html: str) -> str:
    """Drop tags that lie too deep or are too many; their text stays.

    Args:
        html: Hostile HTML; what exceeds `MAX_HTML_CHARS` is cut off.
    """
    html = html[:MAX_HTML_CHARS]
    scan = _Scan()
    pieces: list[str] = []
    copied = 0
    for tag in _TAG_START.finditer(html):
        name = tag[2].lower()
        if not scan.keeps(name, closing=bool(tag[1])) and tag.start() >= copied:
            pieces += (html[copied : tag.start()], "\n")
            rest = _TAG_REST.match(html, tag.end())
            copied = rest.end() if rest else tag.end()
    pieces.append(html[copied:])
    return "".join(pieces)
