"""Dates: what feeds write, and what cannot be true."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.dates import MAX_FUTURE, parse_date, resolve_date

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2016/6/29", "2016-06-29T00:00"), ("29.06.2016", "2016-06-29T00:00"), ("29.6.16", "2016-06-29T00:00"),
        ("06/29/2016", "2016-06-29T00:00"), ("29/06/2016", "2016-06-29T00:00"), ("03/04/2020", "2020-03-04T00:00"),
        ("2020-02-30", None), ("20200229", "2020-02-29T00:00"), ("2020-02-03T04:05:06Z", "2020-02-03T04:05:06"),
        ("2020-02-03 04:05:06 +0200", "2020-02-03T02:05:06"), ("2020-02-03 04:05:06.123 -05:30", "2020-02-03T09:35:06"),
        ("Mon, 03 Feb 2020 04:05:06 GMT", "2020-02-03T04:05:06"), ("3 Feb 2020 04:05 EST", "2020-02-03T09:05"),
        ("3. Februar 2020, 14:05 MEZ", "2020-02-03T13:05"), ("3. März 2020", "2020-03-03T00:00"),
        ("Dienstag, 3. Dezember 2019 - 08:00", "2019-12-03T08:00"), ("February 3rd, 2020 2:05 pm", "2020-02-03T14:05"),
        ("Feb 3, 2020 12:05 a.m.", "2020-02-03T00:05"), ("3-Feb-70", "1970-02-03T00:00"),
        ("3 Feb 68", "2068-02-03T00:00"),
        ("1577836800", "2020-01-01T00:00"), ("1577836800000", "2020-01-01T00:00"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59"),
        ("", None), ("yesterday", None), ("99", None), ("2020-13-01", None), ("3 Foo 2020", None), ("0000-00-00", None),
        ("12:30", None), ("2020-01-01 25:00", None), ("9999-12-31 23:59 -1200", None), ("0001-01-01 00:00 +1200", None),
    ],
)  # fmt: skip
def test_the_dates_that_feeds_write_are_read(text: str, expected: str | None) -> None:
    """English, German, ISO, American and Unix dates become UTC; nonsense becomes nothing."""
    wanted = datetime.fromisoformat(expected).replace(tzinfo=UTC) if expected else None
    assert parse_date(text) == wanted


@given(st.one_of(st.text(max_size=120), st.text(alphabet="0123456789:/-. +TZapmJanFebMär,", max_size=60)))
def test_any_text_is_a_date_in_utc_or_none(text: str) -> None:
    """Reading a date never raises."""
    found = parse_date(text)
    assert found is None or found.tzinfo is UTC


@given(st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2068, 12, 31)))  # noqa: DTZ001  UTC is added
def test_a_date_survives_being_written_in_the_common_forms(moment: datetime) -> None:
    """RFC 822 and ISO 8601 are read back to the second."""
    exact = moment.replace(microsecond=0, tzinfo=UTC)
    assert parse_date(exact.isoformat()) == exact
    assert parse_date(exact.strftime("%a, %d %b %Y %H:%M:%S +0000")) == exact
    assert parse_date(exact.strftime("%Y/%m/%d %H:%M:%S")) == exact


@pytest.mark.parametrize(
    ("published", "guessed"),
    [
        (None, True), (NOW, False), (NOW + MAX_FUTURE, False), (NOW + MAX_FUTURE + timedelta(seconds=1), True),
        (datetime(1970, 1, 1, tzinfo=UTC), True), (datetime(1990, 1, 1, tzinfo=UTC), False),
        (datetime(1990, 1, 1, tzinfo=timezone(timedelta(hours=2))), True),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))), True), (datetime.max.replace(tzinfo=UTC), True),
    ],
)  # fmt: skip
def test_a_date_that_cannot_be_true_gives_way_to_the_time_of_capture(
    published: datetime | None, *, guessed: bool
) -> None:
    """Missing, ancient and future dates are guessed and marked as such; others stay."""
    resolved, was_guessed = resolve_date(published, now=NOW)
    assert was_guessed is guessed
    assert resolved == (NOW if guessed else published)
    assert resolved.tzinfo is UTC


def test_a_date_without_a_zone_is_taken_as_utc() -> None:
    """Naive dates of parsers mean UTC."""
    assert resolve_date(datetime(2020, 1, 1), now=NOW) == (datetime(2020, 1, 1, tzinfo=UTC), False)  # noqa: DTZ001
