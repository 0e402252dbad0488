"""The table of feeds: what is remembered of each between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from intake.ledger.signals import storable
from intake.serialization import time_from_text, time_to_text
from intake.types import FeedState

if TYPE_CHECKING:
    from datetime import datetime

    from intake.ledger.database import Database

_COLUMNS = (
    "url, current_url, title, etag, last_modified, next_try, failures, gone, id_policy, last_status, last_error,"
    " checked"
)
_ONE = f"SELECT {_COLUMNS} FROM feeds WHERE url = ?"  # noqa: S608  constants only
_ALL = f"SELECT {_COLUMNS} FROM feeds ORDER BY url"  # noqa: S608  constants only
_SAVE = f"INSERT OR REPLACE INTO feeds ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608  constants only


def read_feed(database: Database, url: str) -> FeedState:
    """Return what is remembered of a feed; a fresh state where nothing is."""
    found = database.row(_ONE, (storable(url),))
    return _from_row(found) if found else FeedState(url=url, current_url=url)


def read_feeds(database: Database) -> dict[str, FeedState]:
    """Return everything remembered, by subscribed address."""
    return {state.url: state for state in map(_from_row, database.rows(_ALL))}


def write_feed(database: Database, state: FeedState) -> None:
    """Replace what is remembered of a feed."""
    texts = (state.url, state.current_url or state.url, state.title, state.etag, state.last_modified)
    row = (
        *map(storable, texts),
        _text(state.next_try),
        state.failures,
        int(state.gone),
        state.id_policy,
        state.last_status,
        storable(state.last_error),
        _text(state.checked),
    )
    database.run(_SAVE, row)


def _from_row(row: tuple[Any, ...]) -> FeedState:
    url, current_url, title, etag, last_modified, next_try, failures, gone, policy, status, error, checked = row
    return FeedState(
        url=url,
        current_url=current_url,
        title=title,
        etag=etag,
        last_modified=last_modified,
        next_try=_time(next_try),
        failures=failures,
        gone=bool(gone),
        id_policy=policy,
        last_status=status,
        last_error=error,
        checked=_time(checked),
    )


def _text(time: datetime | None) -> str | None:
    return time_to_text(time) if time else None


def _time(text: str | None) -> datetime | None:
    return time_from_text(text) if text else None
