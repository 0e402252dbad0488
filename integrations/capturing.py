"""Turning what a person hands over into an entry: a text, or the page behind an address."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intake.canonical_url import canonicalize_url
from intake.fetching import Fetched, FetchRequest, HttpFetcher
from intake.sources.capture import read_capture, read_page
from intake.types import Problem, RawEntry

if TYPE_CHECKING:
    from config.settings import FetchSettings
    from intake.fetching import FetchOutcome


@dataclass(frozen=True, slots=True)
class Captured:
    """A capture, ready to be taken in.

    Attributes:
        identity: The same for the same page or text.
        entry: What was captured.
        problem: Why the page behind an address could not be read; the address itself is captured all the same.
    """

    identity: str
    entry: RawEntry
    problem: Problem | None = None


def capture_text(text: str, settings: FetchSettings, *, local: bool = False) -> Captured:
    """Capture a text, or, where it is nothing but an address, the page behind it.

    Args:
        text: What the person handed over.
        settings: How pages are fetched.
        local: Whether loopback and private addresses may be fetched.
    """
    entry = read_capture(text)
    if not entry.link or entry.text:
        return Captured(hashlib.sha256(text.strip().encode()).hexdigest(), entry)
    with HttpFetcher(settings) as fetcher:
        outcome = fetcher.fetch(FetchRequest(entry.link, local=local))
    identity = canonicalize_url(entry.link) or entry.link
    if isinstance(outcome, Fetched):
        page = read_page(outcome.body, content_type=outcome.content_type, url=outcome.final_url)
        return Captured(identity, page)
    return Captured(identity, entry, Problem(entry.link, f"its page was not read: {_reason(outcome)}"))


def _reason(outcome: FetchOutcome) -> str:
    return getattr(outcome, "reason", "") or type(outcome).__name__
