"""One indexing process at a time, and a name for whoever is in the way."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from config.process_lock import LockHeld, process_lock
from retrieval.errors import IndexBusy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def index_lock(index_file: Path, *, wait: bool = False) -> Iterator[None]:
    """Hold the index's write lock for the length of a block.

    Args:
        index_file: The index; the lock lies beside it.
        wait: Whether to wait for another holder instead of failing at once.

    Raises:
        IndexBusy: Another process holds it; the message names the process.
    """
    with ExitStack() as held:
        try:
            held.enter_context(process_lock(index_file.with_name(index_file.name + ".lock"), wait=wait))
        except LockHeld as err:
            raise IndexBusy(f"process {err.holder} is indexing already; wait for it, or stop it") from err
        yield
