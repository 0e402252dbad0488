"""From a response that is no redirect to what a caller can act on."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from intake.fetching.body_decoding import read_body
from intake.fetching.errors import FetchError
from intake.fetching.redirects import shown, without_login
from intake.fetching.retry_after import parse_retry_after
from intake.fetching.types import Fetched, Gone, NotModified, RetryLater

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from config.settings import FetchSettings
    from intake.fetching.redirects import RedirectChain
    from intake.fetching.types import FetchOutcome, FetchRequest

MAX_VALIDATOR_CHARS = 1_000
"""Longer validators are not kept: they would have to be sent with every request."""

_WITH_BODY = frozenset({HTTPStatus.OK, HTTPStatus.NON_AUTHORITATIVE_INFORMATION})
_BUSY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


@dataclass(frozen=True, slots=True)
class Response:
    """A response whose body has not been read.

    Attributes:
        status: The HTTP status.
        headers: Names and values as sent.
        chunks: The body as it arrives, still compressed.
    """

    status: int
    headers: Sequence[tuple[bytes, bytes]]
    chunks: Iterable[bytes]

    def header(self, name: bytes) -> str:
        """Return a header, several of one name joined by commas (RFC 9110, 5.3); empty where there is none.

        Args:
            name: In lower case.
        """
        return b", ".join(value for key, value in self.headers if key.lower() == name).decode("latin-1").strip()


def read_outcome(
    response: Response, request: FetchRequest, chain: RedirectChain, settings: FetchSettings, *, now: datetime
) -> FetchOutcome:
    """Read a response to its end.

    Args:
        response: Not one of the redirects.
        request: What was asked.
        chain: The way to where it comes from.
        settings: Holds the size limit.
        now: Aware time, to which a date in Retry-After is relative.

    Raises:
        FetchError: The status is no success, or the body cannot be read.
    """
    status = response.status
    if status in _WITH_BODY:
        return _read_body(response, chain, settings)
    if status == HTTPStatus.NOT_MODIFIED and (request.etag or request.last_modified):
        return NotModified(chain.permanent_url)
    # A temporary redirect says nothing lasting about the address that was asked for.
    if status == HTTPStatus.GONE and not chain.temporary:
        return Gone()
    if status in _BUSY:
        return RetryLater(status, parse_retry_after(response.header(b"retry-after"), now=now))
    origin = f" from {shown(str(chain.url))}" if chain.redirected else ""
    raise FetchError(status, f"HTTP {status}{_phrase(status)}{origin}")


def _read_body(response: Response, chain: RedirectChain, settings: FetchSettings) -> Fetched:
    length = response.header(b"content-length")
    if length.isascii() and length.isdigit() and int(length[:20]) > settings.max_bytes:
        raise FetchError(0, f"the body is larger than {settings.max_bytes:,} bytes")
    return Fetched(
        body=read_body(response.chunks, response.header(b"content-encoding"), settings.max_bytes),
        content_type=response.header(b"content-type"),
        final_url=without_login(chain.url),
        permanent_url=chain.permanent_url,
        etag=_validator(response.header(b"etag")),
        last_modified=_validator(response.header(b"last-modified")),
    )


def _validator(value: str) -> str:
    return value if len(value) <= MAX_VALIDATOR_CHARS else ""


def _phrase(status: int) -> str:
    """Name a status by the standard's words, not by the server's, which can be anything."""
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""
