"""Editing VAULT/.sluice/feeds.yaml line by line: what a person wrote stays byte for byte."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

import yaml

from config.atomic_write import write_text_atomically
from config.errors import InvalidSettings, UnreadableConfig
from config.feeds import Feed, load_feeds, parse_feed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_DOCUMENT_END = re.compile(r"\.\.\.(?:\s|$)")


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
    if added:
        text = _read(path)
        sequence = _sequence(path, text)
        indent = sequence.start_mark.column if sequence else 0
        block = yaml.safe_dump([_as_mapping(feed) for feed in added], sort_keys=False, allow_unicode=True, width=10_000)
        lines = "".join(" " * indent + line for line in block.splitlines(keepends=True))
        head, tail = _split_end(text)
        new = head + ("" if not head or head.endswith("\n") else "\n") + lines + tail
        _save(path, new, expected=known)
    return tuple(added)


def remove_feed(path: Path, url: str) -> bool:
    """Take one subscription out, with the lines that belong to it alone; False where it was not there.

    Raises:
        InvalidSettings: The file is not valid.
        UnreadableConfig: The file cannot be edited line by line.
    """
    feeds = load_feeds(path)
    position = next((i for i, feed in enumerate(feeds) if feed.url == url), None)
    if position is None:
        return False
    text = _read(path)
    sequence = _sequence(path, text)
    assert sequence is not None
    lines = text.splitlines(keepends=True)
    starts = [_dash_line(lines, item.start_mark.line, sequence.start_mark.column) for item in sequence.value]
    first = starts[position]
    end = sequence.end_mark.line + bool(sequence.end_mark.column)  # amid a line where the file ends without a break
    last = starts[position + 1] if position + 1 < len(starts) else end
    # Comments and blank lines before the next entry belong to that entry.
    while last > first + 1 and lines[last - 1].strip()[:1] in {"", "#"}:
        last -= 1
    _save(path, "".join(lines[:first] + lines[last:]), expected={feed.url for feed in feeds} - {url})
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


def _read(path: Path) -> str:
    """Read the text with its own line ends; the file was validated before."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            return handle.read()
    except FileNotFoundError:
        return ""


def _sequence(path: Path, text: str) -> yaml.SequenceNode | None:
    """Return the list of feeds as a node that knows its lines, or None where there is none yet."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        return None
    if not isinstance(node, yaml.SequenceNode) or node.flow_style or "\n---" in text:
        raise UnreadableConfig(f"{path}: write one feed per line, as in '- url: https://…', so that it can be edited")
    return node


def _dash_line(lines: list[str], line: int, column: int) -> int:
    """Find the line with the dash of an entry whose content may begin on a later line."""
    while lines[line][column : column + 1] != "-":
        line -= 1
    return line


def _split_end(text: str) -> tuple[str, str]:
    """Part a text before a final `...`, after which YAML allows no further entry."""
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if _DOCUMENT_END.match(line)), len(lines))
    return "".join(lines[:at]), "".join(lines[at:])


def _save(path: Path, text: str, *, expected: set[str]) -> None:
    """Save a text once it is certain that it names the expected feeds and nothing else."""
    try:
        data = yaml.safe_load(text) or []
        found = {parse_feed(item, "feed").url for item in data} if isinstance(data, list) else set()
    except (yaml.YAMLError, InvalidSettings):
        found = set()
    if found != expected:
        raise UnreadableConfig(f"{path}: cannot be edited line by line; nothing was changed, so edit it by hand")
    path.parent.mkdir(parents=True, exist_ok=True)
    marked = path.is_file() and path.read_bytes().startswith(BOM_UTF8)
    write_text_atomically(path, f"\ufeff{text}" if marked else text)
