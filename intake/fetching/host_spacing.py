"""Leaving time between two requests to one host."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intake.fetching.clock import Clock


class HostSpacing:
    """Hands out the moments at which a host may be asked; safe to use from several threads."""

    def __init__(self, delay_s: float, clock: Clock) -> None:
        """Begin with no host asked yet.

        Args:
            delay_s: Seconds between two requests to one host.
            clock: Tells the time and waits.
        """
        self._delay_s = delay_s
        self._clock = clock
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}

    def wait(self, host: str) -> float:
        """Wait until the host may be asked.

        The moment is reserved under the lock and waited for outside of it, so that one slow host holds up no other
        and two redirects that cross each other cannot block.

        Args:
            host: Its name, in lower case.

        Returns:
            Seconds waited.
        """
        with self._lock:
            now = self._clock.monotonic()
            moment = max(now, self._next.get(host, now))
            self._next[host] = moment + self._delay_s
        pause = moment - now
        if pause > 0:
            self._clock.sleep(pause)
        return pause
