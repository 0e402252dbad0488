"""The subscriptions of a vault: VAULT/.sluice/feeds.yaml, read strictly."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from config.errors import InvalidSettings
from config.loading import read_yaml

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Feed:
    """One subscription.

    Attributes:
        url: Address the person subscribed to (http or https).
        title: What the person calls it; empty means the feed's own title.
        tags: Put on every note from this feed.
        local: Whether loopback and private addresses are allowed for it.
        paused: Whether it is left out of runs.
        full_text: Whether the page behind an entry is fetched for its text.
    """

    url: str
    title: str = ""
    tags: tuple[str, ...] = ()
    local: bool = False
    paused: bool = False
    full_text: bool = False


def load_feeds(path: Path) -> tuple[Feed, ...]:
    """Read the subscriptions in their order; a missing file means none.

    Raises:
        UnreadableConfig: The file is not readable YAML.
        InvalidSettings: An entry has no http(s) address, an unknown key, or stands there twice.
    """
    data = read_yaml(path)
    if data is None:
        return ()
    if not isinstance(data, list):
        raise InvalidSettings(f"{path}: expected a list of feeds, found {type(data).__name__}")
    feeds = tuple(parse_feed(item, f"{path}: feed {number}") for number, item in enumerate(data, 1))
    seen: set[str] = set()
    for feed in feeds:
        if feed.url in seen:
            raise InvalidSettings(f"{path}: {feed.url} is listed twice; remove one")
        seen.add(feed.url)
    return feeds


def parse_feed(item: object, origin: str) -> Feed:
    """Validate one entry of the file.

    Args:
        item: An address, or a mapping with the fields of `Feed`.
        origin: What to call the entry in an error.

    Raises:
        InvalidSettings: It has no http(s) address, an unknown key, or a value of another type.
    """
    if isinstance(item, str):
        item = {"url": item}
    if not isinstance(item, dict):
        raise InvalidSettings(f"{origin}: expected an address or a mapping, found {type(item).__name__}")
    unknown = item.keys() - {f.name for f in fields(Feed)}
    if unknown:
        raise InvalidSettings(f"{origin}: unknown key {min(map(str, unknown))!r}")
    url = str(item.get("url") or "").strip()
    _check_url(url, origin)
    tags = item.get("tags") or ()
    if isinstance(tags, str) or not isinstance(tags, list | tuple):
        raise InvalidSettings(f"{origin}: tags must be a list, found {tags!r}")
    flags = {name: item.get(name, False) for name in ("local", "paused", "full_text")}
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise InvalidSettings(f"{origin}: {name} is {value!r}; it must be true or false")
    return Feed(url=url, title=str(item.get("title") or ""), tags=tuple(map(str, tags)), **flags)


def _check_url(url: str, origin: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        valid = False
    if not valid or any(c.isspace() or not c.isprintable() for c in url):
        raise InvalidSettings(f"{origin}: {url!r} is not an http or https address")
