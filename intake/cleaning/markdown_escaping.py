"""Escapes: text of a page stays text in Markdown, and nothing that needs none is escaped.

Source: CommonMark 0.31.2, sections 2.4, 4, 5 and 6; GitHub's strikethrough and tables; Obsidian's highlights, comments,
tags and wikilinks.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from intake.canonical_url import clean_url

_SPECIAL = re.compile(
    r"""
    (?P<url>https?://[^\s<>"'`]{1,2000})
  | (?P<backslash>\\(?=[!-/:-@\[-`{-~]|[ ]?$))  # would escape what follows
  | (?P<always>[`*\[])
  | (?P<underscore>(?<![^\W_])_|_(?![^\W_]))     # inside a word it means nothing
  | (?P<pair>~~|==|%%)
  | (?P<tag>(?<!\S)\#(?=[^\s\#\d]))              # Obsidian reads #word as a tag
  | (?P<markup><(?=[A-Za-z/!?])|&(?=\#?\w{1,31};))
    """,
    re.VERBOSE,
)
# What makes a block at the beginning of a line.
_LINE_START = re.compile(r"(?:[-+](?=\s|$)|\#{1,6}(?=\s|$)|>|[=\-:|][=\-:|\s]*$|\||~)", re.VERBOSE)
_LIST_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_TRAILING_PUNCTUATION = ".,;:!?)]}'\"*_~"  # not part of an address in running text
_URL_UNSAFE = str.maketrans({c: quote(c, safe="") for c in "()*[]\\`<>|~"} | {" ": "%20"})


def escape_prose(text: str, *, line_start: bool, inside_link: bool) -> str:
    """Escape what Markdown would take as markup.

    Args:
        text: Text of one node, without line breaks.
        line_start: Whether it begins a line, so that `#`, `>`, `-`, `1.` would make a block.
        inside_link: Whether it is the text of a link, where `]` would end it.
    """
    escaped = _SPECIAL.sub(_escape_match, text)
    if inside_link:
        escaped = escaped.replace("]", "\\]")
    if not line_start:
        return escaped
    content = escaped.lstrip(" ")
    indent = escaped[: len(escaped) - len(content)]
    if _LINE_START.match(content):
        return f"{indent}\\{content}"
    return indent + _LIST_NUMBER.sub(r"\1\\\2", content, count=1) if content[:1].isdigit() else escaped


def link_target(url: str) -> str:
    """Write an address so that it can stand in the parentheses of a link."""
    return url.translate(_URL_UNSAFE)


def _escape_match(match: re.Match[str]) -> str:
    found = match.group()
    if match.lastgroup != "url":
        return f"\\{found}"
    address = found.rstrip(_TRAILING_PUNCTUATION)
    if found[len(address) :].startswith(")") and "(" in address:
        address += ")"
    shown = clean_url(address)
    if not shown:
        return _SPECIAL.sub(lambda inner: f"\\{inner.group()}", found[:1]) + found[1:]
    rest = found[len(address) :]
    return _plain_url(shown) + _SPECIAL.sub(_escape_match, rest)


_EMPHASIS_MARKS = {ord(mark): quote(mark, safe="") for mark in "*[]\\`<>"} | {ord("~"): "%7E"}


def _plain_url(url: str) -> str:
    """Write an address so that it can stand in running text: emphasis marks become percent escapes."""
    safe = url.translate(_EMPHASIS_MARKS)
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", "%5F", safe)
