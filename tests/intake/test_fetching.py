"""Fetching from a real server on this machine that behaves in every way a server can."""

from __future__ import annotations

import gzip
import socket
import struct
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from config.settings import FetchSettings
from intake.fetching import (
    Clock,
    Fetched,
    FetchFailed,
    FetchOutcome,
    FetchRequest,
    Gone,
    HttpFetcher,
    NotModified,
    RetryLater,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler

    from tests.intake.conftest import LoopbackServer

_NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_CLOCK = Clock(lambda: _NOW, time.monotonic, time.sleep)
_SETTINGS = FetchSettings(timeout_s=5.0, deadline_s=10.0, max_bytes=100_000)
_FEED = b"<rss version='2.0'><channel><title>A feed</title></channel></rss>"


def _fetch(url: str, etag: str = "", last_modified: str = "", settings: FetchSettings = _SETTINGS) -> FetchOutcome:
    with HttpFetcher(settings, clock=_CLOCK) as fetcher:
        return fetcher.fetch(FetchRequest(url, etag, last_modified, local=True))


def _body(outcome: FetchOutcome) -> bytes:
    assert isinstance(outcome, Fetched), outcome
    return outcome.body


def _reason(outcome: FetchOutcome, status: int = 0) -> str:
    assert isinstance(outcome, FetchFailed), outcome
    assert outcome.status == status
    assert outcome.reason.isprintable()
    return outcome.reason


def test_a_body_comes_with_what_describes_it(server: LoopbackServer) -> None:
    """A 200 gives body, type, address and both validators, byte for byte as sent."""
    headers = {
        "Content-Type": "application/rss+xml; charset=utf-8",
        "ETag": 'W/"x\u00e9"',
        "Last-Modified": "Sun, 01 Mar 2026 11:00:00 GMT",
    }
    url = server.answer("/feed?a=1&b=%20", body=_FEED, headers=headers)
    assert _fetch(url) == Fetched(
        body=_FEED,
        content_type="application/rss+xml; charset=utf-8",
        final_url=url,
        etag='W/"x\u00e9"',
        last_modified="Sun, 01 Mar 2026 11:00:00 GMT",
    )


def test_a_request_says_who_asks_and_what_it_understands(server: LoopbackServer) -> None:
    """The configured name and the two compressions that can be bounded are sent, and no validators."""
    _fetch(server.answer("/feed", body=_FEED), settings=replace(_SETTINGS, user_agent="reader/1 (käse)"))
    (asked,) = server.asked
    assert asked.headers["user-agent"].encode("latin-1").decode("utf-8") == "reader/1 (käse)"
    assert asked.headers["accept-encoding"] == "gzip, deflate"
    assert asked.headers["host"] == f"127.0.0.1:{server.port}"
    assert not {"if-none-match", "if-modified-since", "authorization", "cookie"} & asked.headers.keys()


def test_both_validators_are_sent_back_verbatim(server: LoopbackServer) -> None:
    """A conditional request carries both validators; 304 then means that nothing has changed."""
    url = server.answer("/feed", 304)
    assert _fetch(url, 'W/"x\u00e9"', "yesterday, 25:00") == NotModified()
    assert server.asked[0].headers["if-none-match"] == 'W/"x\u00e9"'
    assert server.asked[0].headers["if-modified-since"] == "yesterday, 25:00"


def test_an_unasked_304_is_a_failure(server: LoopbackServer) -> None:
    """A 304 to a request without validators leaves nothing to go on with."""
    assert _reason(_fetch(server.answer("/feed", 304)), 304) == "HTTP 304 Not Modified"


def test_an_overlong_validator_is_not_kept(server: LoopbackServer) -> None:
    """A validator that would bloat every later request is dropped; the body counts all the same."""
    outcome = _fetch(server.answer("/feed", body=_FEED, headers={"ETag": '"' + "x" * 5000 + '"'}))
    assert isinstance(outcome, Fetched)
    assert outcome.etag == ""


def test_permanent_redirects_name_the_new_address(server: LoopbackServer) -> None:
    """Where only 301 and 308 lead on, the last address is where the feed has moved to."""
    server.redirect("/a", 301, "/b")
    server.redirect("/b", 308, server.url("/c"))
    server.answer("/c", body=_FEED)
    outcome = _fetch(server.url("/a"))
    assert isinstance(outcome, Fetched)
    assert outcome.final_url == outcome.permanent_url == server.url("/c")


@pytest.mark.parametrize("status", [302, 303, 307])
def test_a_temporary_redirect_is_followed_and_not_remembered(server: LoopbackServer, status: int) -> None:
    """What comes after the first temporary redirect is not where the feed has moved to."""
    server.redirect("/a", 301, "/b")
    server.redirect("/b", status, "/c")
    server.redirect("/c", 301, "/d")
    server.answer("/d", body=_FEED)
    outcome = _fetch(server.url("/a"))
    assert isinstance(outcome, Fetched)
    assert (outcome.final_url, outcome.permanent_url) == (server.url("/d"), server.url("/b"))


def test_a_moved_feed_that_has_not_changed_says_both(server: LoopbackServer) -> None:
    """304 behind a permanent redirect reports the move."""
    server.redirect("/a", 301, "/b")
    server.answer("/b", 304)
    assert _fetch(server.url("/a"), etag='"x"') == NotModified(server.url("/b"))
    assert server.asked[1].headers["if-none-match"] == '"x"'


def test_a_redirect_to_an_address_in_plain_unicode_is_followed(server: LoopbackServer) -> None:
    """Servers that do not escape the Location header are understood."""
    server.redirect("/a", 302, "/größe x".encode().decode("latin-1"))
    server.answer("/gr%C3%B6%C3%9Fe%20x", body=_FEED)
    assert _body(_fetch(server.url("/a"))) == _FEED


def test_a_loop_is_named(server: LoopbackServer) -> None:
    """A loop is reported with its way round."""
    server.redirect("/a", 302, "/b")
    server.redirect("/b", 302, "/a")
    reason = _reason(_fetch(server.url("/a")), 302)
    way = " -> ".join(server.url(path) for path in ("/a", "/b", "/a"))
    assert reason == f"redirects in a loop: {way}"
    assert server.paths() == ["/a", "/b"]


def test_endless_redirects_end(server: LoopbackServer) -> None:
    """No more redirects are followed than configured; exactly as many are."""
    for number in range(5):
        server.redirect(f"/{number}", 302, f"/{number + 1}")
    server.answer("/5", body=_FEED)
    assert _body(_fetch(server.url("/0"), settings=replace(_SETTINGS, max_redirects=5))) == _FEED
    reason = _reason(_fetch(server.url("/0"), settings=replace(_SETTINGS, max_redirects=4)), 302)
    assert reason == f"more than 4 redirects, last to {server.url('/5')}"


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "data:,x",
        "mailto:a@b",
        "http://a:0/",
        "http://[::1",
        "http://a:99999/",
    ],
)
def test_a_redirect_to_what_is_no_web_address_is_refused(server: LoopbackServer, location: str) -> None:
    """Only http and https are followed, and what cannot be read is named."""
    server.redirect("/a", 302, location)
    reason = _reason(_fetch(server.url("/a")))
    assert reason.startswith(f"redirected to {location!r}, which is no")


def test_a_redirect_without_an_address_is_a_failure(server: LoopbackServer) -> None:
    """A 302 that leads nowhere is named."""
    assert _reason(_fetch(server.answer("/a", 302)), 302) == "HTTP 302 without an address to go to"


@pytest.mark.parametrize(
    "url", ["", "feed", "ftp://example.org/", "http:///feed", "http://[bad/", "http://a b/", "http://" + "a" * 70 + "/"]
)
def test_what_is_no_address_is_a_failure(url: str) -> None:
    """A request for something else than a web address fails with a reason, never with an exception."""
    assert _reason(_fetch(url))


def test_login_data_is_sent_and_not_passed_on(server: LoopbackServer) -> None:
    """A name and password in the address are sent as Basic authentication and are not part of the final address."""
    server.answer("/feed", body=_FEED)
    outcome = _fetch(f"http://us%40er:pass@127.0.0.1:{server.port}/feed")
    assert isinstance(outcome, Fetched)
    assert outcome.final_url == server.url("/feed")
    assert server.asked[0].headers["authorization"] == "Basic dXNAZXI6cGFzcw=="


def test_gone_means_never_again(server: LoopbackServer) -> None:
    """410 is an outcome of its own, also behind a permanent redirect."""
    server.redirect("/a", 301, "/b")
    server.answer("/b", 410)
    assert _fetch(server.url("/b")) == _fetch(server.url("/a")) == Gone()


def test_gone_behind_a_temporary_redirect_is_only_a_failure(server: LoopbackServer) -> None:
    """A temporary target that is gone says nothing about the feed."""
    server.redirect("/a", 302, "/b")
    server.answer("/b", 410)
    assert _reason(_fetch(server.url("/a")), 410) == f"HTTP 410 Gone from {server.url('/b')}"


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("0", timedelta()),
        ("120", timedelta(minutes=2)),
        ("Sun, 01 Mar 2026 12:30:00 GMT", timedelta(minutes=30)),
        ("Sun, 01 Mar 2026 11:30:00 GMT", timedelta()),
        ("soon", None),
        (None, None),
    ],
)
def test_a_busy_server_is_asked_later(
    server: LoopbackServer, status: int, header: str | None, wait: timedelta | None
) -> None:
    """429 and 503 carry the wait the server asks for, as seconds or as a date."""
    url = server.answer("/feed", status, headers={"Retry-After": header} if header is not None else {})
    assert _fetch(url) == RetryLater(status, wait)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (404, "HTTP 404 Not Found"),
        (403, "HTTP 403 Forbidden"),
        (500, "HTTP 500 Internal Server Error"),
        (204, "HTTP 204 No Content"),
        (299, "HTTP 299"),
    ],
)
def test_other_statuses_are_named(server: LoopbackServer, status: int, reason: str) -> None:
    """What is no success is a failure with its status in the standard's words."""
    assert _reason(_fetch(server.answer("/feed", status)), status) == reason


def test_an_empty_body_is_a_body(server: LoopbackServer) -> None:
    """Whether nothing is a feed is not for the fetcher to say."""
    assert _body(_fetch(server.answer("/feed"))) == b""


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(_FEED)),
        ("X-GZip", gzip.compress(_FEED[:9]) + gzip.compress(_FEED[9:])),
        ("gzip", gzip.compress(_FEED) + b"\0\0\0 padding"),
        ("deflate", zlib.compress(_FEED)),
        ("deflate", zlib.compress(_FEED, wbits=-15)),
        ("identity", _FEED),
        ("gzip", b""),
    ],
)
def test_compressed_bodies_are_decompressed(server: LoopbackServer, encoding: str, body: bytes) -> None:
    """Gzip of one or more members and both kinds of deflate are read."""
    url = server.answer("/feed", body=body, headers={"Content-Encoding": encoding})
    assert _body(_fetch(url)) == (_FEED if body else b"")


def test_a_gzip_bomb_is_refused(server: LoopbackServer) -> None:
    """A small body that would become a large one is given up at the limit."""
    bomb = gzip.compress(bytes(50_000_000), 1)
    url = server.answer("/feed", body=bomb[:90_000], headers={"Content-Encoding": "gzip"})
    assert _reason(_fetch(url)) == "the body is larger than 100,000 bytes"


def test_a_body_at_the_limit_is_accepted(server: LoopbackServer) -> None:
    """The limit is the largest size that is accepted, compressed or not."""
    body = bytes(_SETTINGS.max_bytes)
    packed = server.answer("/gz", body=gzip.compress(body), headers={"Content-Encoding": "gzip"})
    larger = server.answer("/larger", body=gzip.compress(body + b"\0"), headers={"Content-Encoding": "gzip"})
    assert _body(_fetch(server.answer("/plain", body=body))) == body
    assert _body(_fetch(packed)) == body
    assert _reason(_fetch(larger)) == "the body is larger than 100,000 bytes"


def test_a_large_body_is_refused_by_its_announcement(server: LoopbackServer) -> None:
    """A Content-Length above the limit is enough; nothing of the body is waited for."""
    url = server.answer("/feed", headers={"Content-Length": "20000000"})
    assert _reason(_fetch(url)) == "the body is larger than 100,000 bytes"


def test_a_large_body_without_announcement_is_refused(server: LoopbackServer) -> None:
    """20 MB without a length are given up after the limit."""
    sent = []

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response_only(200)
        handler.end_headers()
        for _ in range(20):
            handler.wfile.write(bytes(1_000_000))
            sent.append(1)

    assert _reason(_fetch(server.script("/feed", respond))) == "the body is larger than 100,000 bytes"
    assert len(sent) < 20


@pytest.mark.parametrize(
    ("encoding", "body", "reason"),
    [
        ("gzip", gzip.compress(_FEED * 9)[:-20], "the compressed body ends too early"),
        ("deflate", zlib.compress(_FEED * 9)[:-20], "the compressed body ends too early"),
        ("gzip", _FEED, "the body is not compressed as it says"),
        ("br", b"x", "the body is compressed as 'br', which was not asked for"),
        ("gzip, gzip", b"x", "the body is compressed as 'gzip, gzip', which was not asked for"),
    ],
)
def test_a_body_that_cannot_be_decompressed_is_a_failure(
    server: LoopbackServer, encoding: str, body: bytes, reason: str
) -> None:
    """A body that is cut off, or is not what it says, is never handed on in part."""
    url = server.answer("/feed", body=body, headers={"Content-Encoding": encoding})
    assert _reason(_fetch(url)).startswith(reason)


def test_a_body_shorter_than_announced_is_a_failure(server: LoopbackServer) -> None:
    """A connection that ends within the body is not taken for the end of the feed."""
    url = server.answer("/feed", body=_FEED, headers={"Content-Length": "1000"})
    assert _reason(_fetch(url)).startswith("127.0.0.1 does not answer in proper HTTP: ")


def _drip(server: LoopbackServer, start: bytes) -> Callable[[BaseHTTPRequestHandler], None]:
    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(start)
        while not server.stopping.wait(0.02):
            handler.wfile.write(b"a")

    return respond


@pytest.mark.parametrize(
    "start",
    [b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Header: ", b"HTTP/1.1 2"],
    ids=["body", "header", "line"],
)
def test_a_server_that_drips_is_given_up(server: LoopbackServer, start: bytes) -> None:
    """A byte now and then, in the body or before it, does not hold a fetch beyond its deadline."""
    url = server.script("/feed", _drip(server, start))
    settings = replace(_SETTINGS, timeout_s=5.0, deadline_s=0.3)
    assert _reason(_fetch(url, settings=settings)) == "took longer than 0.3 s altogether"


def test_the_deadline_holds_over_redirects(server: LoopbackServer) -> None:
    """Redirects do not begin the time anew."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        server.stopping.wait(0.1)
        handler.send_response_only(302)
        handler.send_header("Location", f"{handler.path}x")
        handler.end_headers()

    for length in range(20):
        server.script("/" + "x" * length, respond)
    settings = replace(_SETTINGS, deadline_s=0.35, max_redirects=20)
    assert _reason(_fetch(server.url("/"), settings=settings)) == "took longer than 0.35 s altogether"


def test_a_silent_server_is_given_up(server: LoopbackServer) -> None:
    """A server that accepts and says nothing is named with how long it was silent."""

    def respond(_handler: BaseHTTPRequestHandler) -> None:
        server.stopping.wait(5)

    url = server.script("/feed", respond)
    settings = replace(_SETTINGS, timeout_s=0.1)
    assert _reason(_fetch(url, settings=settings)) == "127.0.0.1 was silent for 0.1 s"


def test_a_refused_connection_is_named() -> None:
    """Where nobody listens, the reason is the system's, without its number."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    assert _reason(_fetch(f"http://127.0.0.1:{port}/")) == "cannot connect to 127.0.0.1: Connection refused"


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH\r\n", b"\0" * 50, b"HTTP/1.1 200 OK\r\nBad Header\r\n\r\n"])
def test_what_is_no_http_is_a_failure(server: LoopbackServer, answer: bytes) -> None:
    """Any bytes in place of an answer are a failure in one line."""
    url = server.script("/feed", lambda handler: handler.wfile.write(answer))
    assert _reason(_fetch(url)).startswith("127.0.0.1 does not answer in proper HTTP: ")


def test_a_server_without_encryption_is_a_failure_over_https(server: LoopbackServer) -> None:
    """An https address whose server speaks plain HTTP gives a reason without source positions."""
    reason = _reason(_fetch(server.url("/").replace("http:", "https:")))
    assert reason.startswith("cannot connect to 127.0.0.1: ")
    assert "_ssl.c" not in reason


def test_a_connection_that_breaks_is_a_failure(server: LoopbackServer) -> None:
    """A connection that is reset within the body is named with its host."""

    def respond(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        # Closing with unsent data thrown away sends a reset.
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.connection.close()

    reason = _reason(_fetch(server.script("/feed", respond)))
    assert reason == "the connection to 127.0.0.1 broke: Connection reset by peer"
