"""Reading the Retry-After header."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

MAX_SECONDS = 366 * 24 * 3600
"""A year: more is taken as this, so that sums with dates stay within the calendar."""

_MAX_CHARS = 64


def parse_retry_after(value: str, *, now: datetime) -> timedelta | None:
    """Return how long a server asks to be left alone.

    Args:
        value: The header's value: whole seconds, or an HTTP date.
        now: Aware time to which a date is relative.

    Returns:
        From 0 (also for a date that has passed) to a year; None where the value is neither.

    Source:
        RFC 9110, section 10.2.3.
    """
    text = value.strip()
    if not text or len(text) > _MAX_CHARS:
        return None
    if text.isascii() and text.isdigit():
        return timedelta(seconds=min(int(text), MAX_SECONDS))
    try:
        moment = parsedate_to_datetime(text)
        wait = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(wait, timedelta()), timedelta(seconds=MAX_SECONDS))
