"""What the tests of intake share: a web server on this machine that does as it is told, signals, and a clock."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from intake.ledger import Ledger
from intake.types import Signal, SignalId, SourceKind, SourceRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the server saw it; header names are in lower case."""

    path: str
    headers: dict[str, str]


@dataclass(slots=True)
class LoopbackServer:
    """A web server whose answers are set path by path; what it has no answer for is 404."""

    port: int
    asked: list[Asked] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    scripts: dict[str, Callable[[BaseHTTPRequestHandler], object]] = field(default_factory=dict)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """Return the address of a path, under any name that leads here."""
        return f"http://{host}:{self.port}{path}"

    def answer(self, path: str, status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> str:
        """Answer a path with one response for ever, and return its address."""

        def respond(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response_only(status)
            for name, value in (headers or {}).items():
                handler.send_header(name, value)
            if "Content-Length" not in (headers or {}):
                handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        return self.script(path, respond)

    def redirect(self, path: str, status: int, location: str) -> str:
        """Answer a path with a redirect, and return its address."""
        return self.answer(path, status, headers={"Location": location})

    def script(self, path: str, respond: Callable[[BaseHTTPRequestHandler], object]) -> str:
        """Answer a path by a function that writes to the handler, and return its address."""
        self.scripts[path] = respond
        return self.url(path)

    def paths(self) -> list[str]:
        """Return the paths asked so far, in order."""
        return [asked.path for asked in self.asked]


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            loopback.asked.append(Asked(self.path, headers))
            respond = loopback.scripts.get(self.path)
            self.close_connection = True
            with suppress(ConnectionError):  # a client that has heard enough hangs up
                if respond is None:
                    self.send_response_only(404)
                    self.end_headers()
                else:
                    respond(self)

        def log_message(self, *_args: object) -> None:
            """Keep quiet."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.daemon_threads = False
    loopback = LoopbackServer(httpd.server_address[1])
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield loopback
    loopback.stopping.set()
    httpd.shutdown()
    thread.join()
    httpd.server_close()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "state.db") as opened:
        yield opened


@pytest.fixture
def make_signal() -> Callable[..., Signal]:
    """Return a function that makes signals; whatever is not named has a plain value."""
    plain = Signal(
        id=SignalId("0" * 16),
        source=SourceRef(SourceKind.FEED, "https://feed.example/atom.xml"),
        url="",
        canonical_url="",
        title="A title",
        author="",
        published=NOW,
        date_guessed=False,
        captured=NOW,
        tags=(),
        body="Some text.\n",
    )

    def make(number: int, **fields: object) -> Signal:
        return replace(plain, **{"id": SignalId(f"{number:016x}"), **fields})  # type: ignore[arg-type]

    return make
