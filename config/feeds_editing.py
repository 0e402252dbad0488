"""Editing VAULT/.sluice/feeds.yaml line by line: what a person wrote stays byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.feeds import Feed, load_feeds, parse_feed
from config.yaml_list_editing import append_entries, remove_entry

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_EXAMPLE = "- url: https://…"


def add_feeds(path: Path, feeds: Iterable[Feed]) -> tuple[Feed, ...]:
    """Append subscriptions that are not there yet.

    Args:
        path: The file; created where it does not exist.
        feeds: Wanted subscriptions.

    Returns:
        Those that were added, in order.

    Raises:
        InvalidSettings: The file or one of the feeds is not valid; nothing is written.
        UnreadableConfig: The file cannot be edited line by line.
    """
    known = {feed.url for feed in load_feeds(path)}
    added: list[Feed] = []
    for feed in feeds:
        if feed.url not in known:
            entry = _as_mapping(feed)
            parse_feed(entry, f"feed {feed.url!r}")
            known.add(feed.url)
            added.append(feed)
    append_entries(path, [_as_mapping(feed) for feed in added], example=_EXAMPLE)
    return tuple(added)


def remove_feed(path: Path, url: str) -> bool:
    """Take one subscription out, with the lines that belong to it alone; False where it was not there.

    Raises:
        InvalidSettings: The file is not valid.
        UnreadableConfig: The file cannot be edited line by line.
    """
    position = next((i for i, feed in enumerate(load_feeds(path)) if feed.url == url), None)
    if position is None:
        return False
    remove_entry(path, position, example=_EXAMPLE)
    return True


def _as_mapping(feed: Feed) -> dict[str, object]:
    """Keep what differs from the default, in the order of the fields."""
    entry: dict[str, object] = {"url": feed.url}
    if feed.title:
        entry["title"] = feed.title
    if feed.tags:
        entry["tags"] = list(feed.tags)
    entry.update({name: True for name in ("local", "paused", "full_text") if getattr(feed, name)})
    return entry
