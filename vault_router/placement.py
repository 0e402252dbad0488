"""The last step of a kept signal: from a place in the ledger to a note in the vault."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, assert_never

from vault_router.errors import VaultNotWritable
from vault_router.notes import render_note
from vault_router.types import AlreadyThere, NameTaken, Written

if TYPE_CHECKING:
    from intake.ledger import Ledger
    from intake.types import ScoreCard, Signal
    from vault_router.writer import NoteWriter

_MAX_NAMES = 5  # names tried for one note, each taken by another program between choosing and writing


def place_note(  # noqa: PLR0913  the six things a note is made of and goes to
    ledger: Ledger, writer: NoteWriter, signal: Signal, card: ScoreCard, *, domain: str, note_path: str
) -> str:
    """Write the note of a signal that the ledger has as being written, and record that it is there.

    Safe to repeat after a crash at any point: a note that is there already is left as it is. A file of somebody
    else at the path makes the note move to another name in the same folder, which is recorded first.

    Args:
        ledger: Where the signal is in the state of writing.
        writer: Writer of the vault.
        signal: What to write.
        card: Its score.
        domain: Name of its domain.
        note_path: Where the ledger says its note goes, relative to the vault.

    Returns:
        Where the note is, relative to the vault.

    Raises:
        UnsafeNotePath: The path leads outside the vault.
        VaultNotWritable: The file system refuses; the signal stays in the state of writing.
    """
    text = render_note(signal, card, domain)
    for _ in range(_MAX_NAMES):
        outcome = writer.write(note_path, text, signal.id)
        match outcome:
            case Written() | AlreadyThere():
                ledger.finish_writing(signal.id)
                return note_path
            case NameTaken():
                folder = str(PurePosixPath(note_path).parent)
                note_path = writer.choose_path(signal, folder, ledger.path_taken)
                ledger.begin_writing(signal.id, domain, note_path)
            case _:  # pragma: no cover
                assert_never(outcome)
    raise VaultNotWritable(f"{note_path}: another program takes every name as it is chosen; stop it, then run again")
