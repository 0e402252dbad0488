"""Read JSON Feed.

Source: jsonfeed.org/version/1.1 and /version/1.
"""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from intake.dates import parse_date
from intake.sources.feed_types import FeedDocument, NotAFeed, resolve_link
from intake.types import RawEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

_VERSION_PREFIXES = ("https://jsonfeed.org/version/", "http://jsonfeed.org/version/")


def parse_json_feed(body: bytes, *, final_url: str) -> FeedDocument | NotAFeed:
    """Read a body as JSON Feed 1.0 or 1.1; wrong types in it count as missing.

    Args:
        body: UTF-8, with or without a byte order mark.
        final_url: Base of relative links.
    """
    try:
        data = json.loads(body.decode("utf-8-sig", "replace"), strict=False)
    except (ValueError, RecursionError) as err:
        return NotAFeed(f"broken JSON ({err})"[:300])
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        return NotAFeed("JSON, but not a JSON Feed")
    version = _text(data, "version")
    items = [item for item in data["items"] if isinstance(item, dict)]
    if not version.startswith(_VERSION_PREFIXES) and not any(map(_has_content, items)):
        return NotAFeed("JSON, but not a JSON Feed")
    authors = _authors(data)
    home = resolve_link(_text(data, "home_page_url"), final_url)
    return FeedDocument(
        title=_escaped(data, "title"),
        link=home,
        entries=tuple(_entry(item, authors, home or final_url) for item in items),
        problems=tuple(_problems(data, version)),
    )


def _problems(data: dict[str, Any], version: str) -> Iterator[str]:
    if not version.startswith(_VERSION_PREFIXES):
        yield "the version of JSON Feed is missing"
    unreadable = sum(not isinstance(item, dict) for item in data["items"])
    if unreadable:
        yield f"{unreadable} items are not objects"
    if not data["items"]:
        yield "no entries"


def _has_content(item: dict[str, Any]) -> bool:
    return any(_text(item, name) for name in ("content_html", "content_text", "url"))


def _entry(item: dict[str, Any], feed_authors: str, home: str) -> RawEntry:
    link = resolve_link(_text(item, "url") or _text(item, "external_url"), home)
    content = _text(item, "content_html") or _escaped(item, "content_text") or _escaped(item, "summary")
    tags = item.get("tags")
    return RawEntry(
        guid=_text(item, "id"),
        link=link,
        title=_escaped(item, "title"),
        author=_authors(item) or feed_authors,
        published=parse_date(_text(item, "date_published")) or parse_date(_text(item, "date_modified")),
        tags=tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
        html=content,
        base_url=link or home,
        media_types=tuple(_media_types(item)),
    )


def _authors(record: dict[str, Any]) -> str:
    """Join the names of the authors: version 1.1 has a list, version 1 had one."""
    authors = record.get("authors")
    listed = authors if isinstance(authors, list) else [record.get("author")]
    return ", ".join(name for author in listed if isinstance(author, dict) and (name := _escaped(author, "name")))


def _media_types(item: dict[str, Any]) -> Iterator[str]:
    attachments = item.get("attachments")
    for attachment in attachments if isinstance(attachments, list) else []:
        if isinstance(attachment, dict) and (media := _text(attachment, "mime_type")):
            yield media


def _escaped(record: dict[str, Any], name: str) -> str:
    """Give a plain text as HTML, in which every raw entry speaks."""
    return html.escape(_text(record, name), quote=False)


def _text(record: dict[str, Any], name: str) -> str:
    """Give a text; numbers count, since ids are often written as such."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()
