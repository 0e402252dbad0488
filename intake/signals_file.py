"""Signals from a file: JSON lines with or without readers' labels, and single Markdown notes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from intake.cleaning import clean_entry
from intake.dates import parse_date
from intake.errors import MalformedSignal
from intake.evaluation import Labels
from intake.identity import GUID_POLICY, entry_identity, signal_id
from intake.types import RawEntry, SourceKind, SourceRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from intake.types import Signal

MAX_FRONTMATTER_CHARS = 20_000
"""Longer frontmatter is taken for text: no note has so much, and YAML takes long to read."""

NOTE_SOURCE = SourceRef(kind=SourceKind.DROP, key="note", title="")
"""The source of a note that is scored by itself; it says nothing about the note's worth."""

_HIGHEST_LABEL = 3.0
_LABEL_NUMBERS = ("worth", "relevance", "actionability", "depth", "authority")
_FENCE = "---"


@dataclass(frozen=True, slots=True)
class LabelledSignal:
    """A signal read from a file.

    Attributes:
        name: What the file calls it, or the signal's own id where the file has no name for it.
        signal: The cleaned signal.
        labels: What readers said, or None where the file holds no labels.
    """

    name: str
    signal: Signal
    labels: Labels | None


def read_signals(lines: Iterable[str], *, now: datetime) -> Iterator[LabelledSignal]:
    """Read signals from JSON lines.

    Each line is an object with any of the keys `id`, `feed_title`, `feed_link`, `title`, `link`, `guid`, `author`,
    `published`, `tags`, `html`, `text`, `media_types` and `labels`. Unknown keys and blank lines are skipped.

    Args:
        lines: Lines of the file, with or without their line ends.
        now: Aware time that counts as the time of capture.

    Yields:
        One labelled signal per line, in the order of the file.

    Raises:
        MalformedSignal: A line is not such an object; the message names its number.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _parse_line(line, f"line {number}", now)


def read_note_signal(text: str, *, name: str, now: datetime) -> Signal:
    """Read one Markdown note as a signal.

    Args:
        text: The note. Of its frontmatter `title`, `url` (or `link`, `source`), `author`, `published` (or `date`)
            and `tags` are used; frontmatter that cannot be read is ignored.
        name: What the note is called, usually its file name without the suffix; the title where it gives none.
        now: Aware time that counts as the time of capture.
    """
    properties, body = _split_frontmatter(text)
    url = _first_text(properties, "url", "link", "source")
    entry = RawEntry(
        link=url if url.startswith(("http://", "https://")) else "",
        title=_first_text(properties, "title") or _first_heading(body) or name,
        author=_first_text(properties, "author"),
        published=parse_date(_first_text(properties, "published", "date")),
        tags=_note_tags(properties.get("tags")),
        text=body,
    )
    return clean_entry(entry, NOTE_SOURCE, signal_id=signal_id(NOTE_SOURCE.key, name), now=now)


def _parse_line(line: str, place: str, now: datetime) -> LabelledSignal:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as err:
        raise MalformedSignal(f"{place}: not JSON ({err}); write one JSON object per line") from err
    if not isinstance(row, dict):
        raise MalformedSignal(f"{place}: expected a JSON object, found {type(row).__name__}")
    source = SourceRef(
        kind=SourceKind.FEED,
        key=_text(row, "feed_link", place) or _text(row, "feed_title", place) or "file",
        title=_text(row, "feed_title", place),
        link=_text(row, "feed_link", place),
    )
    entry = RawEntry(
        guid=_text(row, "guid", place) or _text(row, "id", place),
        link=_text(row, "link", place),
        title=_text(row, "title", place),
        author=_text(row, "author", place),
        published=parse_date(_text(row, "published", place)),
        tags=_texts(row, "tags", place),
        html=_text(row, "html", place),
        text=_text(row, "text", place),
        base_url=source.link,
        media_types=_texts(row, "media_types", place),
    )
    identifier = signal_id(source.key, entry_identity(entry, GUID_POLICY))
    signal = clean_entry(entry, source, signal_id=identifier, now=now)
    return LabelledSignal(_text(row, "id", place) or signal.id, signal, _parse_labels(row.get("labels"), place))


def _text(row: dict[str, Any], key: str, place: str) -> str:
    value = row.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedSignal(f"{place}: {key} must be a text, found {type(value).__name__}")
    return value


def _texts(row: dict[str, Any], key: str, place: str) -> tuple[str, ...]:
    value = row.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise MalformedSignal(f"{place}: {key} must be a list of texts")
    return tuple(value)


def _parse_labels(labels: object, place: str) -> Labels | None:
    if labels is None:
        return None
    if not isinstance(labels, dict):
        raise MalformedSignal(f"{place}: labels must be an object, found {type(labels).__name__}")
    numbers = {name: _label_number(labels.get(name), f"{place}: labels.{name}") for name in _LABEL_NUMBERS}
    domain = labels.get("domain")
    domains = [domain] if isinstance(domain, str) else domain
    if not isinstance(domains, list) or not domains or not all(isinstance(item, str) for item in domains):
        raise MalformedSignal(f"{place}: labels.domain must be a domain or a list of domains")
    return Labels(domains=tuple(domains), **numbers)


def _label_number(value: object, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= _HIGHEST_LABEL:
        raise MalformedSignal(f"{place} is {value!r}; it must be a number from 0 to 3")
    return float(value)


def _split_frontmatter(text: str) -> tuple[dict[str, object], str]:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.startswith(f"{_FENCE}\n"):
        return {}, text
    end = text.find(f"\n{_FENCE}\n", len(_FENCE), MAX_FRONTMATTER_CHARS)
    if end < 0:
        return {}, text
    return _load_properties(text[len(_FENCE) : end]), text[end + len(_FENCE) + 2 :]


def _load_properties(text: str) -> dict[str, object]:
    import yaml  # noqa: PLC0415  costs 14 ms, and signals in JSON lines need none

    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  both are safe
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return {}
    return {str(key).lower(): value for key, value in data.items()} if isinstance(data, dict) else {}


def _first_text(properties: dict[str, object], *keys: str) -> str:
    for key in keys:
        value = properties.get(key)
        if value is not None and not isinstance(value, dict | list):
            return str(value).strip()
    return ""


def _note_tags(value: object) -> tuple[str, ...]:
    """Accept a list, and a text separated by commas or spaces as older notes have it."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    if isinstance(value, list):
        return tuple(str(item) for item in value if isinstance(item, str | int | float))
    return ()


def _first_heading(body: str) -> str:
    for line in body.split("\n", 50)[:50]:
        if line.startswith("# "):
            return line[2:].strip()
    return ""
