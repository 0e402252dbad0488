"""A loopback web server for the sample feeds that answers conditional requests."""

from __future__ import annotations

import hashlib
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FEEDS = Path(__file__).with_name("feeds")
MEDIA_TYPES = {
    ".rss": "application/rss+xml; charset=utf-8",
    ".atom": "application/atom+xml; charset=utf-8",
    ".json": "application/feed+json",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A feed as it is served.

    Attributes:
        content: Its bytes.
        media_type: Value of `Content-Type`.
        etag: Strong validator (RFC 9110, section 8.8.3).
        last_modified: Time of the file in the form of RFC 9110, section 5.6.7.
    """

    content: bytes
    media_type: str
    etag: str
    last_modified: str

    def is_current(self, if_none_match: str | None, if_modified_since: str | None) -> bool:
        """Whether the client's copy still holds; `If-None-Match` wins (RFC 9110, section 13.2.2)."""
        if if_none_match is not None:
            return any(tag.strip().removeprefix("W/") in {self.etag, "*"} for tag in if_none_match.split(","))
        if if_modified_since is None:
            return False
        try:
            return parsedate_to_datetime(if_modified_since) >= parsedate_to_datetime(self.last_modified)
        except ValueError:
            return False


class FeedServer(ThreadingHTTPServer):
    """Serves the files of one folder, read once at the start.

    Attributes:
        documents: By path, such as `/engineering.rss`.
        statuses: Status of every answer given so far, in order.
    """

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.documents = {
            f"/{file.name}": _read(file) for file in sorted(folder.iterdir()) if file.suffix in MEDIA_TYPES
        }
        self.statuses: list[HTTPStatus] = []

    @property
    def urls(self) -> list[str]:
        """Addresses of the feeds, by name."""
        return [f"http://127.0.0.1:{self.server_port}{path}" for path in self.documents]


@contextmanager
def serve_feeds(folder: Path = FEEDS) -> Iterator[FeedServer]:
    """Serve a folder of feeds on a free loopback port until the block is left."""
    with FeedServer(folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FeedServer

    def do_GET(self) -> None:
        document = self.server.documents.get(self.path)
        if document is None:
            self._answer(HTTPStatus.NOT_FOUND, None)
        elif document.is_current(self.headers["If-None-Match"], self.headers["If-Modified-Since"]):
            self._answer(HTTPStatus.NOT_MODIFIED, document)
        else:
            self._answer(HTTPStatus.OK, document)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the parameter's name upstream
        """Stay silent: the demo reports what was answered."""

    def _answer(self, status: HTTPStatus, document: Document | None) -> None:
        self.server.statuses.append(status)
        self.send_response(status)
        body = document.content if document and status is HTTPStatus.OK else b""
        if document:
            self.send_header("ETag", document.etag)
            self.send_header("Last-Modified", document.last_modified)
            self.send_header("Content-Type", document.media_type)
        if status is not HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _read(file: Path) -> Document:
    content = file.read_bytes()
    return Document(
        content=content,
        media_type=MEDIA_TYPES[file.suffix],
        etag=f'"{hashlib.sha256(content).hexdigest()[:16]}"',
        last_modified=formatdate(int(file.stat().st_mtime), usegmt=True),
    )
