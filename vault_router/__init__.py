"""From a scored signal to a note in the vault: decide the domain, name the note, write it, or let a person decide."""

from __future__ import annotations

from vault_router.delivery import deliver
from vault_router.errors import (
    ReviewConflict,
    RouterError,
    UnknownDomain,
    UnsafeNotePath,
    VaultNotWritable,
)
from vault_router.note_names import note_name
from vault_router.notes import read_sluice_id, render_note
from vault_router.review import ReviewQueue
from vault_router.routing import route
from vault_router.types import (
    AlreadyThere,
    DeliveredItem,
    DeliveryReport,
    Dropped,
    NameTaken,
    Outcome,
    Queued,
    Routed,
    Routing,
    WriteOutcome,
    Written,
)
from vault_router.writer import NoteWriter

__all__ = [
    "AlreadyThere",
    "DeliveredItem",
    "DeliveryReport",
    "Dropped",
    "NameTaken",
    "NoteWriter",
    "Outcome",
    "Queued",
    "ReviewConflict",
    "ReviewQueue",
    "Routed",
    "RouterError",
    "Routing",
    "UnknownDomain",
    "UnsafeNotePath",
    "VaultNotWritable",
    "WriteOutcome",
    "Written",
    "deliver",
    "note_name",
    "read_sluice_id",
    "render_note",
    "route",
]
