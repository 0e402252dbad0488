"""Time as fetching needs it: what a date means, how long something took, and waiting."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Clock:
    """The three things a fetcher does with time; a test hands in its own.

    Attributes:
        now: Returns the aware UTC time, which dates in headers are compared with.
        monotonic: Returns seconds that never run backwards.
        sleep: Waits for a number of seconds.
    """

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]


def _utc_now() -> datetime:
    return datetime.now(UTC)


SYSTEM_CLOCK = Clock(_utc_now, time.monotonic, time.sleep)
"""The machine's clock."""


class Deadline:
    """The moment at which a fetch is given up, however lively the server is."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self._clock = clock
        self._at = clock.monotonic() + seconds

    @property
    def remaining_s(self) -> float:
        """Seconds left; 0 once it has passed."""
        return max(0.0, self._at - self._clock.monotonic())

    @property
    def passed(self) -> bool:
        """Whether there is no time left."""
        return self.remaining_s <= 0.0

    def extend(self, seconds: float) -> None:
        """Move it back by the time spent waiting out of politeness."""
        self._at += seconds
