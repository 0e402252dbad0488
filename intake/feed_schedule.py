"""When a feed may be asked again."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from intake.types import FeedState

FIRST_WAIT = timedelta(minutes=5)
"""Wait after the first failure; it doubles with every further one (our choice)."""

MAX_WAIT = timedelta(days=1)
"""Longest wait after failures: a feed that comes back is found again within a day (our choice)."""

MAX_ASKED_WAIT = timedelta(days=7)
"""Longest wait a server can ask for (our choice); a longer one is taken as this."""

_JITTER_STEPS = 1 << 16
_MAX_DOUBLINGS = 16


def waits_until(state: FeedState, now: datetime) -> datetime | None:
    """Return until when a feed must be left alone, or None where it may be asked now.

    A time further ahead than any wait can be was written under a clock that was wrong, and does not count.
    """
    if state.next_try is None or state.next_try <= now or state.next_try > now + MAX_ASKED_WAIT:
        return None
    return state.next_try


def wait_after_failure(url: str, failures: int) -> timedelta:
    """Return how long to leave a feed alone: twice as long after every failure, up to MAX_WAIT.

    The wait is shortened by up to a quarter, by a hash of address and count: feeds that failed together in one
    outage do not all come back at one moment, and the same history gives the same time.

    Args:
        url: The subscribed address.
        failures: Failures in a row, at least 1.
    """
    doubled = FIRST_WAIT * (1 << min(failures - 1, _MAX_DOUBLINGS))
    digest = hashlib.sha256(f"{url}\0{failures}".encode("utf-8", "surrogatepass")).digest()
    share = int.from_bytes(digest[:2], "big") / _JITTER_STEPS
    return min(doubled, MAX_WAIT) * (1 - share / 4)
