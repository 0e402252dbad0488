"""What each feed has been worth so far, and what to do about those that were worth nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from intake.feed_reading import without_login
from intake.ledger import Ledger
from intake.types import FeedState, SignalState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from config.feeds import Feed
    from integrations.workspace import Workspace

JUDGED_SIGNALS = 20
"""Signals from which a feed can be judged; fewer are a matter of luck (our choice)."""

JUDGED_FAILURES = 10
"""Failed tries in a row from which a feed is likely dead; with growing waits they take weeks (our choice)."""


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """One subscription and what came of it.

    Attributes:
        url: The subscribed address.
        title: What the person or the feed calls it; may be empty.
        kept: Signals that became notes.
        queued: Signals that wait for a person.
        dropped: Signals that stayed in the ledger.
        duplicates: Signals that repeated others.
        failures: Failed tries in a row.
        last_status: HTTP status of the last try; 0 where there was no answer or no try.
        last_error: Why the last try failed; empty after a success.
        moved_to: Where it was permanently moved; empty where it was not.
        suggestion: What to do about it; empty where nothing.
    """

    url: str
    title: str
    kept: int
    queued: int
    dropped: int
    duplicates: int
    failures: int
    last_status: int
    last_error: str
    moved_to: str
    suggestion: str


def examine_feeds(workspace: Workspace) -> tuple[FeedHealth, ...]:
    """Examine every subscription, in the order of the file.

    Raises:
        ConfigError: The feeds cannot be read.
        LedgerError: The ledger cannot be used.
    """
    with Ledger.open(workspace.vault.ledger_file) as ledger:
        counts, states = ledger.counts_by_source(), ledger.feed_states()
    return tuple(
        _examine(feed, states.get(feed.url, FeedState(feed.url)), counts.get(without_login(feed.url), {}))
        for feed in workspace.feeds()
    )


def _examine(feed: Feed, state: FeedState, counts: Mapping[SignalState, int]) -> FeedHealth:
    kept = counts.get(SignalState.WRITTEN, 0) + counts.get(SignalState.WRITING, 0)
    queued, dropped = counts.get(SignalState.QUEUED, 0), counts.get(SignalState.DROPPED, 0)
    moved_to = state.current_url if state.current_url not in {"", feed.url} else ""
    return FeedHealth(
        url=feed.url,
        title=feed.title or state.title,
        kept=kept,
        queued=queued,
        dropped=dropped,
        duplicates=counts.get(SignalState.DUPLICATE, 0),
        failures=state.failures,
        last_status=state.last_status,
        last_error=state.last_error,
        moved_to=moved_to,
        suggestion=_suggestion(state, moved_to, kept=kept, judged=kept + queued + dropped),
    )


def _suggestion(state: FeedState, moved_to: str, *, kept: int, judged: int) -> str:
    if state.gone:
        return "gone for good: remove it"
    if state.failures >= JUDGED_FAILURES:
        return f"failed {state.failures} times in a row: check its address or remove it"
    if kept == 0 and judged >= JUDGED_SIGNALS:
        return f"none of {judged} signals became a note: consider removing it"
    return f"moved: subscribe to {moved_to}" if moved_to else ""
