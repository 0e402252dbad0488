"""Signals and score cards survive being written as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from intake.serialization import (
    card_from_dict,
    card_to_dict,
    signal_from_dict,
    signal_to_dict,
    time_from_text,
    time_to_text,
)
from intake.types import (
    Dimension,
    DomainMatch,
    Evidence,
    ScoreCard,
    Signal,
    SignalId,
    SourceKind,
    SourceRef,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
_TEXTS = st.lists(_ANY_TEXT, max_size=3).map(tuple)
_SHARES = st.floats(0, 1)
_TIMES = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001  hypothesis adds the zone
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001  same
    timezones=st.just(UTC),
)
_SOURCES = st.builds(
    SourceRef, st.sampled_from(SourceKind), key=_ANY_TEXT, title=_ANY_TEXT, link=_ANY_TEXT, tags=_TEXTS
)
_SIGNALS = st.builds(
    Signal,
    id=_ANY_TEXT.map(SignalId),
    source=_SOURCES,
    url=_ANY_TEXT,
    canonical_url=_ANY_TEXT,
    title=_ANY_TEXT,
    author=_ANY_TEXT,
    published=_TIMES,
    date_guessed=st.booleans(),
    captured=_TIMES,
    tags=_TEXTS,
    body=_ANY_TEXT,
    media_types=_TEXTS,
    fingerprint=st.integers(0, 2**64 - 1),
)
_EVIDENCE = st.lists(st.builds(Evidence, _ANY_TEXT, st.floats(-1, 1)), max_size=3).map(tuple)
_DIMENSIONS = st.builds(Dimension, _SHARES, _EVIDENCE)
_CARDS = st.builds(
    ScoreCard,
    _DIMENSIONS,
    _DIMENSIONS,
    _DIMENSIONS,
    _DIMENSIONS,
    composite=_SHARES,
    domains=st.lists(st.builds(DomainMatch, _ANY_TEXT, _SHARES, _TEXTS), max_size=3).map(tuple),
    rules=_ANY_TEXT,
)


@given(_SIGNALS)
def test_a_signal_survives_json(signal: Signal) -> None:
    """Reading what was written gives an equal signal, whatever characters and numbers it holds."""
    assert signal_from_dict(json.loads(json.dumps(signal_to_dict(signal)))) == signal


@given(_CARDS)
def test_a_score_card_survives_json(card: ScoreCard) -> None:
    """Reading what was written gives an equal score card, evidence and domains in their order."""
    assert card_from_dict(json.loads(json.dumps(card_to_dict(card)))) == card


def test_a_card_has_the_printed_form() -> None:
    """The form that `sluice score` prints has the four dimensions first, each with value and evidence."""
    plain = Dimension(0.5, (Evidence("word: sqlite", 0.5),))
    card = ScoreCard(
        plain, Dimension(0.0), Dimension(0.0), Dimension(0.0), 0.2, (DomainMatch("data", 0.9, ("sqlite",)),), "7"
    )
    written = card_to_dict(card)
    assert list(written) == [
        "relevance", "actionability", "depth", "authority", "composite", "domains", "rules",
    ]  # fmt: skip
    assert written["relevance"] == {
        "value": 0.5,
        "evidence": [{"label": "word: sqlite", "amount": 0.5}],
    }
    assert written["domains"] == [{"name": "data", "score": 0.9, "terms": ["sqlite"]}]


def test_times_are_written_in_utc_with_a_z() -> None:
    """A time in another zone is written as the same moment in UTC, ending in Z."""
    berlin = datetime(2026, 7, 1, 10, 30, tzinfo=timezone(timedelta(hours=2)))
    assert time_to_text(berlin) == "2026-07-01T08:30:00Z"
    assert time_from_text("2026-07-01T08:30:00Z") == berlin


def test_a_time_without_offset_is_taken_as_utc() -> None:
    """A naive time is read as UTC, so that every time inside is aware."""
    assert time_from_text("2026-07-01T08:30:00") == datetime(2026, 7, 1, 8, 30, tzinfo=UTC)


def test_fields_of_later_versions_have_defaults(make_signal: Callable[..., Signal]) -> None:
    """A signal written before media types and fingerprints were known is still readable."""
    written = signal_to_dict(make_signal(1))
    del written["media_types"], written["fingerprint"]
    assert signal_from_dict(written) == make_signal(1)
