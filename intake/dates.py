"""Dates of entries: read what feeds write, and decide what to do with what cannot be true."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

MAX_FUTURE = timedelta(days=1)
"""How far ahead a date may lie: the widest gap between a wrong time zone and the right one (our choice)."""

FIRST_PLAUSIBLE_YEAR = 1990
"""Earlier years are zero timestamps and typing errors: the Web is from 1990."""

_MAX_DATE_CHARS = 100
_MONTHS = {
    "jan": 1, "jän": 1, "feb": 2, "mar": 3, "mär": 3, "mrz": 3, "mae": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6,
    "jul": 7, "aug": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12,
}  # fmt: skip
# Hours east of UTC. RFC 822 names the American ones; the others are what European feeds write.
_ZONES = {
    "UTC": 0, "GMT": 0, "UT": 0, "Z": 0, "WET": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
    "PST": -8, "PDT": -7, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "BST": 1, "WEST": 1, "EET": 2, "EEST": 3,
    "MSK": 3, "JST": 9,
}  # fmt: skip
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[-/._ ](\d{1,2})[-/._ ](\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})([-/.]) ?(\d{1,2})[-/.] ?(\d{4}|\d{2})(?!\d)")
_NAMED_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[-. ]{0,3}([^\W\d_]{3,10})[-., ]{1,3}'?(\d{4}|\d{2})(?!\d)"
)
_NAMED_MONTH_FIRST = re.compile(r"([^\W\d_]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (?:.{0,20}?)(\d{4})(?!\d)")
_TIME = re.compile(r"(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)? ?([ap]\.?m\.?(?!\w))?", re.IGNORECASE)
_OFFSET = re.compile(r" ?(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?(?!\d)| ?([A-Z]{1,4})\b")
_EPOCH = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d+)?")
_CENTURY_PIVOT = 69  # POSIX strptime %y: 69-99 are 19xx, 00-68 are 20xx
_NOON = 12
_MONTHS_A_YEAR = 12


class _Day(NamedTuple):
    year: int
    month: int
    day: int


def resolve_date(published: datetime | None, *, now: datetime) -> tuple[datetime, bool]:
    """Decide the date of a signal.

    Args:
        published: What the source claims; taken as UTC where it is naive.
        now: Aware time of capture.

    Returns:
        Aware UTC time, and whether it is a guess: `now` stands in for a missing date, one more than a day ahead,
        and one before 1990.
    """
    captured = now.astimezone(UTC)
    if published is None or published.year < FIRST_PLAUSIBLE_YEAR:
        return captured, True
    try:
        claimed = (published if published.tzinfo else published.replace(tzinfo=UTC)).astimezone(UTC)
    except OverflowError:  # the last hours of year 9999
        return captured, True
    if claimed > captured + MAX_FUTURE or claimed.year < FIRST_PLAUSIBLE_YEAR:
        return captured, True
    return claimed, False


def parse_date(text: str) -> datetime | None:
    """Read a date that a strict parser refuses.

    English and German month names, `2016/6/29`, `29.06.2016`, ISO 8601 with odd separators, two-digit years and
    Unix seconds are understood. `03/04/2020` is read month first, as only Americans write slashes; a first number
    above twelve is a day.

    Args:
        text: Any text; only its first 100 characters count.

    Returns:
        Aware UTC time (midnight where no time is given, UTC where no zone is), or None.
    """
    line = " ".join(text[:_MAX_DATE_CHARS].split())
    epoch = _EPOCH.fullmatch(line)
    if epoch:
        return datetime.fromtimestamp(int(epoch[1]), UTC)
    day = _find_day(line)
    if day is None:
        return None
    try:
        moment = datetime(*day, *_find_time(line), tzinfo=_find_zone(line))
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):  # 31 February, 25:00, the edges of the calendar
        return None


def _find_day(line: str) -> _Day | None:
    if found := _YEAR_FIRST.search(line) or _COMPACT.search(line):
        return _Day(int(found[1]), int(found[2]), int(found[3]))
    if found := _DAY_FIRST.search(line):
        first, second = int(found[1]), int(found[3])
        month_first = found[2] == "/" and first <= _MONTHS_A_YEAR
        month, day = (first, second) if month_first and second <= 31 else (second, first)  # noqa: PLR2004  days
        return _Day(_full_year(found[4]), month, day)
    for found in _NAMED_DAY_FIRST.finditer(line):
        if month := _month(found[2]):
            return _Day(_full_year(found[3]), month, int(found[1]))
    for found in _NAMED_MONTH_FIRST.finditer(line):
        if month := _month(found[1]):
            return _Day(int(found[3]), month, int(found[2]))
    return None


def _month(name: str) -> int:
    return _MONTHS.get(name[:3].lower(), 0)


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) > 2:  # noqa: PLR2004  two-digit years
        return year
    return year + (1900 if year >= _CENTURY_PIVOT else 2000)


def _find_time(line: str) -> tuple[int, int, int]:
    found = _TIME.search(line)
    if not found:
        return 0, 0, 0
    hour = int(found[1])
    if found[4]:
        hour = hour % _NOON + (_NOON if found[4][0] in "pP" else 0)
    return hour, int(found[2]), min(int(found[3] or 0), 59)  # a leap second becomes the one before


def _find_zone(line: str) -> timezone:
    time = _TIME.search(line)
    found = _OFFSET.match(line, time.end()) if time else None
    if not found:
        return UTC
    if found[4]:
        return timezone(timedelta(hours=_ZONES.get(found[4], 0)))
    offset = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(-offset if found[1] == "-" else offset)
