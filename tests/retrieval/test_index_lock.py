"""One indexing process at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from retrieval.errors import IndexBusy
from retrieval.indexing.lock import index_lock

if TYPE_CHECKING:
    from pathlib import Path

_HOLD = """
import sys
from pathlib import Path
from retrieval.indexing.lock import index_lock
with index_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def _holder(index_file: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(index_file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_told_who_holds_the_lock(index_file: Path) -> None:
    """The error names the process that is in the way, and nothing is left in the way when it ends."""
    with _holder(index_file) as process:
        with pytest.raises(IndexBusy, match=f"process {process.pid} "), index_lock(index_file):
            pass
        process.communicate("\n")
    with index_lock(index_file):
        pass


def test_a_killed_holder_leaves_no_lock(index_file: Path) -> None:
    """The lock belongs to the open file: SIGKILL frees it, and the left-over lock file means nothing."""
    with _holder(index_file) as process:
        process.kill()
        process.wait()
        with index_lock(index_file):
            pass


def test_a_waiting_process_gets_the_lock_when_it_is_free(index_file: Path) -> None:
    """With `wait`, the second holder comes after the first."""
    order: list[str] = []

    def second() -> None:
        with index_lock(index_file, wait=True):
            order.append("second")

    with index_lock(index_file):
        thread = threading.Thread(target=second)
        thread.start()
        with pytest.raises(IndexBusy, match=f"process {os.getpid()} "), index_lock(index_file):
            pass
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_an_error_inside_the_block_frees_the_lock_and_stays_what_it_is(index_file: Path) -> None:
    """The lock is no handler of other people's errors."""
    with pytest.raises(LookupError), index_lock(index_file):
        raise LookupError
    with index_lock(index_file):
        pass
