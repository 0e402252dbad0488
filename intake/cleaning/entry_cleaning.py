"""From a raw entry to a signal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from intake.canonical_url import canonicalize_url, clean_url
from intake.cleaning.layout import MAX_BODY_CHARS
from intake.cleaning.markdown_conversion import html_to_markdown
from intake.cleaning.plain_text import (
    MAX_AUTHOR_CHARS,
    MAX_TITLE_CHARS,
    clean_tags,
    one_line,
    plain_line,
    shorten,
    strip_invisible,
)
from intake.dates import resolve_date
from intake.identity import simhash
from intake.types import Signal

if TYPE_CHECKING:
    from datetime import datetime

    from intake.types import RawEntry, SignalId, SourceRef

UNTITLED = "Untitled"
_TITLE_WORDS = 12  # taken from the body where an entry has no title
_TITLE_SOURCE_CHARS = 2_000
_MAX_MEDIA_TYPES = 20
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,100}")
_ELEMENT = re.compile(r"</?[a-zA-Z]|<!--")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_HARD_WRAPPED_CHARS = 55  # text with longer lines was wrapped by its editor, so its breaks mean nothing
_LINK_OR_IMAGE = re.compile(r"!\[[^\[\]]*\]\([^()\s]*\)|\]\([^()\s]*\)|https?://\S+")
_MARKS = re.compile(r"\\(?=[!-/:-@\[-`{-~])|[*`\[\]]|^\s*(?:#{1,6}|[->|]|\d+\.)\s+", re.MULTILINE)


def clean_entry(entry: RawEntry, source: SourceRef, *, signal_id: SignalId, now: datetime) -> Signal:
    """Clean an entry: HTML to Markdown, absolute links, plain one-line texts, a date that can be true.

    Args:
        entry: What the source found; nothing in it is trusted.
        source: Where it came from.
        signal_id: See `intake.identity`.
        now: Aware time of capture.
    """
    base = _first_web_address(entry.base_url, source.link, source.key)
    url = clean_url(entry.link, base)
    body = _body(entry, base=base or url, page=url)
    title = plain_line(entry.title, MAX_TITLE_CHARS) or _title_without_one(body, url)
    body = _without_title(body, title)
    published, guessed = resolve_date(entry.published, now=now)
    return Signal(
        id=signal_id,
        source=source,
        url=url,
        canonical_url=canonicalize_url(url),
        title=title,
        author=plain_line(entry.author, MAX_AUTHOR_CHARS),
        published=published,
        date_guessed=guessed,
        captured=resolve_date(now, now=now)[0],
        tags=clean_tags((*entry.tags, *source.tags)),
        body=body,
        media_types=_media_types(entry.media_types),
        fingerprint=simhash(body),
    )


def _first_web_address(*candidates: str) -> str:
    return next(filter(None, map(clean_url, candidates)), "")


def _body(entry: RawEntry, *, base: str, page: str) -> str:
    if entry.html.strip():
        markup = entry.html if _ELEMENT.search(entry.html) else _paragraphs(entry.html)
        return html_to_markdown(markup, base=base, page=page)
    text = strip_invisible(entry.text[:MAX_BODY_CHARS]).strip("\n")
    return f"{text}\n" if text.strip() else ""


def _paragraphs(text: str) -> str:
    """Mark up text that came in place of HTML: blank lines part paragraphs, breaks of short lines stay."""
    paragraphs = _BLANK_LINES.split(text.replace("\r\n", "\n").replace("\r", "\n").strip())
    return "".join(f"<p>{_lines(paragraph)}</p>" for paragraph in paragraphs)


def _lines(paragraph: str) -> str:
    lines = paragraph.split("\n")
    wrapped = len(lines) > 1 and min(map(len, lines[:-1])) > _HARD_WRAPPED_CHARS
    return (" " if wrapped else "<br>").join(lines)


def _without_title(body: str, title: str) -> str:
    """Drop a heading at the very beginning that only says the title again; the note has one of its own."""
    first, _, rest = body.partition("\n")
    if not first.startswith("#") or not rest.strip():
        return body
    heading = _MARKS.sub("", first).strip()
    return rest.lstrip("\n") if heading.casefold() == _MARKS.sub("", title).strip().casefold() else body


def _title_without_one(body: str, url: str) -> str:
    """Name a signal by the first words of its body, else by the host of its address."""
    start = body[:_TITLE_SOURCE_CHARS]
    words = _MARKS.sub("", _LINK_OR_IMAGE.sub(" ", start)).split()
    if any(any(char.isalnum() for char in word) for word in words):
        title = " ".join(words[:_TITLE_WORDS]) + (" …" if len(words) > _TITLE_WORDS else "")
        return shorten(one_line(title), MAX_TITLE_CHARS)
    return urlsplit(url).hostname or UNTITLED


def _media_types(types: tuple[str, ...]) -> tuple[str, ...]:
    plain = (raw.partition(";")[0].strip().lower() for raw in types[:_MAX_MEDIA_TYPES])
    return tuple(dict.fromkeys(media for media in plain if _MEDIA_TYPE.fullmatch(media)))
