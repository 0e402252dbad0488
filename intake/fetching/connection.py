"""Connections that go to checked addresses only and end at a deadline.

httpcore's network backend is the one place where both can be enforced. Its own time limits hold for one operation
each, so that a server which sends a byte now and then, be it of the header, would never be given up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpcore

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable

    from intake.fetching.clock import Deadline

MAX_ADDRESSES = 4
"""Addresses of one host that are tried: two of each family."""

_MIN_WAIT_S = 0.001


class PinnedBackend(httpcore.NetworkBackend):
    """Opens connections for one fetch."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._addresses: dict[str, tuple[str, ...]] = {}
        self._sockets = httpcore.SyncBackend()

    def pin(self, host: str, addresses: tuple[str, ...]) -> None:
        """Let connections to a host go to these addresses and no others."""
        self._addresses[host] = addresses[:MAX_ADDRESSES]

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first of the host's pinned addresses that answers."""
        failure: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in self._addresses[host]:
            try:
                stream = self._sockets.connect_tcp(
                    address, port, _limited(self._deadline, timeout), local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as err:
                failure = err
            else:
                return _DeadlineStream(stream, self._deadline)
        raise failure or httpcore.ConnectError(f"no address is known for {host}")


class _DeadlineStream(httpcore.NetworkStream):
    """A connection whose every operation ends at the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _limited(self._deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _limited(self._deadline, timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, _limited(self._deadline, timeout))
        return _DeadlineStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401  httpcore's signature
        return self._stream.get_extra_info(info)


def _limited(deadline: Deadline, timeout: float | None) -> float:
    """Shorten a time limit to what is left; a limit of 0 would mean a socket that never waits."""
    if deadline.passed:
        raise httpcore.ReadTimeout("the deadline has passed")
    left = max(deadline.remaining_s, _MIN_WAIT_S)
    return left if timeout is None else min(timeout, left)
