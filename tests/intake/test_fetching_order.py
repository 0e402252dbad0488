"""Many requests at once: order, politeness, bounds."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from itertools import count, islice
from typing import TYPE_CHECKING

import httpcore
import pytest

from config.settings import FetchSettings
from intake.fetching import SYSTEM_CLOCK, Fetched, FetchRequest, HttpFetcher, fetch_all
from intake.fetching.ordered_fetching import WINDOW_PER_WORKER

if TYPE_CHECKING:
    from collections.abc import Callable

    from intake.fetching import FetchOutcome
    from tests.intake.conftest import LoopbackServer


class _ScriptedFetcher:
    """Answers by a function and counts what goes on at once."""

    def __init__(self, work: Callable[[FetchRequest], object]) -> None:
        self.work = work
        self.begun: list[str] = []
        self.most_at_once: Counter[str] = Counter()
        self._active: Counter[str] = Counter()
        self._lock = threading.Lock()

    def fetch(self, request: FetchRequest) -> FetchOutcome:
        host = request.url.split("/")[2]
        with self._lock:
            self.begun.append(request.url)
            for key in (host, "all"):
                self._active[key] += 1
                self.most_at_once[key] = max(self.most_at_once[key], self._active[key])
        self.work(request)
        with self._lock:
            self._active.subtract((host, "all"))
        return Fetched(request.url.encode(), "", request.url)


def _requests(*hosts: str) -> list[FetchRequest]:
    return [FetchRequest(f"http://{host}/{number}") for number, host in enumerate(hosts)]


def test_outcomes_come_in_the_order_of_requests() -> None:
    """The first request's outcome comes first, although it ends only after three others have begun."""
    barrier = threading.Barrier(4, timeout=10)
    fetcher = _ScriptedFetcher(lambda _request: barrier.wait())
    requests = _requests("a", "b", "c", "d")
    outcomes = list(fetch_all(fetcher, requests, 4))
    assert [request for request, _ in outcomes] == requests
    assert all(isinstance(o, Fetched) and o.final_url == r.url for r, o in outcomes)


def test_one_host_is_asked_one_request_at_a_time() -> None:
    """Requests to one host follow each other in order while other hosts are asked at the same time."""
    hosts = ["a", "a", "a", "b", "c", "a", "b"] * 3
    meet = threading.Barrier(3, timeout=10)
    first = {f"http://{host}/{hosts.index(host)}" for host in "abc"}
    fetcher = _ScriptedFetcher(lambda request: request.url in first and meet.wait())
    requests = _requests(*hosts)
    assert [request for request, _ in fetch_all(fetcher, requests, 3)] == requests
    assert [fetcher.most_at_once[host] for host in "abc"] == [1, 1, 1]
    assert fetcher.most_at_once["all"] == 3


def test_no_more_than_configured_go_on_at_once() -> None:
    """Concurrency is bounded whatever the number of hosts."""
    fetcher = _ScriptedFetcher(lambda _request: threading.Event().wait(0.002))
    list(fetch_all(fetcher, _requests(*map(str, range(40))), 4))
    assert fetcher.most_at_once["all"] <= 4


def test_requests_are_not_begun_far_ahead() -> None:
    """An endless stream of requests can be read: only a window of outcomes is ever held."""
    fetcher = _ScriptedFetcher(lambda _request: None)
    endless = (FetchRequest(f"http://{number}/") for number in count())
    assert len(list(islice(fetch_all(fetcher, endless, 2), 5))) == 5
    assert len(fetcher.begun) <= 5 + 2 * WINDOW_PER_WORKER


def test_nothing_to_fetch_gives_nothing() -> None:
    """No requests, no outcomes; an address that cannot be read does not stop the others."""
    fetcher = _ScriptedFetcher(lambda _request: None)
    assert list(fetch_all(fetcher, [], 3)) == []
    assert len(list(fetch_all(HttpFetcher(FetchSettings()), [FetchRequest("http://[bad/")], 3))) == 1


@pytest.mark.parametrize(("local", "waits"), [(False, 2), (True, 0)])
def test_only_public_hosts_are_spaced(
    server: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
    local: bool,  # noqa: FBT001  a parameter of the case
    waits: int,
) -> None:
    """Three requests to a public host wait twice, those to this machine never."""
    really_connect = httpcore.SyncBackend.connect_tcp
    monkeypatch.setattr(
        httpcore.SyncBackend,
        "connect_tcp",
        lambda self, _host, *rest: really_connect(self, "127.0.0.1", *rest),
    )
    slept: list[float] = []
    clock = replace(SYSTEM_CLOCK, sleep=slept.append)
    address = "127.0.0.1" if local else "93.184.215.14"
    fetcher = HttpFetcher(FetchSettings(per_host_delay_s=60.0), clock=clock, resolver=lambda _host, _port: [address])
    requests = [FetchRequest(server.url(f"/{number}", host="feed.example"), local=local) for number in range(3)]
    for request in requests:
        server.answer(request.url.removeprefix(server.url("", host="feed.example")), body=b"x")
    outcomes = list(fetch_all(fetcher, requests, 3))
    assert all(isinstance(outcome, Fetched) for _, outcome in outcomes), outcomes
    assert len(slept) == waits
    assert all(seconds > 0 for seconds in slept)
