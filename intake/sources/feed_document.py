"""Read a fetched body as a feed: RSS, RDF and Atom by feedparser, JSON Feed by our own reader."""

from __future__ import annotations

import calendar
import html
import io
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from intake.dates import parse_date
from intake.sources.feed_types import FeedDocument, NotAFeed, resolve_link
from intake.types import RawEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SNIFFED_BYTES = 2_000
_MAX_ENTITY_DECLARATIONS = 50
"""Internal entities of a document; honest feeds declare none, some copy a dozen for Latin letters."""

_MAX_ENTITY_CHARS = 200
_DOCTYPE = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
_ENTITY = re.compile(rb"<!ENTITY", re.IGNORECASE)
_HTML_START = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_HTML_TITLE = re.compile(rb"<title[^<>]*>([^<]{1,200})", re.IGNORECASE)
_FEED_ROOT = re.compile(rb"<(?:[a-z]{1,20}:)?(?:rss|feed|rdf|channel|cdf)\b", re.IGNORECASE)
_PERSON = re.compile(rb"<author\b[^<>]{0,500}>[^<]{0,500}(?:<(?!/?author\b)[^<]{0,500}){1,40}</author\s*>")
_TITLE = re.compile(rb"<title>[^<]*</title\s*>")

# What feedparser and the SGML, XML and codec machinery below it let through on broken input, each seen or reported:
# undecodable text and bad character references (ValueError, OverflowError), unknown encodings (LookupError and its
# KeyError, IndexError), malformed declarations (AssertionError), missing parts (AttributeError, TypeError), depth.
_PARSER_FAILURES = (
    ValueError, LookupError, AssertionError, AttributeError, TypeError, OverflowError, RecursionError,
)  # fmt: skip


def parse_feed(body: bytes, *, content_type: str, final_url: str) -> FeedDocument | NotAFeed:
    """Read a body as a feed.

    Whether it is one is decided by its format and entries; the parser's own verdict (`bozo`) is true for good feeds
    with a wrong header and false for web pages.

    Args:
        body: The decoded body of the response; its size is the caller's to bound.
        content_type: Value of the `Content-Type` header; may be empty.
        final_url: Address the body came from after redirects, the base of relative links.
    """
    if not body.strip(b"\0 \t\r\n"):
        return NotAFeed("the answer is empty")
    if _is_json(body, content_type):
        from intake.sources.json_feed import parse_json_feed  # noqa: PLC0415  most feeds are XML

        return parse_json_feed(body, final_url=final_url)
    if _declares_too_much(body):
        return NotAFeed("the document declares more entities than any honest feed")
    return _parse_xml(body, content_type, final_url)


def _is_json(body: bytes, content_type: str) -> bool:
    return body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" or (
        "json" in content_type.lower() and _FEED_ROOT.search(body[:_SNIFFED_BYTES]) is None
    )


def _declares_too_much(body: bytes) -> bool:
    """Refuse expansion bombs before a parser sees them: many entities, or entities of entities.

    Source:
        "Billion laughs", CVE-2003-1564. The number of *references* is not limited: honest feeds had 111,206.
    """
    if _DOCTYPE.search(body) is None:
        return False
    starts = [found.end() for found in _ENTITY.finditer(body)]
    if len(starts) > _MAX_ENTITY_DECLARATIONS:
        return True
    declarations = [body[start : start + 4 * _MAX_ENTITY_CHARS].partition(b">")[0] for start in starts]
    return any(len(text) > _MAX_ENTITY_CHARS or text.count(b"&") > 1 for text in declarations)


def _parse_xml(body: bytes, content_type: str, final_url: str) -> FeedDocument | NotAFeed:
    import feedparser  # noqa: PLC0415  51 ms that only a run with new bytes needs

    # Without a location nothing is resolved but against a declared xml:base: feedparser would make even a GUID such as
    # `42` an address below the feed's, and every entry would be new when the feed moves.
    headers = {"content-type": content_type or "application/xml"}
    try:
        # Sanitising and resolving are ours: nh3 and the converter do both for every source alike.
        parsed = feedparser.parse(
            io.BytesIO(_without_titles_of_people(body)),
            response_headers=headers,
            sanitize_html=False,
            resolve_relative_uris=False,
        )
        return _document(parsed, body, final_url)
    except _PARSER_FAILURES as err:
        return NotAFeed(f"the feed parser failed on it ({type(err).__name__}: {err})"[:300])


def _without_titles_of_people(body: bytes) -> bytes:
    """Drop the professional title of an author, which feedparser takes for the title of the entry."""
    return _PERSON.sub(lambda person: _TITLE.sub(b"", person[0]), body)


def _document(parsed: Mapping[str, Any], body: bytes, final_url: str) -> FeedDocument | NotAFeed:
    entries = parsed.get("entries") or []
    feed = parsed.get("feed") or {}
    if not entries and (not parsed.get("version") or _HTML_START.search(body[:_SNIFFED_BYTES])):
        return NotAFeed(_describe(body))
    home = resolve_link(_text(feed, "link"), final_url)
    return FeedDocument(
        title=_markup(feed, "title"),
        link=home,
        entries=tuple(_entry(entry, home or final_url, final_url) for entry in entries),
        problems=tuple(_problems(parsed)),
    )


def _describe(body: bytes) -> str:
    """Say what a body is that is no feed."""
    start = body[:_SNIFFED_BYTES]
    if _HTML_START.search(start) and not _FEED_ROOT.search(start):
        title = _HTML_TITLE.search(start)
        named = " ".join(title[1].decode("utf-8", "replace").split()) if title else ""
        return f"a web page, not a feed: {html.unescape(named)!r}" if named else "a web page, not a feed"
    if _FEED_ROOT.search(start):
        return "looks like a feed, but nothing in it can be read"
    return "neither RSS, Atom, RDF nor JSON Feed"


def _problems(parsed: Mapping[str, Any]) -> Iterator[str]:
    error = parsed.get("bozo_exception")
    if parsed.get("bozo") and error is not None:
        yield f"{type(error).__name__}: {error}"[:300]
    if not parsed.get("entries"):
        yield "no entries"


def _entry(entry: Mapping[str, Any], home: str, final_url: str) -> RawEntry:
    """Read an entry; its text is relative to a declared `xml:base`, else to its own page, else to the site.

    The address of the feed itself says little: many feeds are served from another host than the pages they quote.
    """
    content, base = _body(entry)
    declared = resolve_link(base, final_url)
    link = resolve_link(_link(entry), declared or home)
    return RawEntry(
        guid=_text(entry, "id"),
        link=link,
        title=_markup(entry, "title"),
        author=html.escape(_text(entry, "author"), quote=False),
        published=_date(entry),
        tags=tuple(_tags(entry)),
        html=content,
        base_url=declared or link or home,
        media_types=tuple(_media_types(entry)),
    )


def _body(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Give the fullest text of an entry as HTML, and the base of its links."""
    bodies = [*(entry.get("content") or []), entry.get("summary_detail") or {}]
    readable = [body for body in bodies if body.get("value") and _is_text(body)]
    if not readable:
        return "", ""
    fullest = max(readable, key=lambda body: len(str(body["value"])))
    return _as_html(fullest), str(fullest.get("base") or "")


def _is_text(body: Mapping[str, Any]) -> bool:
    media_type = str(body.get("type") or "text/html").lower()
    return media_type.startswith("text/") or media_type.endswith(("xml", "html"))


def _as_html(detail: Mapping[str, Any]) -> str:
    value = str(detail.get("value") or "")
    return html.escape(value, quote=False) if detail.get("type") == "text/plain" else value


def _markup(record: Mapping[str, Any], name: str) -> str:
    """Give a title as HTML, whatever the feed called it."""
    detail = record.get(f"{name}_detail")
    return _as_html(detail) if detail else html.escape(_text(record, name), quote=False)


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value.strip() if isinstance(value, str) else ""


def _link(entry: Mapping[str, Any]) -> str:
    """Give the address of the page; a link blog's own page is not asked for, a sole enclosure is better than none."""
    link = _text(entry, "feedburner_origlink") or _text(entry, "link")
    if link:
        return link
    links = [item for item in entry.get("links") or [] if item.get("href")]
    return next((str(item["href"]) for item in links if item.get("rel") in {"alternate", None}), "")


def _date(entry: Mapping[str, Any]) -> datetime | None:
    for name in ("published", "updated", "created"):
        # Asked for a missing `updated`, feedparser would warn and answer with `published`.
        parsed = entry.get(f"{name}_parsed") if f"{name}_parsed" in entry else None
        moment = _from_struct(parsed) or (parse_date(_text(entry, name)) if name in entry else None)
        if moment is not None:
            return moment
    return None


def _from_struct(value: Any) -> datetime | None:  # noqa: ANN401  feedparser is untyped
    """Read feedparser's time, which is UTC without saying so."""
    if value is None:
        return None
    try:
        return datetime.fromtimestamp(calendar.timegm(value), UTC)
    except (ValueError, OverflowError, OSError):  # year 0, year 10000, and the like
        return None


def _tags(entry: Mapping[str, Any]) -> Iterator[str]:
    for tag in entry.get("tags") or []:
        name = tag.get("label") or tag.get("term")
        if name:
            yield str(name)


def _media_types(entry: Mapping[str, Any]) -> Iterator[str]:
    for enclosure in entry.get("enclosures") or []:
        if enclosure.get("type"):
            yield str(enclosure["type"])
