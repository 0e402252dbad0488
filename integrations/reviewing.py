"""The review queue of a vault, opened for one front end."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from config.process_lock import process_lock
from intake.ledger import Ledger
from vault_router import NoteWriter, ReviewQueue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from integrations.workspace import Workspace


@contextmanager
def open_queue(workspace: Workspace) -> Iterator[ReviewQueue]:
    """Open the review queue, waiting for an ingest run to end, for both write notes.

    Raises:
        LedgerError: The ledger cannot be used.
    """
    state = workspace.vault.open_state()
    settings = workspace.settings.routing
    with (
        process_lock(state / "ingest.lock", wait=True),
        Ledger.open(workspace.vault.ledger_file) as ledger,
    ):
        yield ReviewQueue(ledger, NoteWriter(workspace.vault.root, settings), workspace.domains())
