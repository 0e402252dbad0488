"""From sources to the ledger: every feed that is due, and whatever a person handed over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, assert_never

from intake.cleaning.plain_text import MAX_TITLE_CHARS, plain_line
from intake.feed_reading import identify_entries, read_new, source_of
from intake.feed_schedule import MAX_ASKED_WAIT, wait_after_failure, waits_until
from intake.fetching import Fetched, FetchFailed, FetchRequest, Gone, NotModified, RetryLater, fetch_all
from intake.identity import signal_id
from intake.sources.feed_document import parse_feed
from intake.sources.feed_types import NotAFeed
from intake.types import CollectReport, FeedState, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime, timedelta

    from config.feeds import Feed
    from config.settings import IntakeSettings
    from intake.fetching import Fetcher, FetchOutcome
    from intake.ledger import Ledger, RecordReport
    from intake.types import RawEntry, SourceRef

_BATCH_ENTRIES = 200
"""Entries recorded in one transaction: a crash loses little, and a large file of bookmarks is not held whole."""

_OK = 200
_NOT_MODIFIED = 304
_GONE = 410


def collect_feeds(  # noqa: PLR0913  the parts of a run come from the composition root
    feeds: Sequence[Feed],
    ledger: Ledger,
    fetcher: Fetcher,
    settings: IntakeSettings,
    *,
    now: datetime,
    force: bool = False,
) -> CollectReport:
    """Ask every feed that is due and record what is new in it.

    Feeds are fetched concurrently and recorded in their order, each in one transaction: the same answers give the
    same ledger. A feed that fails is a problem of its own and never stops the others. One that is waiting after a
    failure, or is gone for good, is neither asked nor counted as failed, but named among the problems.

    Args:
        feeds: The subscriptions; paused ones are left out.
        ledger: The open ledger.
        fetcher: How addresses are fetched.
        settings: Limits.
        now: Aware time of the run.
        force: Ask feeds that are waiting after a failure, too.

    Raises:
        LedgerError: The ledger cannot be used.
    """
    tally = _Tally()
    due: list[tuple[Feed, FeedState]] = []
    for feed in feeds:
        state = ledger.feed_state(feed.url)
        reason = _why_not_asked(feed, state, now=now, force=force)
        if reason is None:
            due.append((feed, state))
        elif reason:
            tally.add_problems(feed.url, (reason,))
    requests = [_request(feed, state) for feed, state in due]
    run = _FeedRun(ledger, settings, now, tally)
    outcomes = fetch_all(fetcher, requests, settings.fetch.concurrency)
    for (feed, state), (_, outcome) in zip(due, outcomes, strict=True):
        run.take(feed, state, outcome)
    return tally.report()


def collect_entries(
    entries: Iterable[tuple[str, RawEntry]], source: SourceRef, ledger: Ledger, *, now: datetime
) -> CollectReport:
    """Record what a person captured or dropped.

    Args:
        entries: (identity, entry) pairs; what has an identity that was seen before is left alone.
        source: Where they come from.
        ledger: The open ledger.
        now: Aware time of capture.

    Raises:
        LedgerError: The ledger cannot be used.
    """
    tally = _Tally()
    rest = iter(entries)
    while batch := list(islice(rest, _BATCH_ENTRIES)):
        named = {signal_id(source.key, identity): entry for identity, entry in batch}
        reading = read_new(named, source, ledger, now=now)
        tally.add_recorded(ledger.record(reading.signals))
        tally.add_problems(source.key, reading.problems)
    return tally.report()


@dataclass(slots=True)
class _Tally:
    """Counts of a collection in progress."""

    feeds: int = 0
    failed: int = 0
    unchanged: int = 0
    new: int = 0
    duplicates: int = 0
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add_warnings(self, subject: str, messages: Iterable[str]) -> None:
        self.warnings.extend(Problem(subject, message) for message in messages)

    def add_problems(self, subject: str, messages: Iterable[str]) -> None:
        self.problems.extend(Problem(subject, message) for message in messages)

    def add_recorded(self, recorded: RecordReport) -> None:
        self.new += len(recorded.new)
        self.duplicates += len(recorded.duplicates)

    def report(self) -> CollectReport:
        return CollectReport(
            feeds=self.feeds,
            failed=self.failed,
            unchanged=self.unchanged,
            new=self.new,
            duplicates=self.duplicates,
            problems=tuple(self.problems),
            warnings=tuple(self.warnings),
        )


@dataclass(frozen=True, slots=True)
class _FeedRun:
    """What stays the same for every feed of a run."""

    ledger: Ledger
    settings: IntakeSettings
    now: datetime
    tally: _Tally

    def take(self, feed: Feed, state: FeedState, outcome: FetchOutcome) -> None:
        """Record what came of asking one feed."""
        self.tally.feeds += 1
        match outcome:
            case Fetched():
                self._take_body(feed, state, outcome)
            case NotModified(permanent_url):
                self.tally.unchanged += 1
                moved = permanent_url or state.current_url
                self.ledger.save_feed(replace(self._succeeded(state, _NOT_MODIFIED), current_url=moved))
            case Gone():
                reason = "the server says that it is gone for good (410); it will not be asked again"
                self._fail(replace(state, gone=True), _GONE, reason)
            case RetryLater(status, retry_after):
                reason = f"HTTP {status}: the server asks to be left alone for a while"
                self._fail(state, status, reason, retry_after)
            case FetchFailed(status, reason):
                self._fail(_back_to_start(state), status, reason)
            case _:  # pragma: no cover
                assert_never(outcome)

    def _take_body(self, feed: Feed, state: FeedState, fetched: Fetched) -> None:
        document = parse_feed(fetched.body, content_type=fetched.content_type, final_url=fetched.final_url)
        if isinstance(document, NotAFeed):
            self._fail(_back_to_start(state), _OK, document.reason)
            return
        source = source_of(feed, document, fetched.final_url)
        policy, named = identify_entries(
            document.entries, source, policy=state.id_policy, limit=self.settings.max_entries_per_feed
        )
        reading = read_new(named, source, self.ledger, now=self.now)
        saved = replace(
            self._succeeded(state, _OK),
            current_url=fetched.permanent_url or state.current_url,
            title=plain_line(document.title, MAX_TITLE_CHARS) or state.title,
            etag=fetched.etag,
            last_modified=fetched.last_modified,
            id_policy=policy,
        )
        self.tally.add_recorded(self.ledger.save_feed(saved, reading.signals))
        self.tally.add_warnings(feed.url, document.problems)
        self.tally.add_problems(feed.url, reading.problems)

    def _succeeded(self, state: FeedState, status: int) -> FeedState:
        return replace(
            state, next_try=None, failures=0, gone=False, last_status=status, last_error="", checked=self.now
        )

    def _fail(self, state: FeedState, status: int, reason: str, retry_after: timedelta | None = None) -> None:
        failures = state.failures + 1
        wait = wait_after_failure(state.url, failures)
        if retry_after is not None:
            wait = min(retry_after, MAX_ASKED_WAIT)
        self.ledger.save_feed(
            replace(
                state,
                next_try=self.now + wait,
                failures=failures,
                last_status=status,
                last_error=reason,
                checked=self.now,
            )
        )
        self.tally.failed += 1
        self.tally.add_problems(state.url, (reason,))


def _why_not_asked(feed: Feed, state: FeedState, *, now: datetime, force: bool) -> str | None:
    """Say why a feed is left out: None where it is not, empty where that is as its owner wants it."""
    if feed.paused:
        return ""
    if state.gone:
        return "gone for good (410), so not asked; unsubscribe, or subscribe to its new address"
    until = None if force else waits_until(state, now)
    if until is None:
        return None
    tries = "1 failed try" if state.failures == 1 else f"{state.failures} failed tries"
    return f"waiting until {until:%Y-%m-%d %H:%M} UTC after {tries}: {state.last_error}"


def _request(feed: Feed, state: FeedState) -> FetchRequest:
    return FetchRequest(
        url=state.current_url or feed.url,
        etag=state.etag,
        last_modified=state.last_modified,
        local=feed.local,
    )


def _back_to_start(state: FeedState) -> FeedState:
    """Forget where a feed was moved to when that stops working; the subscribed address knows a later move."""
    if state.current_url in {"", state.url}:
        return state
    # Validators belong to what they came with: another address may take them for its own.
    return replace(state, current_url=state.url, etag="", last_modified="")
