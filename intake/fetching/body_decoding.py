"""Decompressing a body while it arrives, never beyond a limit.

A few kilobytes of gzip can stand for gigabytes; so the limit is given to the decompressor itself, not applied to
what it returns.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol

from intake.fetching.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import Iterable

ACCEPTED_ENCODINGS = "gzip, deflate"
"""What the decoder understands, as sent in Accept-Encoding."""

_GZIP_OR_ZLIB = 47  # zlib's wbits for finding out by the header which of the two it is
_RAW_DEFLATE = -15  # what some servers send as "deflate", against RFC 9110, section 8.4.1.2


class _Decoder(Protocol):
    def feed(self, chunk: bytes, limit: int) -> bytes: ...

    def finish(self) -> None: ...


def read_body(chunks: Iterable[bytes], encoding: str, max_bytes: int) -> bytes:
    """Read and decompress a body.

    Args:
        chunks: The body as it comes from the network.
        encoding: Value of the Content-Encoding header; empty means none.
        max_bytes: Largest body accepted, both before and after decompression.

    Raises:
        FetchError: The body is too large, ends early, or is compressed in another way.
    """
    decoder = _decoder_for(encoding)
    parts: list[bytes] = []
    received = decoded = 0
    for chunk in chunks:
        received += len(chunk)
        part = decoder.feed(chunk, max_bytes + 1 - decoded)
        decoded += len(part)
        if max(received, decoded) > max_bytes:
            raise FetchError(0, f"the body is larger than {max_bytes:,} bytes")
        parts.append(part)
    decoder.finish()
    return b"".join(parts)


class _Identity:
    def feed(self, chunk: bytes, limit: int) -> bytes:
        return chunk[:limit]

    def finish(self) -> None:
        """Nothing can be missing: the length was checked by the HTTP layer."""


class _Inflater:
    """Gzip of one or more members, zlib, or raw deflate."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._begun = False

    def feed(self, chunk: bytes, limit: int) -> bytes:
        parts: list[bytes] = []
        while chunk and limit > 0 and self._ready_for(chunk):
            part = self._step(chunk, limit)
            parts.append(part)
            limit -= len(part)
            chunk = self._inflate.unused_data
        return b"".join(parts)

    def _ready_for(self, chunk: bytes) -> bool:
        """Begin another member where one has ended; what follows the last one is padding.

        Several members one after the other are one body (RFC 1952, 2.2), and a piece of it may end with a member.
        """
        if self._inflate.eof:
            if not chunk.startswith(b"\x1f"):
                return False
            self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        return True

    def finish(self) -> None:
        if self._begun and not self._inflate.eof:
            raise FetchError(0, "the compressed body ends too early")

    def _step(self, chunk: bytes, limit: int) -> bytes:
        begun, self._begun = self._begun, True
        try:
            return self._inflate.decompress(chunk, limit)
        except zlib.error as err:
            if begun:
                raise FetchError(0, f"the compressed body is damaged ({err})") from err
        self._inflate = zlib.decompressobj(_RAW_DEFLATE)
        try:
            return self._inflate.decompress(chunk, limit)
        except zlib.error as err:
            raise FetchError(0, f"the body is not compressed as it says ({err})") from err


def _decoder_for(encoding: str) -> _Decoder:
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return _Identity()
    if name in {"gzip", "x-gzip", "deflate"}:
        return _Inflater()
    raise FetchError(0, f"the body is compressed as {name!r}, which was not asked for")
