"""Code: its text as it was, and its language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bs4.element import NavigableString, Tag

from intake.cleaning.tree import DROPPED, class_words

if TYPE_CHECKING:
    from collections.abc import Iterator

_LANGUAGE = re.compile(r"[a-z][a-z0-9+#.-]{0,19}|1c|4d")
_LANGUAGE_PREFIXES = ("language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "src-", "brush:")
_LANGUAGE_MARKERS = frozenset({"sourcecode", "src", "hljs", "brush:", "code", "prettyprint", "highlight"})
_NO_LANGUAGE = frozenset(
    "none plain text plaintext txt nohighlight no-highlight default source code block example toolbar wrapper pre "
    "numbersource numberlines hljs prettyprint highlight highlighter-rouge chroma notranslate".split()
)
_LINE_NUMBER_CLASSES = frozenset(
    "lineno linenos linenumber linenumbers line-number line-numbers-rows gutter gl rouge-gutter lntd-gutter".split()
)
_BACKTICKS = re.compile("`+")
_WRAPPERS_SEARCHED = 3  # how far outside of `pre` a highlighter may name the language


def fence_code(pre: Tag) -> str:
    """Write an element as a fenced code block; empty where it holds no code."""
    inner = pre.find_all("pre")
    code = code_text(inner[-1] if inner else pre)  # a table of line numbers and code: the code comes last
    if not code:
        return ""
    longest = max((len(run) for run in _BACKTICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"\n\n{fence}{_language_of(pre)}\n{code}\n{fence}\n\n"


def code_text(element: Tag) -> str:
    """Give the text of code, line by line as the page shows it."""
    text = "".join(_pieces(element)).replace("\u00a0", " ")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def has_lines(code: Tag) -> bool:
    """Tell whether inline code is a listing that breaks its lines with `br`."""
    return code.find("br") is not None and "\n" in code_text(code)


def _pieces(element: Tag) -> Iterator[str]:
    for node in element.descendants:
        if isinstance(node, NavigableString):
            if not _is_line_number(node):
                yield str(node)
        elif isinstance(node, Tag) and (
            node.name == "br" or (node.name in {"div", "p", "tr", "li"} and node.previous_sibling)
        ):
            yield "\n"


def _is_line_number(text: NavigableString) -> bool:
    parent = text.parent
    return parent is not None and (parent.name == DROPPED or not _LINE_NUMBER_CLASSES.isdisjoint(class_words(parent)))


def _language_of(pre: Tag) -> str:
    candidates = [pre, *pre.find_all("code", limit=1), *list(pre.parents)[:_WRAPPERS_SEARCHED]]
    return next(filter(None, map(_named_language, candidates)), "")


def _named_language(tag: Tag) -> str:
    named = tag.attrs.get("data-lang") or tag.attrs.get("data-language")
    if named and (language := _valid(str(named))):
        return language
    words = class_words(tag)
    for position, word in enumerate(words):
        for prefix in _LANGUAGE_PREFIXES:
            if word.startswith(prefix) and (language := _valid(word.removeprefix(prefix))):
                return language
        if word in _LANGUAGE_MARKERS and tag.name in {"pre", "code"}:
            following = words[position + 1 : position + 2]
            if following and (language := _valid(following[0])):
                return language
    return ""


def _valid(name: str) -> str:
    language = name.strip().lower().strip(";:")
    return language if _LANGUAGE.fullmatch(language) and language not in _NO_LANGUAGE else ""
