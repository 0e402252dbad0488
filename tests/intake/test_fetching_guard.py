"""No feed makes this machine talk to itself or its neighbours."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING, Any

import httpcore
import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.settings import FetchSettings
from intake.fetching import Fetched, FetchFailed, FetchRequest, HttpFetcher
from intake.fetching.address_guard import is_public, resolve_host

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.intake.conftest import LoopbackServer

_SETTINGS = FetchSettings(timeout_s=2.0, deadline_s=5.0, per_host_delay_s=0.0)
_PUBLIC = "93.184.215.14"
_OTHER_PUBLIC = "2606:2800:21f:cb07:6820:80da:af6b:8b2c"


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lead connections to the two public addresses to this machine, and return where connections went."""
    addresses: list[str] = []
    really_connect = httpcore.SyncBackend.connect_tcp

    def connect(self: httpcore.SyncBackend, host: str, *rest: Any) -> httpcore.NetworkStream:  # noqa: ANN401  passed on
        addresses.append(host)
        target = "127.0.0.1" if host in {_PUBLIC, _OTHER_PUBLIC} else host
        return really_connect(self, target, *rest)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", connect)
    return addresses


def _fetch(url: str, names: dict[str, list[str]], *, local: bool = False) -> Fetched | str:
    """Fetch with these names known, and return the body or the reason."""

    def resolve(host: str, _port: int) -> Sequence[str]:
        if host not in names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return names[host]

    outcome = HttpFetcher(_SETTINGS, resolver=resolve).fetch(FetchRequest(url, local=local))
    assert isinstance(outcome, Fetched | FetchFailed)
    return outcome.reason if isinstance(outcome, FetchFailed) else outcome


def test_a_public_host_is_fetched_by_its_checked_address(server: LoopbackServer, connected: list[str]) -> None:
    """The connection goes to the address that was checked, while the server is told the name."""
    server.answer("/feed", body=b"x")
    outcome = _fetch(server.url("/feed", host="feed.example"), {"feed.example": [_PUBLIC]})
    assert isinstance(outcome, Fetched)
    assert connected == [_PUBLIC]
    assert server.asked[0].headers["host"] == f"feed.example:{server.port}"


def test_the_next_address_is_tried_where_one_does_not_answer(
    server: LoopbackServer, connected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host is reached by any of its addresses."""
    server.answer("/feed", body=b"x")
    mapped = httpcore.SyncBackend.connect_tcp

    def refuse_first(self: httpcore.SyncBackend, host: str, *rest: Any) -> httpcore.NetworkStream:  # noqa: ANN401  passed on
        if host == _OTHER_PUBLIC:
            raise httpcore.ConnectError("[Errno 101] Network is unreachable")
        return mapped(self, host, *rest)

    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", refuse_first)
    url = server.url("/feed", host="feed.example")
    assert isinstance(_fetch(url, {"feed.example": [_OTHER_PUBLIC, _PUBLIC]}), Fetched)
    assert _fetch(url, {"feed.example": [_OTHER_PUBLIC]}) == "cannot connect to feed.example: Network is unreachable"


@pytest.mark.parametrize("addresses", [["127.0.0.1"], [_PUBLIC, "10.0.0.1"], ["::ffff:127.0.0.1"]])
def test_a_name_that_leads_home_is_refused(server: LoopbackServer, connected: list[str], addresses: list[str]) -> None:
    """A host with any address that is not public is not connected to at all."""
    reason = _fetch(server.url("/feed", host="feed.example"), {"feed.example": addresses})
    assert reason == (f"feed.example is at {addresses[-1]}, which is not a public address; set local: true to allow it")
    assert connected == []


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "169.254.169.254", "0.0.0.0", "192.168.1.1", "[fe80::1]"]
)
def test_an_address_in_place_of_a_name_is_checked_too(connected: list[str], host: str) -> None:
    """Addresses are not resolved, but checked all the same."""
    assert "which is not a public address" in str(_fetch(f"http://{host}/latest/meta-data", {}))
    assert connected == []


@pytest.mark.parametrize(
    "host",
    ["localhost", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "127。0。0。1"],
)
def test_other_spellings_of_this_machine_are_refused(server: LoopbackServer, host: str) -> None:
    """Whatever the system's resolver makes of a spelling is what is checked."""
    server.answer("/feed", body=b"x")
    outcome = HttpFetcher(_SETTINGS).fetch(FetchRequest(server.url("/feed", host=host)))
    assert isinstance(outcome, FetchFailed)
    assert server.asked == []


def test_a_redirect_from_a_public_host_to_a_private_one_is_refused(
    server: LoopbackServer, connected: list[str]
) -> None:
    """Every hop is checked, not only the address that was subscribed to."""
    server.answer("/secret", body=b"secret")
    server.redirect("/feed", 302, server.url("/secret", host="router.example"))
    names = {"feed.example": [_PUBLIC], "router.example": ["192.168.0.1"]}
    reason = _fetch(server.url("/feed", host="feed.example"), names)
    assert reason == ("router.example is at 192.168.0.1, which is not a public address; set local: true to allow it")
    assert (connected, server.paths()) == ([_PUBLIC], ["/feed"])


def test_a_local_feed_may_lead_anywhere(server: LoopbackServer, connected: list[str]) -> None:
    """With `local: true` private addresses are fetched, under names as well."""
    server.answer("/feed", body=b"x")
    url = server.url("/feed", host="nas.example")
    assert isinstance(_fetch(url, {"nas.example": ["127.0.0.1"]}, local=True), Fetched)


def test_a_name_that_changes_its_address_gains_nothing(server: LoopbackServer, connected: list[str]) -> None:
    """The address is looked up once and used: a second look-up could lead elsewhere (DNS rebinding)."""
    server.answer("/feed", body=b"x")
    answers = iter([[_PUBLIC], ["127.0.0.1"]])
    fetcher = HttpFetcher(_SETTINGS, resolver=lambda _host, _port: next(answers))
    outcome = fetcher.fetch(FetchRequest(server.url("/feed", host="feed.example")))
    assert isinstance(outcome, Fetched)
    assert connected == [_PUBLIC]


def test_encryption_is_for_the_name_and_not_for_the_address(connected: list[str]) -> None:
    """The name goes into the TLS greeting, so that the certificate is checked against it."""
    greetings: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            peer, _ = listener.accept()
            with peer:
                greetings.append(peer.recv(4096))

        thread = threading.Thread(target=accept)
        thread.start()
        port = listener.getsockname()[1]
        reason = _fetch(f"https://feed.example:{port}/", {"feed.example": [_PUBLIC]})
        thread.join()
    assert str(reason).startswith("cannot connect to feed.example: ")
    assert b"feed.example" in greetings[0]


def test_an_unknown_name_is_a_failure() -> None:
    """A name without an address is named with the system's reason."""
    assert _fetch("http://nowhere.example/", {}) == "cannot find nowhere.example: Name or service not known"
    assert _fetch("http://empty.example/", {"empty.example": []}) == "cannot find empty.example: it has no address"


def test_a_label_that_is_too_long_is_a_failure() -> None:
    """What the system's resolver refuses to encode is a failure like any other."""
    outcome = HttpFetcher(_SETTINGS).fetch(FetchRequest(f"http://{'a' * 64}.example/"))
    assert isinstance(outcome, FetchFailed)
    assert outcome.reason.startswith("cannot find aaaa")


def test_a_name_server_that_does_not_answer_is_given_up() -> None:
    """Looking up a name is part of what is limited."""
    release = threading.Event()

    def resolve(_host: str, _port: int) -> Sequence[str]:
        release.wait(10)
        return [_PUBLIC]

    fetcher = HttpFetcher(FetchSettings(timeout_s=0.1), resolver=resolve)
    outcome = fetcher.fetch(FetchRequest("http://feed.example/"))
    release.set()
    assert outcome == FetchFailed(0, "cannot find feed.example: no name server answered in 0.1 s")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.255.255.254", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0.0.0.0",
        "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "::7f00:1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::f5ff:fffe",
        "localhost", "",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    """Loopback, private, link-local, shared, multicast and reserved addresses are not public, however wrapped."""
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", _PUBLIC, _OTHER_PUBLIC, "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::"]
)
def test_addresses_that_are_public(address: str) -> None:
    """Addresses of the public internet are, also where an IPv6 address carries an IPv4 one."""
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_never_makes_it_public(address: object) -> None:
    """An IPv4 address within an IPv6 one is as public as it is by itself."""
    assert is_public(f"::ffff:{address}") == is_public(f"64:ff9b::{address}") == is_public(str(address))


def test_the_system_resolver_knows_this_machine() -> None:
    """The resolver in use asks the system and returns each address once."""
    found = resolve_host("localhost", 80)
    assert found
    assert len(set(found)) == len(found)
    assert not any(map(is_public, found))
