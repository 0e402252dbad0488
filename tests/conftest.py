"""What every test has: a home of its own, the real command, a feed server, and large data where a folder is named."""

from __future__ import annotations

import os
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support.command import Sluice, make_sluice
from tests.support.feed_server import FeedHandler

# No test judges by the clock; in CI the examples are the same in every run, so that a failure is never luck.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def new_sluice(tmp_path: Path) -> Callable[[str], Sluice]:
    """A function that makes the command on an empty vault of a given name."""
    return lambda name: make_sluice(tmp_path / name)


@pytest.fixture
def sluice(new_sluice: Callable[[str], Sluice]) -> Sluice:
    """The command on an empty vault."""
    return new_sluice("sluice")


@pytest.fixture
def serve() -> Iterator[Callable[[dict[str, tuple[str, bytes]]], list[str]]]:
    """A function that serves documents, by path, on loopback and returns their addresses."""
    servers: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def start(documents: dict[str, tuple[str, bytes]]) -> list[str]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (FeedHandler,), {"documents": documents}))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        servers.append((server, thread))
        return [f"http://127.0.0.1:{server.server_port}{path}" for path in documents]

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep every test away from the settings and state of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "SLUICE_VAULT", "SLUICE_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return home


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of large data sets; without one the test is skipped, in CI it fails."""
    named = os.environ.get("SLUICE_DATA")
    if not named and not os.environ.get("CI"):
        pytest.skip("set SLUICE_DATA to the folder of data sets to run this")
    folder = Path(named or "SLUICE_DATA is not set")
    assert folder.is_dir(), f"SLUICE_DATA names {named!r}, which is not a folder"
    return folder.resolve()
