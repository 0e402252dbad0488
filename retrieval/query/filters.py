"""Filters of a query: `tag:`, `path:`, `type:`, `domain:`, `after:`, `before:`, each also as an exclusion."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class FilterKind(StrEnum):
    """What a filter looks at."""

    TAG = "tag"  # a tag of the note, or one above it: tag:a finds a/b
    PATH = "path"  # letters anywhere in its path
    TYPE = "type"  # its frontmatter type
    DOMAIN = "domain"  # a folder it lies in, at any depth, or a tag
    AFTER = "after"  # dated that day, month or year, or later
    BEFORE = "before"  # dated before that day, month or year


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition every result meets.

    Attributes:
        kind: What is looked at.
        value: Case-folded; for dates `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
        excluded: Whether results must fail it instead.
    """

    kind: FilterKind
    value: str
    excluded: bool = False


FILTER_KEYS = "|".join(FilterKind)
_FILTER = re.compile(rf"(-?)({FILTER_KEYS}):(.+)", re.IGNORECASE | re.DOTALL)
_DAY = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")
_FIRST_DAY = "0001-01-01"


def parse_filter(word: str) -> Filter | None:
    """Read a word such as `tag:python` or `-path:archive`; None where it is an ordinary word."""
    match = _FILTER.fullmatch(word)
    if match is None:
        return None
    kind = FilterKind(match[2].lower())
    value = match[3].strip().casefold()
    if kind in {FilterKind.TAG, FilterKind.DOMAIN, FilterKind.PATH}:
        value = value.lstrip("#") if kind is FilterKind.TAG else value.removeprefix("./")
        value = value if kind is FilterKind.PATH else value.strip("/")
    if not value or (kind in {FilterKind.AFTER, FilterKind.BEFORE} and not _is_day(value)):
        return None
    return Filter(kind, value, excluded=bool(match[1]))


def _is_day(value: str) -> bool:
    if _DAY.fullmatch(value) is None:
        return False
    try:
        date.fromisoformat(value + _FIRST_DAY[len(value) :])
    except ValueError:
        return False
    return True
