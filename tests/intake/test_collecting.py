"""From feeds on a real server, good and bad, to the ledger."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.feeds import Feed
from config.settings import FetchSettings, IntakeSettings
from intake.collecting import collect_entries, collect_feeds
from intake.errors import LedgerError
from intake.feed_schedule import FIRST_WAIT, MAX_ASKED_WAIT, MAX_WAIT, wait_after_failure
from intake.fetching import FetchFailed, HttpFetcher, RetryLater
from intake.types import CollectReport, Problem, RawEntry, SignalState, SourceKind, SourceRef

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from intake.fetching import FetchOutcome, FetchRequest
    from intake.ledger import Ledger
    from intake.types import Signal
    from tests.intake.conftest import LoopbackServer

_NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_FETCH = FetchSettings(timeout_s=5.0, deadline_s=10.0, max_bytes=200_000)
_SETTINGS = IntakeSettings(fetch=_FETCH)
_ATOM = {"Content-Type": "application/atom+xml"}
_VALIDATORS = {"ETag": '"v1"', "Last-Modified": "Sun, 01 Mar 2026 11:00:00 GMT"}


def _entry(number: int, *, title: str = "", link: str | None = None, guid: str = "", day: int = 1) -> str:
    address = f"https://blog.example/{number}" if link is None else link
    return (
        f"<entry><id>{escape(guid or f'urn:{number}')}</id><title>{escape(title or f'Post {number}')}</title>"
        f'<link href="{escape(address)}"/><updated>2026-02-{day:02}T08:00:00Z</updated>'
        f"<content type='html'>{'Words of post number ' + str(number)}</content></entry>"
    )


def _feed(*entries: str, title: str = "A blog") -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{escape(title)}</title><link href='https://blog.example/'/>{''.join(entries)}</feed>"
    ).encode()


def _collect(
    ledger: Ledger,
    *urls: str | Feed,
    now: datetime = _NOW,
    force: bool = False,
    settings: IntakeSettings = _SETTINGS,
) -> CollectReport:
    feeds = [feed if isinstance(feed, Feed) else Feed(feed, local=True) for feed in urls]
    with HttpFetcher(settings.fetch) as fetcher:
        return collect_feeds(feeds, ledger, fetcher, settings, now=now, force=force)


def _titles(ledger: Ledger) -> list[str]:
    return [entry.signal.title for entry in ledger.entries(SignalState.SEEN)]


class _Answers:
    """Gives every request the next of some outcomes."""

    def __init__(self, *outcomes: FetchOutcome) -> None:
        self._outcomes = iter(outcomes)
        self.requests: list[FetchRequest] = []

    def fetch(self, request: FetchRequest) -> FetchOutcome:
        self.requests.append(request)
        return next(self._outcomes)


def test_entries_become_signals_in_the_order_of_the_document(server: LoopbackServer, ledger: Ledger) -> None:
    """A feed's entries are cleaned, tagged, and recorded once, with the feed as their source."""
    url = server.answer("/feed", body=_feed(_entry(2), _entry(1), title="A &amp; B"), headers=_ATOM)
    report = _collect(ledger, Feed(url, tags=("python",), local=True))
    assert report == CollectReport(feeds=1, new=2)
    assert _titles(ledger) == ["Post 2", "Post 1"]
    signal = next(ledger.entries()).signal
    assert signal.source == SourceRef(SourceKind.FEED, url, "A & B", "https://blog.example/", ("python",))
    assert (signal.url, signal.tags, signal.captured) == ("https://blog.example/2", ("python",), _NOW)
    assert signal.body == "Words of post number 2\n"


def test_feeds_are_recorded_in_their_order(server: LoopbackServer, ledger: Ledger) -> None:
    """The order of subscriptions decides which of two equal pages is the first, not the speed of servers."""
    page = "https://blog.example/same"

    def slow(handler: object) -> None:
        server.stopping.wait(0.1)
        server.scripts["/slow-answer"](handler)  # type: ignore[arg-type]

    server.answer("/slow-answer", body=_feed(_entry(1, link=page)), headers=_ATOM)
    first = server.script("/slow", slow)
    second = server.answer("/fast", body=_feed(_entry(2, link=page + "?utm_source=x")), headers=_ATOM)
    assert _collect(ledger, first, second) == CollectReport(feeds=2, new=1, duplicates=1)
    assert _titles(ledger) == ["Post 1"]


def test_a_second_run_asks_conditionally_and_changes_nothing(server: LoopbackServer, ledger: Ledger) -> None:
    """Validators of the last 200 are sent back; 304 counts as unchanged."""
    url = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM | _VALIDATORS)
    _collect(ledger, url)
    server.answer("/feed", 304)
    later = _NOW + timedelta(hours=1)
    assert _collect(ledger, url, now=later) == CollectReport(feeds=1, unchanged=1)
    asked = server.asked[-1].headers
    assert (asked["if-none-match"], asked["if-modified-since"]) == tuple(_VALIDATORS.values())
    state = ledger.feed_state(url)
    assert (state.etag, state.last_status, state.checked) == ('"v1"', 304, later)


def test_a_changed_feed_brings_only_what_is_new(server: LoopbackServer, ledger: Ledger) -> None:
    """Known entries are left alone, edited or not; new validators replace both old ones."""
    url = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM | _VALIDATORS)
    _collect(ledger, url)
    server.answer("/feed", body=_feed(_entry(2), _entry(1, title="Edited")), headers=_ATOM | {"ETag": '"v2"'})
    assert _collect(ledger, url) == CollectReport(feeds=1, new=1)
    assert _titles(ledger) == ["Post 1", "Post 2"]
    state = ledger.feed_state(url)
    assert (state.etag, state.last_modified, state.title) == ('"v2"', "", "A blog")


def test_one_bad_feed_stops_nothing(server: LoopbackServer, ledger: Ledger) -> None:
    """Every way of failing is a row of its own, and the good feed among them is read."""
    bad = {
        server.answer("/missing-page", 500): "HTTP 500 Internal Server Error",
        server.answer("/empty"): "the answer is empty",
        server.answer("/page", body=b"<!DOCTYPE html><title>Hi</title><p>x", headers={"Content-Type": "text/html"}): (
            "a web page, not a feed: 'Hi'"
        ),
        server.answer("/huge", body=bytes(300_000)): "the body is larger than 200,000 bytes",
        server.redirect("/file", 302, "file:///etc/passwd"): (
            "redirected to 'file:///etc/passwd', which is not an http or https address"
        ),
        server.answer("/gone", 410): "the server says that it is gone for good (410); it will not be asked again",
        server.answer("/busy", 503): "HTTP 503: the server asks to be left alone for a while",
    }
    good = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM)
    report = _collect(ledger, *list(bad)[:3], good, *list(bad)[3:])
    assert (report.feeds, report.failed, report.new) == (8, 7, 1)
    assert report.problems == tuple(Problem(url, reason) for url, reason in bad.items())
    assert {url: ledger.feed_state(url).last_error for url in bad} == bad


@pytest.mark.parametrize(
    "body",
    [
        b"\x00" * 100,
        b"<rss version='2.0'><channel><item><title>\xff\xfe</title>",
        b"<?xml version='1.0' encoding='no-such-code'?><rss version='2.0'><channel/></rss>",
        b"<rss version='2.0'><channel><item><title>&#99999999999;</title></item></channel></rss>",
        b"<feed xmlns='http://www.w3.org/2005/Atom'>" + b"<entry>" * 5_000,
        b"<rss version='2.0'><channel><item><description>"
        + b"&lt;div&gt;" * 5_000
        + b"x</description></item></channel></rss>",
        b"<!DOCTYPE x [<!ENTITY " + b"<" * 1_000,
        b'{"version": "https://jsonfeed.org/version/1.1", "items": [null, 7, {"id": {}}]}',
        b"{" * 20_000,
    ],
    ids=range(9),
)
def test_hostile_documents_stop_nothing(server: LoopbackServer, ledger: Ledger, body: bytes) -> None:
    """Whatever a parser makes of it, the next feed is read."""
    bad = server.answer("/bad", body=body, headers={"Content-Type": "application/xml"})
    good = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM)
    assert _collect(ledger, bad, good).feeds == 2
    assert "Post 1" in _titles(ledger)


def test_a_failed_feed_waits_and_says_so(server: LoopbackServer, ledger: Ledger) -> None:
    """Until its next try a feed is not asked, not counted, but named; force asks it at once."""
    url = server.answer("/feed", 500)
    _collect(ledger, url)
    report = _collect(ledger, url, now=_NOW + timedelta(seconds=30))
    assert (report.feeds, report.failed) == (0, 0)
    assert report.problems[0].message == (
        f"waiting until {ledger.feed_state(url).next_try:%Y-%m-%d %H:%M} UTC after 1 failed try: "
        "HTTP 500 Internal Server Error"
    )
    assert len(server.asked) == 1
    assert _collect(ledger, url, now=_NOW + timedelta(seconds=30), force=True).failed == 1
    assert ledger.feed_state(url).failures == 2
    server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM)
    assert _collect(ledger, url, now=_NOW + timedelta(hours=1)).new == 1
    state = ledger.feed_state(url)
    assert (state.failures, state.next_try, state.last_error) == (0, None, "")


def test_a_failure_keeps_what_was_known(server: LoopbackServer, ledger: Ledger) -> None:
    """Validators and title of the last good answer outlive a bad one."""
    url = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM | _VALIDATORS)
    _collect(ledger, url)
    server.answer("/feed", body=b"<html>Sorry", headers={"Content-Type": "text/html", "ETag": '"page"'})
    _collect(ledger, url)
    state = ledger.feed_state(url)
    assert (state.etag, state.title, state.failures) == ('"v1"', "A blog", 1)


@pytest.mark.parametrize(
    ("asked", "waits"),
    [
        (timedelta(), timedelta()),
        (timedelta(hours=3), timedelta(hours=3)),
        (timedelta(days=300), MAX_ASKED_WAIT),
        (None, wait_after_failure("https://blog.example/feed", 1)),
    ],
)
def test_retry_after_decides_the_next_try(ledger: Ledger, asked: timedelta | None, waits: timedelta) -> None:
    """The server's word counts, within bounds, and zero means the next run; without one the back-off does."""
    feed = Feed("https://blog.example/feed")
    collect_feeds([feed], ledger, _Answers(RetryLater(429, asked)), _SETTINGS, now=_NOW)
    assert ledger.feed_state(feed.url).next_try == _NOW + waits
    again = _Answers(FetchFailed(0, "x"))
    collect_feeds([feed], ledger, again, _SETTINGS, now=_NOW)
    assert bool(again.requests) is (waits == timedelta())


def test_a_next_try_beyond_every_wait_does_not_count(ledger: Ledger) -> None:
    """A time written under a wrong clock does not silence a feed for years."""
    feed = Feed("https://blog.example/feed")
    far = _NOW + timedelta(days=4000)
    collect_feeds([feed], ledger, _Answers(FetchFailed(0, "x")), _SETTINGS, now=far)
    answers = _Answers(FetchFailed(0, "x"))
    assert collect_feeds([feed], ledger, answers, _SETTINGS, now=_NOW).feeds == 1


@given(st.text(max_size=30), st.integers(1, 10_000))
def test_waits_grow_within_bounds(url: str, failures: int) -> None:
    """A wait is the same for the same history, at least three quarters of its step, and never above a day."""
    wait = wait_after_failure(url, failures)
    step = min(FIRST_WAIT * 2 ** min(failures - 1, 20), MAX_WAIT)
    assert step * 0.75 <= wait <= step
    assert wait == wait_after_failure(url, failures)


def test_a_feed_that_is_gone_is_not_asked_again(server: LoopbackServer, ledger: Ledger) -> None:
    """After 410 a feed is only named, even where waiting feeds are asked."""
    url = server.answer("/feed", 410)
    _collect(ledger, url)
    report = _collect(ledger, url, now=_NOW + timedelta(days=30), force=True)
    assert (report.feeds, len(report.problems), len(server.asked)) == (0, 1, 1)
    assert report.problems[0].message.startswith("gone for good (410)")


def test_a_paused_feed_is_left_out(server: LoopbackServer, ledger: Ledger) -> None:
    """What its owner has paused is neither asked nor a problem."""
    assert _collect(ledger, Feed(server.url("/feed"), local=True, paused=True)) == CollectReport()
    assert server.asked == []


def test_a_private_address_needs_to_be_allowed(server: LoopbackServer, ledger: Ledger) -> None:
    """A feed on this machine is refused unless it is configured as local."""
    url = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM)
    report = _collect(ledger, Feed(url))
    assert report.failed == 1
    assert "not a public address" in report.problems[0].message
    assert server.asked == []


def test_a_moved_feed_is_asked_at_its_new_address(server: LoopbackServer, ledger: Ledger) -> None:
    """A permanent move is remembered, and nothing comes in twice because of it."""
    old = server.redirect("/old", 301, "/new")
    server.answer("/new", body=_feed(_entry(1)), headers=_ATOM)
    _collect(ledger, old)
    assert _collect(ledger, old) == CollectReport(feeds=1)
    assert server.paths() == ["/old", "/new", "/new"]
    assert ledger.feed_state(old).current_url == server.url("/new")
    assert next(ledger.entries()).signal.source.key == old


def test_a_move_to_what_is_no_feed_is_not_remembered(server: LoopbackServer, ledger: Ledger) -> None:
    """A permanent redirect to a page, such as a login, leaves the subscribed address in use."""
    old = server.redirect("/old", 301, "/login")
    server.answer("/login", body=b"<html>Log in", headers={"Content-Type": "text/html"})
    _collect(ledger, old)
    assert ledger.feed_state(old).current_url == old


def test_a_new_address_that_fails_is_forgotten(server: LoopbackServer, ledger: Ledger) -> None:
    """When the moved feed stops answering, the subscribed address is asked again, without validators."""
    old = server.redirect("/old", 301, "/new")
    server.answer("/new", body=_feed(_entry(1)), headers=_ATOM | _VALIDATORS)
    _collect(ledger, old)
    server.answer("/new", 404)
    server.answer("/old", body=_feed(_entry(1)), headers=_ATOM)
    _collect(ledger, old)
    assert _collect(ledger, old, force=True) == CollectReport(feeds=1)
    assert server.paths()[-2:] == ["/new", "/old"]
    assert "if-none-match" not in server.asked[-1].headers


def test_entries_that_link_to_one_page_are_not_duplicates(server: LoopbackServer, ledger: Ledger) -> None:
    """Where differently titled entries of a feed link to its home page, the link does not tell them apart."""
    home = "https://blog.example/"
    url = server.answer("/feed", body=_feed(_entry(1, link=home), _entry(2, link=home)), headers=_ATOM)
    assert _collect(ledger, url) == CollectReport(feeds=1, new=2)
    server.answer("/feed", body=_feed(*(_entry(n, link=home) for n in (3, 1, 2))), headers=_ATOM)
    assert _collect(ledger, url) == CollectReport(feeds=1, new=1)


def test_one_entry_under_two_ids_is_a_duplicate(server: LoopbackServer, ledger: Ledger) -> None:
    """The same title and page with another GUID, as after a move, comes in once."""
    twice = _feed(_entry(1, guid="urn:old"), _entry(1, guid="urn:new"))
    url = server.answer("/feed", body=twice, headers=_ATOM)
    assert _collect(ledger, url) == CollectReport(feeds=1, new=1, duplicates=1)


def test_repeated_ids_lose_nothing(server: LoopbackServer, ledger: Ledger) -> None:
    """A feed that gives all entries one GUID falls back to links, and remembers that."""
    url = server.answer("/feed", body=_feed(_entry(1, guid="x"), _entry(2, guid="x")), headers=_ATOM)
    assert _collect(ledger, url).new == 2
    assert ledger.feed_state(url).id_policy == "link"
    assert _collect(ledger, url) == CollectReport(feeds=1)


def test_only_the_newest_entries_of_a_long_feed_are_read(server: LoopbackServer, ledger: Ledger) -> None:
    """The limit takes the latest dates, wherever they stand, and keeps the order of the document."""
    entries = [_entry(number, day=number) for number in (1, 2, 4, 3)]
    url = server.answer("/feed", body=_feed(*entries), headers=_ATOM)
    settings = IntakeSettings(max_entries_per_feed=2, fetch=_FETCH)
    assert _collect(ledger, url, settings=settings) == CollectReport(feeds=1, new=2)
    assert _titles(ledger) == ["Post 4", "Post 3"]


def test_login_data_stays_out_of_signals(server: LoopbackServer, ledger: Ledger) -> None:
    """A name and password in a feed's address are not part of what is written into notes."""
    server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM)
    _collect(ledger, f"http://user:secret@127.0.0.1:{server.port}/feed")
    assert next(ledger.entries()).signal.source.key == server.url("/feed")


def test_validators_and_entries_are_stored_together_or_not_at_all(
    server: LoopbackServer, ledger: Ledger, make_signal: Callable[..., Signal]
) -> None:
    """Where the entries cannot be recorded, the next run asks without validators."""
    url = server.answer("/feed", body=_feed(_entry(1)), headers=_ATOM | _VALIDATORS)
    ledger._database.run("CREATE TRIGGER refuse BEFORE INSERT ON signals BEGIN SELECT raise(ABORT, 'no room'); END")
    with pytest.raises(LedgerError, match="no room"):
        _collect(ledger, url)
    assert ledger.feed_state(url).etag == ""


def _capture(ledger: Ledger, *pairs: tuple[str, RawEntry]) -> CollectReport:
    return collect_entries(pairs, SourceRef(SourceKind.CAPTURE, "capture"), ledger, now=_NOW)


def test_captures_are_recorded_once(ledger: Ledger) -> None:
    """An identity that was taken in before is left alone; order is kept."""
    entries: Sequence[tuple[str, RawEntry]] = [
        (str(number), RawEntry(title=f"Note {number}", text="x")) for number in range(450)
    ]
    assert _capture(ledger, *entries[:2], entries[0]) == CollectReport(new=2)
    assert _capture(ledger, *entries) == CollectReport(new=448)
    assert _titles(ledger) == [f"Note {number}" for number in range(450)]


def test_a_captured_page_that_is_known_is_a_duplicate(ledger: Ledger) -> None:
    """Two captures of one page under different titles are one signal and its duplicate."""
    first = RawEntry(title="One", link="https://blog.example/1")
    second = RawEntry(title="Two", link="http://www.blog.example/1/#top")
    assert _capture(ledger, ("a", first), ("b", second)) == CollectReport(new=1, duplicates=1)


def test_an_entry_that_cannot_be_cleaned_stops_no_other(ledger: Ledger) -> None:
    """What the text libraries choke on is left out and named; it is tried again the next time."""
    broken = RawEntry(title="Broken", html=7)  # type: ignore[arg-type]  # as a failure within a library
    report = _capture(ledger, ("a", broken), ("b", RawEntry(title="Sound", text="x")))
    assert (report.new, len(report.problems)) == (1, 1)
    assert report.problems[0].subject == "capture"
    assert report.problems[0].message.startswith("'Broken' cannot be read (AttributeError: ")
    assert _titles(ledger) == ["Sound"]
