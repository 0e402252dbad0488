"""What a person hands over: a text, an address, or the page behind one."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from intake.cleaning.nesting import limit_nesting
from intake.dates import parse_date
from intake.types import RawEntry

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_BARE_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_TAG_LINE = re.compile(r"#[^\s#]+(?:\s+#[^\s#]+)*")

_FURNITURE = ("script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "dialog", "iframe")
"""Elements of a page that are not its text."""

_MAIN = ("article", "main", "[role=main]", "body")
"""Where the text of a page lies, most telling first (HTML Living Standard, sections 4.3 and 4.4.14)."""

_SHORTEST_ARTICLE = 200
"""Characters below which an `article` element is a teaser and not the text."""

MAX_PAGE_CHARS = 1_000_000
"""Characters of a page that are looked at."""

MAX_PAGE_TAGS = 30_000
"""Opening tags of a page that are kept; the longest articles of encyclopaedias have about as many."""


def read_capture(text: str) -> RawEntry:
    """Read what was typed or piped in.

    A bare http(s) address is a link. Of anything else the first line is the title and the rest the text; a last line
    of nothing but `#tags` gives the tags. A text of one line is its own title.

    Args:
        text: As handed over.
    """
    content = text.strip()
    if _BARE_ADDRESS.fullmatch(content):
        return RawEntry(link=content)
    lines = content.splitlines()
    tags: tuple[str, ...] = ()
    if len(lines) > 1 and _TAG_LINE.fullmatch(lines[-1].strip()):
        tags = tuple(word.lstrip("#") for word in lines.pop().split())
    title = lines[0].removeprefix("# ").strip() if lines else ""
    body = "\n".join(lines[1:]).strip()
    return RawEntry(title=title, text=body or title, tags=tags)


def read_page(body: bytes, *, content_type: str, url: str) -> RawEntry:
    """Read a web page: title, author, date and the main text without navigation.

    Args:
        body: The fetched bytes; plain text and Markdown are taken as they are, escaped.
        content_type: The header of that name, for its charset.
        url: Address of the page, for relative links; may be empty for a file.
    """
    if content_type.partition(";")[0].strip().lower() in {"text/plain", "text/markdown"}:
        text = body.decode(_charset(content_type) or "utf-8", errors="replace")
        return RawEntry(guid=url, link=url, title=text.strip().partition("\n")[0], html=_preformatted(text))
    page = _page(body, content_type)
    for element in page(_FURNITURE):
        # A header inside the article holds its headline; the one of the page holds the menu.
        if element.name not in {"header", "footer"} or element.find_parent("article") is None:
            element.decompose()
    return RawEntry(
        guid=url,
        link=url,
        title=_meta(page, "og:title") or _text_of(page.title) or _text_of(page.h1),
        author=_meta(page, "author") or _meta(page, "article:author"),
        published=_published(page),
        html=str(_main_part(page)),
        base_url=_base(page, url),
    )


def _page(body: bytes, content_type: str) -> BeautifulSoup:
    """Parse a page; the header's charset wins over the page's own (HTML Living Standard, section 13.2.3.2)."""
    from bs4 import BeautifulSoup, UnicodeDammit  # noqa: PLC0415  only captured pages need a tree here

    charset = _charset(content_type)
    decoded = UnicodeDammit(body[:MAX_PAGE_CHARS], [charset] if charset else [], is_html=True).unicode_markup or ""
    bounded = limit_nesting(decoded, max_chars=MAX_PAGE_CHARS, max_tags=MAX_PAGE_TAGS)
    return BeautifulSoup(bounded, "html.parser")


def _main_part(page: BeautifulSoup) -> Tag:
    for selector in _MAIN:
        found = page.select(selector)
        if found:
            longest = max(found, key=lambda element: len(element.get_text()))
            if selector == "body" or len(longest.get_text()) >= _SHORTEST_ARTICLE:
                return longest
    return page


def _meta(page: BeautifulSoup, name: str) -> str:
    for attribute in ("property", "name"):
        element = page.find("meta", attrs={attribute: name})
        content = element.get("content") if element else None
        if isinstance(content, str) and content.strip():
            return content.strip()
    return ""


def _published(page: BeautifulSoup) -> datetime | None:
    for name in ("article:published_time", "date", "dc.date", "dcterms.date"):
        found = parse_date(_meta(page, name))
        if found:
            return found.astimezone(UTC)
    element = page.find("time", attrs={"datetime": True})
    moment = element.get("datetime") if element else None
    return parse_date(moment) if isinstance(moment, str) else None


def _base(page: BeautifulSoup, url: str) -> str:
    element = page.find("base", attrs={"href": True})
    href = element.get("href") if element else None
    if not isinstance(href, str):
        return url
    try:
        return urljoin(url, href)
    except ValueError:
        return url


def _text_of(element: Tag | None) -> str:
    return element.get_text(" ", strip=True) if element else ""


def _charset(content_type: str) -> str | None:
    found = re.search(r"charset=[\"']?([A-Za-z0-9._-]{1,40})", content_type, re.IGNORECASE)
    if not found:
        return None
    try:
        "".encode(found[1])
    except LookupError:
        return None
    return found[1]


def _preformatted(text: str) -> str:
    import html  # noqa: PLC0415  only plain texts need escaping

    return f"<pre>{html.escape(text[:MAX_PAGE_CHARS])}</pre>"
