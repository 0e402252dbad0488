"""What a note says about itself: title, tags, aliases, date, source."""

from __future__ import annotations

import json
from datetime import date, datetime
from typing import TYPE_CHECKING

from retrieval.markdown.note_dates import date_in_name, read_date
from retrieval.markdown.outline import first_title
from retrieval.types import NoteMeta

if TYPE_CHECKING:
    from collections.abc import Iterator

    from retrieval.types import Frontmatter

MAX_TITLE_CHARS = 300
"""Characters of a title that are kept. Our choice: it is stored with every passage of the note."""

MAX_NAMES = 200
"""Tags or aliases of one note that are kept. Our choice."""

_MAX_NESTING = 5
_DATE_KEYS = ("published", "date", "created", "updated")


def read_meta(front: Frontmatter, path: str) -> NoteMeta:
    """Gather what frontmatter, first heading and file name say about a note.

    Args:
        front: The note's block and body.
        path: The note's path, with forward slashes.
    """
    fields = {key.lower(): value for key, value in front.fields.items()}
    stem = _stem(path)
    feed_born = bool(_line_of_text(fields.get("sluice_id")))
    return NoteMeta(
        title=_line_of_text(fields.get("title")) or _shorten(first_title(front.body)) or stem,
        type=_line_of_text(fields.get("type")),
        tags=_names(fields.get("tags", fields.get("tag")), strip="#"),
        aliases=_names(fields.get("aliases", fields.get("alias"))),
        date=_date(fields, stem),
        source=_line_of_text(fields.get("url")) or _line_of_text(fields.get("source")) if feed_born else "",
    )


def _stem(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    stem, dot, _ = name.rpartition(".")
    return stem if dot and stem else name


def _date(fields: dict[str, object], stem: str) -> datetime | None:
    for key in _DATE_KEYS:
        if key in fields and (moment := read_date(fields[key])) is not None:
            return moment
    return date_in_name(stem)


def _line_of_text(value: object) -> str:
    """Return a scalar as one line; what is no scalar names nothing."""
    match value:
        case str():
            return _shorten(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case datetime() | date():
            return value.isoformat()
        case _:
            return ""


def _shorten(text: str) -> str:
    return " ".join(text[: 2 * MAX_TITLE_CHARS].split())[:MAX_TITLE_CHARS].rstrip()


def _names(value: object, *, strip: str = "") -> tuple[str, ...]:
    """Return names in order and without duplicates, whatever form the list has."""
    seen: dict[str, None] = {}
    for name in _flatten(value, _MAX_NESTING):
        cleaned = _line_of_text(name).lstrip(strip).strip()
        if cleaned:
            seen.setdefault(cleaned)
        if len(seen) == MAX_NAMES:
            break
    return tuple(seen)


def _flatten(value: object, depth: int) -> Iterator[object]:
    match value:
        case str():
            yield from _split(value, depth)
        case list() | tuple() | set() if depth:
            for item in value:
                # A comma splits only where it stands in place of a list: "Berlin, Germany" is one alias.
                yield from (item,) if isinstance(item, str) else _flatten(item, depth - 1)
        case _:
            yield value


def _split(text: str, depth: int) -> Iterator[object]:
    """Split `a, b`, `#a #b` and `["a", "b"]`; a phrase without any of these is one name."""
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]") and not stripped.startswith("[["):
        try:
            yield from _flatten(json.loads(stripped), depth - 1) if depth else ()
        except (ValueError, RecursionError):
            yield from (item.strip(" '\"") for item in stripped[1:-1].split(","))
    elif "," in stripped:
        yield from stripped.split(",")
    elif stripped.startswith("#"):
        yield from stripped.split()
    else:
        yield stripped
