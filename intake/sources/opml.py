"""Subscription lists: OPML in, by listparser, and out.

Source: OPML 2.0, http://opml.org/spec2.opml: an `outline` of type `rss` with an `xmlUrl`, nested for folders.
"""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

from config.feeds import Feed
from intake.cleaning.plain_text import one_line
from intake.errors import MalformedOpml

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_OPML_BYTES = 5_000_000
"""Far above any honest list: ten thousand feeds take about two million bytes."""

_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,100}encoding=["']([A-Za-z0-9._-]{1,40})""")

_ADDRESS = re.compile(r"""\bxmlUrl\s{0,9}=\s{0,9}(["'])([^"'<>\s]{1,2000})\1""", re.IGNORECASE)

# What listparser lets through on lists whose elements do not close in order.
_PARSER_FAILURES = (IndexError, ValueError, AttributeError, AssertionError, RecursionError)


def read_opml(data: bytes) -> tuple[Feed, ...]:
    """Read the feeds of a list; the folders a feed lies in become its tags.

    Args:
        data: The bytes of the file.

    Returns:
        Feeds in the order of the file, each address once. Addresses are not checked: the caller refuses what it
        cannot subscribe to, one by one.

    Raises:
        MalformedOpml: The file is too large, declares entities, or names no feed.
    """
    if len(data) > MAX_OPML_BYTES:
        raise MalformedOpml(f"the list has {len(data):,} bytes, more than {MAX_OPML_BYTES:,}; split it")
    if b"<!ENTITY" in data:
        raise MalformedOpml("the list declares XML entities, which no honest list does; remove the declarations")
    text = _as_utf8(data)
    feeds = _parsed(text) or _salvaged(text)
    if not feeds:
        raise MalformedOpml("the file names no feed; is it an OPML subscription list?")
    return feeds


def _parsed(data: bytes) -> tuple[Feed, ...]:
    import listparser  # noqa: PLC0415  only importing a list needs it

    try:
        # Bytes, never text: it would fetch a text that begins like an address.
        found = listparser.parse(data)
    except _PARSER_FAILURES:
        return ()
    feeds: dict[str, Feed] = {}
    for item in found.feeds:
        url = item.url.strip()
        if url and url not in feeds:
            folders = (one_line(part) for category in item.get("categories", ()) for part in category)
            tags = dict.fromkeys(folder for folder in folders if folder)
            feeds[url] = Feed(url=url, title=one_line(item.title or ""), tags=tuple(tags))
    return tuple(feeds.values())


def _salvaged(data: bytes) -> tuple[Feed, ...]:
    """Find the addresses in a list that is not well-formed: published lists often forget to escape a title."""
    found = (html.unescape(match[2]).strip() for match in _ADDRESS.finditer(data.decode()))
    return tuple(Feed(url=url) for url in dict.fromkeys(found) if url)


def _as_utf8(data: bytes) -> bytes:
    """Recode a list that declares, or plainly has, another encoding."""
    declared = _ENCODING.search(data[:200])
    for encoding in (declared[1].decode("ascii") if declared else "utf-8-sig", "utf-8-sig"):
        try:
            return data.decode(encoding).encode()
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("cp1252", errors="replace").encode()


def write_opml(feeds: Iterable[Feed], *, title: str) -> str:
    """Write feeds as OPML 2.0; a tag becomes the `category` of its feed.

    Args:
        feeds: In the order to write them.
        title: Title of the list.
    """
    root = ET.Element("opml", version="2.0")
    ET.SubElement(ET.SubElement(root, "head"), "title").text = one_line(title)
    body = ET.SubElement(root, "body")
    for feed in feeds:
        name = one_line(feed.title) or feed.url
        outline = ET.SubElement(body, "outline", type="rss", text=name, title=name, xmlUrl=feed.url)
        if feed.tags:
            outline.set("category", ",".join("/" + one_line(tag).replace(",", " ") for tag in feed.tags))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
