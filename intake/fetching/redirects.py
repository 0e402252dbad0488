"""Following redirects by hand: each hop is an address a stranger chose."""

from __future__ import annotations

import httpx

from intake.fetching.errors import FetchError

REDIRECTS = frozenset({301, 302, 303, 307, 308})
PERMANENT = frozenset({301, 308})

_MAX_SHOWN = 120
_MAX_PORT = 65_535


class RedirectChain:
    """The way of one fetch from the address asked for.

    Attributes:
        url: Where it is now.
        permanent_url: Where permanent redirects from the start led; empty where there were none.
        temporary: Whether a redirect on the way was a temporary one.
    """

    def __init__(self, start: str, limit: int) -> None:
        """Begin at an address.

        Args:
            start: An http or https address.
            limit: Redirects followed.

        Raises:
            FetchError: It is not such an address.
        """
        self.url = _parse(start)
        self.permanent_url = ""
        self.temporary = False
        self._limit = limit
        self._visited = [str(self.url)]

    @property
    def redirected(self) -> bool:
        """Whether any redirect was followed."""
        return len(self._visited) > 1

    def follow(self, status: int, location: str) -> None:
        """Go where a redirect leads.

        Args:
            status: One of REDIRECTS.
            location: Value of the Location header; may be relative.

        Raises:
            FetchError: It leads nowhere, back, to another scheme, or on for too long.
        """
        if not location:
            raise FetchError(status, f"HTTP {status} without an address to go to")
        target = _join(self.url, location)
        self._check(status, target)
        # A permanent move that gives up encryption is followed but not remembered.
        lasting = status in PERMANENT and not (self.url.scheme == "https" and target.scheme == "http")
        if not lasting:
            self.temporary = True
        elif not self.temporary:
            self.permanent_url = str(target)
        self.url = target
        self._visited.append(str(target))

    def _check(self, status: int, target: httpx.URL) -> None:
        if str(target) in self._visited:
            way = " -> ".join(map(shown, [*self._visited, str(target)]))
            raise FetchError(status, f"redirects in a loop: {way}")
        if len(self._visited) > self._limit:
            raise FetchError(status, f"more than {self._limit} redirects, last to {shown(str(target))}")


def shown(url: str) -> str:
    """Shorten an address for a message, without login data."""
    text = without_login(httpx.URL(url))
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def without_login(url: httpx.URL) -> str:
    """Write an address without user name and password."""
    return str(url.copy_with(userinfo=b"") if url.userinfo else url)


def _join(base: httpx.URL, location: str) -> httpx.URL:
    try:
        target = base.join(location).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as err:
        raise FetchError(0, f"redirected to {location[:_MAX_SHOWN]!r}, which is no address") from err
    if not _is_web(target):
        raise FetchError(0, f"redirected to {location[:_MAX_SHOWN]!r}, which is not an http or https address")
    return target


def _is_web(url: httpx.URL) -> bool:
    return url.scheme in {"http", "https"} and bool(url.host) and (url.port is None or 0 < url.port <= _MAX_PORT)


def _parse(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError) as err:
        raise FetchError(0, f"{text[:_MAX_SHOWN]!r} is no address ({err})") from err
    if not _is_web(url):
        raise FetchError(0, f"{text[:_MAX_SHOWN]!r} is not an http or https address")
    return url
