"""One fetch from the first request to the last byte; imported by the first fetch, for it brings in httpx."""

from __future__ import annotations

import base64
import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import httpcore
import httpx

from intake.fetching.address_guard import find_destination
from intake.fetching.body_decoding import ACCEPTED_ENCODINGS
from intake.fetching.clock import Deadline
from intake.fetching.connection import PinnedBackend
from intake.fetching.errors import FetchError
from intake.fetching.redirects import REDIRECTS, RedirectChain
from intake.fetching.responses import Response, read_outcome
from intake.fetching.types import FetchFailed

if TYPE_CHECKING:
    import ssl

    from config.settings import FetchSettings
    from intake.fetching.address_guard import Resolver
    from intake.fetching.clock import Clock
    from intake.fetching.host_spacing import HostSpacing
    from intake.fetching.types import FetchOutcome, FetchRequest

ACCEPT = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, "
    "application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5"
)
"""Feeds before web pages, for servers that choose by it."""

_Headers: TypeAlias = list[tuple[bytes, bytes]]

_DEFAULT_PORTS = {"http": 80, "https": 443}
_ERRNO = re.compile(r"\[Errno -?\d{1,6}\] ")
_SSL_SOURCE = re.compile(r" ?\(_ssl\.c:\d{1,6}\)")


@dataclass(frozen=True, slots=True)
class Exchange:
    """How one address is fetched.

    Attributes:
        settings: Limits and the name we go by.
        clock: Time.
        resolver: Knows the addresses of names.
        spacing: Shared between all fetches of a run.
    """

    settings: FetchSettings
    clock: Clock
    resolver: Resolver
    spacing: HostSpacing

    def run(self, request: FetchRequest) -> FetchOutcome:
        """Fetch; every failure is a value."""
        deadline = Deadline(self.settings.deadline_s, self.clock)
        backend = PinnedBackend(deadline)
        try:
            chain = RedirectChain(request.url, self.settings.max_redirects)
            with httpcore.ConnectionPool(ssl_context=_ssl_context(), network_backend=backend) as pool:
                while True:
                    outcome = self._ask(pool, backend, chain, request, deadline)
                    if outcome is not None:
                        return outcome
        except FetchError as err:
            return FetchFailed(err.status, err.reason)

    def _ask(
        self,
        pool: httpcore.ConnectionPool,
        backend: PinnedBackend,
        chain: RedirectChain,
        request: FetchRequest,
        deadline: Deadline,
    ) -> FetchOutcome | None:
        """Ask where the chain has got to; None means that it goes on."""
        host = chain.url.raw_host.decode("ascii")
        self._admit(backend, host, chain.url, request, deadline)
        headers = self._headers(chain.url, request)
        try:
            with pool.stream("GET", _core_url(chain.url), headers=headers, extensions=self._limits()) as raw:
                response = Response(raw.status, raw.headers, raw.iter_stream())
                if raw.status in REDIRECTS:
                    chain.follow(raw.status, _utf8(response.header(b"location")))
                    return None
                return read_outcome(response, request, chain, self.settings, now=self.clock.now())
        except httpcore.TimeoutException as err:
            raise FetchError(0, self._describe_timeout(host, deadline)) from err
        except (httpcore.NetworkError, httpcore.ProtocolError) as err:
            raise FetchError(0, _describe(host, err)) from err

    def _admit(
        self, backend: PinnedBackend, host: str, url: httpx.URL, request: FetchRequest, deadline: Deadline
    ) -> None:
        """Check where the host is, and wait for its turn."""
        port = url.port or _DEFAULT_PORTS[url.scheme]
        limit = min(self.settings.timeout_s, deadline.remaining_s)
        destination = find_destination(self.resolver, host, port, local=request.local, timeout_s=limit)
        backend.pin(host, destination.addresses)
        if destination.public:
            deadline.extend(self.spacing.wait(host))

    def _headers(self, url: httpx.URL, request: FetchRequest) -> _Headers:
        headers = [
            (b"Host", url.netloc),
            (b"User-Agent", self.settings.user_agent.encode("utf-8", "replace")),
            (b"Accept", ACCEPT.encode("ascii")),
            (b"Accept-Encoding", ACCEPTED_ENCODINGS.encode("ascii")),
        ]
        if request.etag:
            headers.append((b"If-None-Match", request.etag.encode("latin-1", "replace")))
        if request.last_modified:
            headers.append((b"If-Modified-Since", request.last_modified.encode("latin-1", "replace")))
        if url.userinfo:
            login = base64.b64encode(f"{url.username}:{url.password}".encode())
            headers.append((b"Authorization", b"Basic " + login))
        return headers

    def _limits(self) -> dict[str, dict[str, float]]:
        operations = ("connect", "read", "write", "pool")
        return {"timeout": dict.fromkeys(operations, self.settings.timeout_s)}

    def _describe_timeout(self, host: str, deadline: Deadline) -> str:
        if deadline.passed:
            return f"took longer than {self.settings.deadline_s:g} s altogether"
        return f"{host} was silent for {self.settings.timeout_s:g} s"


def _utf8(header: str) -> str:
    """Read a header again as UTF-8, which is what servers put into Location where they should escape."""
    return header.encode("latin-1").decode("utf-8", "replace")


def _core_url(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


@functools.cache
def _ssl_context() -> ssl.SSLContext:
    """Build the context once: reading the certificates takes longer than most fetches from this machine."""
    return httpx.create_ssl_context(trust_env=False)


def _describe(host: str, err: httpcore.NetworkError | httpcore.ProtocolError) -> str:
    detail = _SSL_SOURCE.sub("", _ERRNO.sub("", str(err))) or type(err).__name__
    if isinstance(err, httpcore.ConnectError):
        return f"cannot connect to {host}: {detail}"
    if isinstance(err, httpcore.NetworkError):
        return f"the connection to {host} broke: {detail}"
    return f"{host} does not answer in proper HTTP: {detail}"
