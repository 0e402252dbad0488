"""Many fetches at once, their outcomes in the order of the requests."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from intake.fetching.types import Fetcher, FetchOutcome, FetchRequest

WINDOW_PER_WORKER = 4
"""Requests looked at per concurrent one: room to pass by a busy host, and the bound on outcomes held at once."""


def fetch_all(
    fetcher: Fetcher, requests: Iterable[FetchRequest], concurrency: int
) -> Iterator[tuple[FetchRequest, FetchOutcome]]:
    """Fetch concurrently across hosts, one request at a time for each host.

    At most `WINDOW_PER_WORKER * concurrency` outcomes are held at once: no request further ahead is begun before the
    first outcome was taken. Closing the iterator early waits for the fetches that are under way.

    Args:
        fetcher: Called from several threads.
        requests: Taken as they are needed.
        concurrency: Hosts fetched from at the same time, at least 1.

    Yields:
        Every request with its outcome, in the order of the requests.
    """
    window = _Window(fetcher, iter(requests), concurrency)
    with ThreadPoolExecutor(concurrency, thread_name_prefix="fetch") as executor:
        try:
            while window.fill(executor):
                yield window.take_first(executor)
        finally:
            window.cancel()


class _Place:
    """A request in the window, and its fetch once that has begun."""

    __slots__ = ("future", "host", "request")

    def __init__(self, request: FetchRequest) -> None:
        self.request = request
        self.host = _host(request.url)
        self.future: Future[FetchOutcome] | None = None

    @property
    def running(self) -> bool:
        return self.future is not None and not self.future.done()


class _Window:
    """The requests from the first whose outcome was not taken, in order."""

    def __init__(self, fetcher: Fetcher, requests: Iterator[FetchRequest], concurrency: int) -> None:
        self._fetcher = fetcher
        self._requests = requests
        self._concurrency = concurrency
        self._places: deque[_Place] = deque()

    def fill(self, executor: ThreadPoolExecutor) -> bool:
        """Take in requests, begin what can begin, and tell whether anything is left."""
        while len(self._places) < WINDOW_PER_WORKER * self._concurrency:
            request = next(self._requests, None)
            if request is None:
                break
            self._places.append(_Place(request))
        self._begin(executor)
        return bool(self._places)

    def take_first(self, executor: ThreadPoolExecutor) -> tuple[FetchRequest, FetchOutcome]:
        """Wait for the first request's outcome, beginning others as hosts become free."""
        first = self._places[0]
        while first.future is None or not first.future.done():
            wait([p.future for p in self._places if p.future and p.running], return_when=FIRST_COMPLETED)
            self._begin(executor)
        self._places.popleft()
        return first.request, first.future.result()

    def cancel(self) -> None:
        """Give up what has not begun."""
        for place in self._places:
            if place.future:
                place.future.cancel()

    def _begin(self, executor: ThreadPoolExecutor) -> None:
        busy = {place.host for place in self._places if place.running}
        for place in self._places:
            if len(busy) >= self._concurrency:
                return
            if place.future is None and place.host not in busy:
                place.future = executor.submit(self._fetcher.fetch, place.request)
                busy.add(place.host)


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return url
