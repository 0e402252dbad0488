"""What feeds write for dates, and what is made of dates that cannot be true."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.dates import parse_date, resolve_date

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mo, 25 Jun 2018 10:00:00 +0200", "2018-06-25T08:00:00"),
        ("Mittwoch, 3. März 2021", "2021-03-03T00:00:00"),
        ("29. Dezember 2016 14:30 MEZ", "2016-12-29T13:30:00"),
        ("1. Jänner 2020", "2020-01-01T00:00:00"),
        ("2016/6/29", "2016-06-29T00:00:00"),
        ("29.06.2016 9:05", "2016-06-29T09:05:00"),
        ("11/05/2025", "2025-11-05T00:00:00"),
        ("31/12/99", "1999-12-31T00:00:00"),
        ("6 Dez 18 1:02 pm EST", "2018-12-06T18:02:00"),
        ("12 Aug 2020 12:15 AM", "2020-08-12T00:15:00"),
        ("2020-01-02T03:04:05.123456Z", "2020-01-02T03:04:05"),
        ("2020-01-02 03:04:05 +05:30", "2020-01-01T21:34:05"),
        ("2020.1.2", "2020-01-02T00:00:00"),
        ("20200102", "2020-01-02T00:00:00"),
        ("March 3rd, 2021", "2021-03-03T00:00:00"),
        ("Thu Jan  5 12:03:01 GMT 2017", "2017-01-05T12:03:01"),
        ("1718000000", "2024-06-10T06:13:20"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59"),
    ],
)
def test_odd_dates_are_read(text: str, expected: str) -> None:
    """German names, slashes, dots, two-digit years, zone names and Unix seconds give the time in UTC."""
    assert parse_date(text) == datetime.fromisoformat(expected).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "31 Feb 2020", "2021-13-45", "0000-00-00", "25:00", "12", "x" * 10**6]
)
def test_what_is_no_date_is_none(text: str) -> None:
    """Texts without a day of the calendar are no dates."""
    assert parse_date(text) is None


@given(st.datetimes(datetime(1970, 1, 2), datetime(2900, 1, 1)), st.integers(-14 * 60, 14 * 60))  # noqa: DTZ001  zone below
def test_iso_dates_are_read_exactly(moment: datetime, offset: int) -> None:
    """ISO 8601 with any offset gives that moment, to the second."""
    aware = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=offset)))
    assert parse_date(aware.isoformat()) == aware


@given(st.text(alphabet="0123456789-/.: TZ+JanuarMaiDez,\u0661é", max_size=120))
def test_no_text_breaks_the_reading_of_dates(text: str) -> None:
    """Every text gives an aware time in UTC or None."""
    moment = parse_date(text)
    assert moment is None or moment.tzinfo is UTC


def test_a_believable_date_is_kept() -> None:
    """A date of the past is kept in UTC; a naive one counts as UTC."""
    claimed = datetime(2025, 5, 1, 8, 0, tzinfo=timezone(timedelta(hours=2)))
    assert resolve_date(claimed, now=NOW) == (datetime(2025, 5, 1, 6, 0, tzinfo=UTC), False)
    naive = datetime(2025, 5, 1, 6, 0)  # noqa: DTZ001  the point of the test
    assert resolve_date(naive, now=NOW) == (datetime(2025, 5, 1, 6, 0, tzinfo=UTC), False)


def test_a_date_within_a_day_ahead_is_kept() -> None:
    """A wrong time zone can put a date some hours ahead, which is no reason to call it a guess."""
    assert resolve_date(NOW + timedelta(hours=23), now=NOW) == (NOW + timedelta(hours=23), False)


@pytest.mark.parametrize(
    "claimed",
    [
        None,
        NOW + timedelta(days=1, seconds=1),
        datetime(2999, 1, 1, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-12))),
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=12))),
    ],
)
def test_a_date_that_cannot_be_true_becomes_the_time_of_capture(claimed: datetime | None) -> None:
    """Missing, future and pre-Web dates are replaced by now and marked as guessed."""
    assert resolve_date(claimed, now=NOW) == (NOW, True)
