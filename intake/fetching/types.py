"""What is asked for, and the closed set of things that can come of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta  # noqa: TC003  field types may be evaluated by readers
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One address to fetch.

    Attributes:
        url: An http or https address.
        etag: Verbatim `ETag` of an earlier answer, or empty.
        last_modified: Verbatim `Last-Modified` of an earlier answer, or empty.
        local: Whether loopback and private addresses are allowed; such requests are not spaced either.
    """

    url: str
    etag: str = ""
    last_modified: str = ""
    local: bool = False


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole body.

    Attributes:
        body: Decompressed, within the configured size; may be empty.
        content_type: Value of the `Content-Type` header, or empty.
        final_url: Where it came from after redirects, without login data.
        permanent_url: Where permanent redirects (301, 308) from the start led; empty where there were none.
        etag: Verbatim `ETag`, or empty.
        last_modified: Verbatim `Last-Modified`, or empty.
    """

    body: bytes
    content_type: str
    final_url: str
    permanent_url: str = ""
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class NotModified:
    """304: what was fetched earlier is still current.

    Attributes:
        permanent_url: Where permanent redirects from the start led; empty where there were none.
    """

    permanent_url: str = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """410: the address will not come back and is not to be asked again."""


@dataclass(frozen=True, slots=True)
class RetryLater:
    """429 or 503: the server asks to be left alone for a while.

    Attributes:
        status: The HTTP status.
        retry_after: How long, where the server said so; 0 means at once.
    """

    status: int
    retry_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class FetchFailed:
    """No usable answer.

    Attributes:
        status: The HTTP status; 0 where there was no answer, or none that was taken to its end.
        reason: One line for people.
    """

    status: int
    reason: str


FetchOutcome: TypeAlias = Fetched | NotModified | Gone | RetryLater | FetchFailed


class Fetcher(Protocol):
    """The seam between what is fetched and how; safe to call from several threads."""

    def fetch(self, request: FetchRequest) -> FetchOutcome:
        """Fetch one address; every failure is a value."""
        ...
