"""A well-kept server of documents, for loopback."""

from __future__ import annotations

import hashlib
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler


class FeedHandler(BaseHTTPRequestHandler):
    """Serves documents from memory with both validators, as a well-kept server does."""

    documents: dict[str, tuple[str, bytes]]

    def do_GET(self) -> None:
        """Answer 200, 304 or 404."""
        content_type, body = self.documents.get(self.path, ("", b""))
        if not content_type:
            self.send_error(404)
            return
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        unchanged = self.headers.get("If-None-Match") == tag
        self.send_response(304 if unchanged else 200)
        self.send_header("ETag", tag)
        self.send_header("Last-Modified", formatdate(1_750_000_000, usegmt=True))
        if not unchanged:
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not unchanged:
            self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Stay silent."""
