"""The parts of fetching that need no server: decompression, Retry-After, spacing, reasons."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from intake.fetching.body_decoding import read_body
from intake.fetching.clock import Clock, Deadline
from intake.fetching.errors import MAX_REASON_CHARS, FetchError
from intake.fetching.host_spacing import HostSpacing
from intake.fetching.retry_after import MAX_SECONDS, parse_retry_after

_NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_CUTS = st.integers(1, 40)


class _SteppedClock:
    """A clock that moves only by sleeping."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []

    def clock(self) -> Clock:
        return Clock(lambda: _NOW, lambda: self.seconds, self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


def _cut(body: bytes, size: int) -> list[bytes]:
    return [body[start : start + size] for start in range(0, len(body), size)]


@given(st.binary(max_size=2_000), _CUTS, st.sampled_from(["gzip", "zlib", "raw", "members", "plain"]))
@example(bytes(8), 1, "members")  # a piece that ends exactly with a member
def test_a_body_comes_out_as_it_went_in(body: bytes, size: int, form: str) -> None:
    """However a body is compressed and cut into pieces, it is read whole."""
    packed = {
        "gzip": gzip.compress(body),
        "zlib": zlib.compress(body),
        "raw": zlib.compress(body, wbits=-15),
        "members": gzip.compress(body[:7]) + gzip.compress(body[7:]),
        "plain": body,
    }[form]
    # A raw stream is told apart by its first piece, which comes from the network and has hundreds of bytes.
    chunks = [packed] if form == "raw" else _cut(packed, size)
    encoding = {"plain": "", "zlib": "deflate", "raw": "deflate"}.get(form, "gzip")
    assert read_body(chunks, encoding, 5_000) == body


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["gzip", "deflate", ""]), _CUTS, st.integers(1, 50))
def test_arbitrary_bytes_never_exceed_the_limit(data: bytes, encoding: str, size: int, limit: int) -> None:
    """Whatever arrives is read within the limit or refused."""
    try:
        body = read_body(_cut(data, size), encoding, limit)
    except FetchError as err:
        assert err.reason  # noqa: PT017  both outcomes are right
    else:
        assert len(body) <= limit


def test_a_bomb_is_not_unpacked_beyond_the_limit() -> None:
    """The source is left as soon as the limit is passed, however much one piece stands for."""
    taken = []

    def pieces() -> list[bytes]:
        return _cut(gzip.compress(bytes(20_000_000), 9), 1_000)

    def source() -> object:
        for piece in pieces():
            taken.append(piece)
            yield piece

    with pytest.raises(FetchError, match="larger than 50,000 bytes"):
        read_body(source(), "gzip", 50_000)  # type: ignore[arg-type]
    assert len(taken) <= 2


def test_empty_gzip_members_without_end_are_refused() -> None:
    """Members that hold nothing count by the bytes they take on the way."""
    with pytest.raises(FetchError, match="larger than"):
        read_body([gzip.compress(b"")] * 1_000, "gzip", 5_000)


@pytest.mark.parametrize(
    ("value", "wait"),
    [
        ("0", timedelta()),
        (" 90 ", timedelta(seconds=90)),
        ("9" * 60, timedelta(seconds=MAX_SECONDS)),
        ("Sunday, 01-Mar-26 12:01:00 GMT", timedelta(minutes=1)),
        ("Sun Mar  1 12:01:00 2026", timedelta(minutes=1)),
        ("Fri, 31 Dec 9999 23:59:59 GMT", timedelta(seconds=MAX_SECONDS)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", timedelta()),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("", None),
        ("9" * 70, None),
        ("Sun, 99 Foo 2026", None),
    ],
)
def test_retry_after_is_read_in_every_form(value: str, wait: timedelta | None) -> None:
    """Seconds and the three forms of HTTP dates give a wait from zero to a year; anything else gives none."""
    assert parse_retry_after(value, now=_NOW) == wait


@given(st.text(max_size=70))
def test_any_retry_after_is_survived(value: str) -> None:
    """No value raises, and every wait lies within bounds."""
    wait = parse_retry_after(value, now=_NOW)
    assert wait is None or timedelta() <= wait <= timedelta(seconds=MAX_SECONDS)


def test_requests_to_one_host_are_spaced() -> None:
    """The first request goes at once, each further one to the same host a delay later; other hosts do not wait."""
    time = _SteppedClock()
    spacing = HostSpacing(1.5, time.clock())
    waits = [spacing.wait(host) for host in ("a.example", "a.example", "b.example", "a.example")]
    assert waits == [0.0, 1.5, 0.0, 1.5]
    time.seconds += 100
    assert spacing.wait("a.example") == 0.0
    assert time.slept == [1.5, 1.5]


def test_a_deadline_can_be_moved_back() -> None:
    """Time spent waiting out of politeness does not count."""
    time = _SteppedClock()
    deadline = Deadline(2.0, time.clock())
    time.seconds = 1.5
    assert (deadline.remaining_s, deadline.passed) == (0.5, False)
    time.seconds = 3.0
    assert (deadline.remaining_s, deadline.passed) == (0.0, True)
    deadline.extend(2.0)
    assert (deadline.remaining_s, deadline.passed) == (1.0, False)


@given(st.text(max_size=500))
def test_a_reason_is_one_printable_line(text: str) -> None:
    """Whatever a server sends, a reason can be shown on a terminal."""
    reason = FetchError(0, text).reason
    assert reason.isprintable()
    assert len(reason) <= MAX_REASON_CHARS
