"""The fetcher that goes out to the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from intake.fetching.address_guard import resolve_host
from intake.fetching.clock import SYSTEM_CLOCK
from intake.fetching.host_spacing import HostSpacing

if TYPE_CHECKING:
    from config.settings import FetchSettings
    from intake.fetching.address_guard import Resolver
    from intake.fetching.clock import Clock
    from intake.fetching.types import FetchOutcome, FetchRequest


class HttpFetcher:
    """Fetches over HTTP and HTTPS; safe to call from several threads.

    Every fetch has connections of its own, so nothing stays open between two of them. No proxy, cookie or login data
    of the environment is used.
    """

    def __init__(
        self, settings: FetchSettings, *, clock: Clock = SYSTEM_CLOCK, resolver: Resolver = resolve_host
    ) -> None:
        """Make a fetcher; what is remembered of hosts lasts as long as it does.

        Args:
            settings: Limits, spacing, and the name we go by.
            clock: Time.
            resolver: Knows the addresses of names.
        """
        self._settings = settings
        self._clock = clock
        self._resolver = resolver
        self._spacing = HostSpacing(settings.per_host_delay_s, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        """Leave the block; there is nothing to close."""

    def fetch(self, request: FetchRequest) -> FetchOutcome:
        """Fetch one address with its redirects; every failure is a value."""
        from intake.fetching.exchange import Exchange  # noqa: PLC0415  httpx takes 100 ms to import

        return Exchange(self._settings, self._clock, self._resolver, self._spacing).run(request)
