"""Signals and score cards as JSON, for the ledger, the command line and signal files.

The written form is a contract: the ledger of an older version must stay readable, and `sluice score` prints score
cards as they are here. Fields are only ever added, with a default for readers.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from intake.types import (
    Dimension,
    DimensionName,
    DomainMatch,
    Evidence,
    ScoreCard,
    Signal,
    SignalId,
    SourceKind,
    SourceRef,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


def signal_to_dict(signal: Signal) -> dict[str, Any]:
    """Write a signal as a mapping that `json.dumps` takes as it is."""
    return {
        "id": str(signal.id),
        "source": _source_to_dict(signal.source),
        "url": signal.url,
        "canonical_url": signal.canonical_url,
        "title": signal.title,
        "author": signal.author,
        "published": time_to_text(signal.published),
        "date_guessed": signal.date_guessed,
        "captured": time_to_text(signal.captured),
        "tags": list(signal.tags),
        "body": signal.body,
        "media_types": list(signal.media_types),
        "fingerprint": signal.fingerprint,
    }


def signal_from_dict(data: Mapping[str, Any]) -> Signal:
    """Read what `signal_to_dict` wrote.

    Raises:
        KeyError: A field without a default is missing.
        ValueError: A time or the kind of the source cannot be read.
    """
    return Signal(
        id=SignalId(data["id"]),
        source=_source_from_dict(data["source"]),
        url=data["url"],
        canonical_url=data["canonical_url"],
        title=data["title"],
        author=data["author"],
        published=time_from_text(data["published"]),
        date_guessed=data["date_guessed"],
        captured=time_from_text(data["captured"]),
        tags=tuple(data["tags"]),
        body=data["body"],
        media_types=tuple(data.get("media_types", ())),
        fingerprint=data.get("fingerprint", 0),
    )


def card_to_dict(card: ScoreCard) -> dict[str, Any]:
    """Write a score card as a mapping that `json.dumps` takes as it is: the four dimensions first."""
    dimensions = {name.value: _dimension_to_dict(card.dimension(name)) for name in DimensionName}
    return {
        **dimensions,
        "composite": card.composite,
        "domains": [{"name": match.name, "score": match.score, "terms": list(match.terms)} for match in card.domains],
        "rules": card.rules,
    }


def card_from_dict(data: Mapping[str, Any]) -> ScoreCard:
    """Read what `card_to_dict` wrote.

    Raises:
        KeyError: A field is missing.
    """
    return ScoreCard(
        relevance=_dimension_from_dict(data["relevance"]),
        actionability=_dimension_from_dict(data["actionability"]),
        depth=_dimension_from_dict(data["depth"]),
        authority=_dimension_from_dict(data["authority"]),
        composite=data["composite"],
        domains=tuple(DomainMatch(match["name"], match["score"], tuple(match["terms"])) for match in data["domains"]),
        rules=data["rules"],
    )


def time_to_text(time: datetime) -> str:
    """Write an aware time as ISO 8601 in UTC, ending in Z: `2026-01-31T08:15:00Z`.

    Texts of whole seconds sort as their times do. Fractions of a second are kept where there are any.
    """
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")


def time_from_text(text: str) -> datetime:
    """Read an ISO 8601 time as aware UTC; a time without offset is taken as UTC.

    Raises:
        ValueError: The text is not such a time.
    """
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _source_to_dict(source: SourceRef) -> dict[str, Any]:
    return {
        "kind": source.kind.value,
        "key": source.key,
        "title": source.title,
        "link": source.link,
        "tags": list(source.tags),
    }


def _source_from_dict(data: Mapping[str, Any]) -> SourceRef:
    return SourceRef(
        kind=SourceKind(data["kind"]),
        key=data["key"],
        title=data.get("title", ""),
        link=data.get("link", ""),
        tags=tuple(data.get("tags", ())),
    )


def _dimension_to_dict(dimension: Dimension) -> dict[str, Any]:
    return {
        "value": dimension.value,
        "evidence": [{"label": row.label, "amount": row.amount} for row in dimension.evidence],
    }


def _dimension_from_dict(data: Mapping[str, Any]) -> Dimension:
    return Dimension(data["value"], tuple(Evidence(row["label"], row["amount"]) for row in data["evidence"]))
