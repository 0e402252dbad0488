"""Which machines a name leads to, and whether a feed may make us talk to them.

A feed, or a redirect it answers with, may name a router, a cloud metadata service or a database on this machine.
So every name is resolved here, every address is checked, and the connection goes to the checked address itself: a
name that resolves to another one a moment later (DNS rebinding) gains nothing.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from intake.fetching.errors import FetchError

Resolver: TypeAlias = Callable[[str, int], Sequence[str]]
"""Returns the addresses of a host for a port, as text; raises OSError where it has none."""

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address
_LOW_32_BITS = (1 << 32) - 1


@dataclass(frozen=True, slots=True)
class Destination:
    """A host that may be talked to.

    Attributes:
        addresses: Its addresses in the resolver's order, at least one.
        public: Whether all of them belong to the public internet.
    """

    addresses: tuple[str, ...]
    public: bool


def resolve_host(host: str, port: int) -> Sequence[str]:
    """Ask the system for the addresses of a host.

    Raises:
        OSError: It has none, or no name server answered.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def find_destination(resolver: Resolver, host: str, port: int, *, local: bool, timeout_s: float) -> Destination:
    """Resolve a host and check every address.

    Args:
        resolver: Knows the addresses of names.
        host: An ASCII name, or an address without brackets.
        port: The port, 1 to 65535.
        local: Whether addresses outside the public internet are allowed.
        timeout_s: Seconds the resolver may take.

    Raises:
        FetchError: The host has no address, or has one that is not public although `local` is not set.
    """
    addresses = tuple(_resolve_within(resolver, host, port, timeout_s))
    if not addresses:
        raise FetchError(0, f"cannot find {host}: it has no address")
    forbidden = [address for address in addresses if not is_public(address)]
    if forbidden and not local:
        raise FetchError(0, f"{host} is at {forbidden[0]}, which is not a public address; set local: true to allow it")
    return Destination(addresses, public=not forbidden)


def is_public(address: str) -> bool:
    """Tell whether an address belongs to the public internet.

    Loopback, private, link-local, multicast, shared (RFC 6598) and reserved addresses do not, nor do IPv6 addresses
    that carry such an IPv4 address (mapped, 6to4, Teredo, NAT64). What is no address is not public.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return all(
        part.is_global and not part.is_multicast and not part.is_reserved and not part.is_unspecified
        for part in _carried(parsed)
    )


def _carried(address: _Address) -> list[_Address]:
    """Return the addresses that decide: the IPv4 ones within an IPv6 address, else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    if address.teredo:
        return list(address.teredo)
    if address.sixtofour:
        return [address.sixtofour]
    if address in _NAT64:
        return [ipaddress.IPv4Address(int(address) & _LOW_32_BITS)]
    return [address]


def _resolve_within(resolver: Resolver, host: str, port: int, timeout_s: float) -> Sequence[str]:
    """Resolve with a time limit, which the system's resolver does not have: its thread is left behind."""
    try:
        return [str(ipaddress.ip_address(host))]
    except ValueError:
        pass  # a name
    answers: queue.SimpleQueue[Sequence[str] | OSError | UnicodeError] = queue.SimpleQueue()

    def resolve() -> None:
        try:
            answers.put(resolver(host, port))
        except (OSError, UnicodeError) as err:  # UnicodeError: a label of more than 63 characters
            answers.put(err)

    threading.Thread(target=resolve, name="resolver", daemon=True).start()
    try:
        answer = answers.get(timeout=timeout_s)
    except queue.Empty:
        raise FetchError(0, f"cannot find {host}: no name server answered in {timeout_s:.1f} s") from None
    if isinstance(answer, OSError | UnicodeError):
        raise FetchError(0, f"cannot find {host}: {getattr(answer, 'strerror', None) or answer}") from answer
    return answer
