"""One process at a time, and a name for whoever is in the way."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from config.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class LockHeld(ConfigError):
    """Another process holds a lock.

    Attributes:
        holder: Its process id, or `unknown`.
    """

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"process {holder} holds {path}; wait for it to end, or stop it")
        self.holder = holder


@contextmanager
def process_lock(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold a lock file for the length of a block.

    The lock belongs to the open file, so the system releases it when the process ends, however it ends: there is
    nothing stale to clean up. The file itself stays, for removing it would let two processes lock two files.

    Args:
        path: The lock file; created with its folder where it does not exist.
        wait: Whether to wait for another holder instead of failing at once.

    Raises:
        LockHeld: Another process holds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError as err:
            raise LockHeld(path, os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown") from err
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
