"""Fetching over HTTP: polite, bounded, and safe against what an address may lead to.

Importing this package is cheap; the HTTP machinery is imported by the first fetch.
"""

from intake.fetching.clock import SYSTEM_CLOCK, Clock
from intake.fetching.http_fetcher import HttpFetcher
from intake.fetching.ordered_fetching import fetch_all
from intake.fetching.types import (
    Fetched,
    Fetcher,
    FetchFailed,
    FetchOutcome,
    FetchRequest,
    Gone,
    NotModified,
    RetryLater,
)

__all__ = [
    "SYSTEM_CLOCK",
    "Clock",
    "FetchFailed",
    "FetchOutcome",
    "FetchRequest",
    "Fetched",
    "Fetcher",
    "Gone",
    "HttpFetcher",
    "NotModified",
    "RetryLater",
    "fetch_all",
]
