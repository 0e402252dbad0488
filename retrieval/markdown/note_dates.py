"""Dates as notes carry them, turned into aware UTC times."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from email.utils import parsedate_to_datetime

_MAX_DATE_CHARS = 64
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?=\D|$)", re.ASCII)
_GERMAN = re.compile(r"(\d{1,2})\.[ ]?(\d{1,2})\.[ ]?(\d{4})(?=\D|$)", re.ASCII)
_ISO_DAY_IN_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})(?=\D|$)", re.ASCII)
_COMPACT_DAY = 8


def read_date(value: object) -> datetime | None:
    """Read a date as people and programs write it.

    Args:
        value: A date, a datetime, or text in ISO 8601, `2016/6/29`, `29.6.2016` or RFC 5322 form. A time
            without zone is taken as UTC. A number is a date only where it reads `YYYYMMDD`.

    Returns:
        Aware UTC time, or None where it is no date.
    """
    match value:
        case datetime():
            return _as_utc(value)
        case date():
            return datetime.combine(value, time(), UTC)
        case bool():
            return None
        case int() | str():
            return _read_text(str(value).strip())
        case _:
            return None


def date_in_name(stem: str) -> datetime | None:
    """Return the day a file name begins with, as daily notes do (`2026-12-01 Meeting`)."""
    found = _ISO_DAY_IN_NAME.match(stem)
    return _read_text(found[1]) if found else None


def _read_text(text: str) -> datetime | None:
    if not text or len(text) > _MAX_DATE_CHARS or (text.isdigit() and len(text) != _COMPACT_DAY):
        return None
    try:
        return _as_utc(datetime.fromisoformat(text))
    except ValueError:
        pass
    if found := _YEAR_FIRST.match(text):
        return _day(found[1], found[2], found[3])
    if found := _GERMAN.match(text):
        return _day(found[3], found[2], found[1])
    try:
        return _as_utc(parsedate_to_datetime(text))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _day(year: str, month: str, day: str) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day), tzinfo=UTC)
    except ValueError:
        return None


def _as_utc(moment: datetime) -> datetime | None:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
