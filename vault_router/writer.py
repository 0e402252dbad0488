"""Putting notes into the vault: a free name, inside the root, whole or not at all, never over another file."""

from __future__ import annotations

import itertools
import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from config.atomic_write import create_folder, discard_leftover, write_text_atomically
from vault_router.errors import UnsafeNotePath, VaultNotWritable
from vault_router.note_names import EXTENSION, folded, note_name, numbered
from vault_router.notes import read_sluice_id
from vault_router.types import AlreadyThere, NameTaken, WriteOutcome, Written

if TYPE_CHECKING:
    from collections.abc import Callable

    from config.settings import RoutingSettings
    from intake.types import Signal, SignalId


class NoteWriter:
    """Writes notes below one vault.

    Two writers of one vault must take turns: every command that writes holds the vault's lock.
    """

    def __init__(self, root: Path, settings: RoutingSettings) -> None:
        """Prepare for a vault; touches nothing.

        Args:
            root: The folder of the vault; it must exist.
            settings: How long a name may be.
        """
        self._root = Path(os.path.realpath(root))
        self._max_name_bytes = settings.max_name_bytes
        self._listings: dict[Path, _Listing] = {}

    def choose_path(self, signal: Signal, folder: str, taken: Callable[[str], SignalId | None]) -> str:
        """Find the path for a signal's note.

        The name is the title; where the vault or the ledger has it for something else, in whatever case, it gets
        ` 2`, ` 3` and so on. A file that is this very signal's, left by an earlier attempt, is adopted.

        Args:
            signal: What is to be written.
            folder: The domain's folder, relative to the vault.
            taken: Tells which signal the ledger has given a path to, if any.

        Returns:
            The path relative to the vault, with forward slashes.

        Raises:
            UnsafeNotePath: The folder lies outside the vault.
            VaultNotWritable: The folder is there and cannot be listed.
        """
        there = self._names(self._inside(f"{folder}/any").parent)
        stem = note_name(signal.title, max_bytes=self._max_name_bytes)
        for n in itertools.count(1):
            name = numbered(stem, n, max_bytes=self._max_name_bytes) + EXTENSION
            if taken(f"{folder}/{name}") not in {None, signal.id}:
                continue
            on_disk = there.get(folded(name))
            if on_disk is None:
                return f"{folder}/{name}"
            if read_sluice_id(self._root / folder / on_disk) == signal.id:
                return f"{folder}/{on_disk}"
        raise AssertionError  # pragma: no cover  counting never ends

    def write(self, relative_path: str, text: str, signal_id: SignalId) -> WriteOutcome:
        """Write a note, or say why its name is not free.

        Args:
            relative_path: Relative to the vault, with forward slashes; its folder is created when missing.
            text: The whole note.
            signal_id: Whose note it is.

        Raises:
            UnsafeNotePath: The path leads outside the vault, by name or through a link.
            VaultNotWritable: The file system refuses; its own error is the cause.
        """
        target = self._inside(relative_path)
        if not self._root.is_dir():  # a drive that is not mounted must not be filled at its mount point
            raise VaultNotWritable(f"{self._root}: the vault is not there; mount or restore it, then run again")
        try:
            create_folder(target.parent)
            outcome = self._write_new(target, relative_path, text, signal_id)
        except OSError as err:
            reason = err.strerror or str(err)
            raise VaultNotWritable(
                f"{relative_path}: the vault refuses the note ({reason}); free space or fix permissions, then run again"
            ) from err
        self._remember(outcome, target)
        return outcome

    def _write_new(self, target: Path, relative_path: str, text: str, signal_id: SignalId) -> WriteOutcome:
        if not os.path.lexists(target):
            try:
                write_text_atomically(target, text, overwrite=False)
            except FileExistsError:
                pass  # another program was faster: see below what it wrote
            else:
                return Written(relative_path)
        discard_leftover(target)
        ours = read_sluice_id(target) == signal_id
        return AlreadyThere(relative_path) if ours else NameTaken(relative_path)

    def _inside(self, relative_path: str) -> Path:
        """Return the absolute path, with every link followed but one at the very end, which is never written to."""
        parts = PurePosixPath(relative_path).parts
        unsafe = not parts or ".." in parts or "\0" in relative_path or PurePosixPath(relative_path).is_absolute()
        folder = self._root if unsafe else Path(os.path.realpath(self._root.joinpath(*parts[:-1])))
        if unsafe or not folder.is_relative_to(self._root):
            raise UnsafeNotePath(
                f"{relative_path!r} lies outside the vault; change the domain's folder or remove the link on the way"
            )
        return folder / parts[-1]

    def _remember(self, outcome: WriteOutcome, target: Path) -> None:
        if isinstance(outcome, NameTaken):
            self._listings.pop(target.parent, None)  # it did not show the file, so it is out of date
        elif target.parent in self._listings:
            self._listings[target.parent].add(target.name)

    def _names(self, folder: Path) -> dict[str, str]:
        """List a folder by folded name; read again only when the folder has changed."""
        listing = self._listings.get(folder)
        if listing is None or listing.changed():
            try:
                listing = self._listings[folder] = _Listing(folder)
            except OSError as err:
                raise VaultNotWritable(
                    f"{folder}: cannot be listed ({err.strerror}); fix its permissions, then run again"
                ) from err
        return listing.names


class _Listing:
    """The names in a folder, and the folder's time of change when they were read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._changed_ns = self._mtime_ns()
        self.names: dict[str, str] = {}
        if self._changed_ns:
            with os.scandir(folder) as entries:
                self.names = {folded(entry.name): entry.name for entry in entries}

    def changed(self) -> bool:
        return self._mtime_ns() != self._changed_ns

    def add(self, name: str) -> None:
        """Take in a file of our own, so that writing many notes does not list the folder for each."""
        self.names[folded(name)] = name
        self._changed_ns = self._mtime_ns()

    def _mtime_ns(self) -> int:
        try:
            return self._folder.stat().st_mtime_ns
        except FileNotFoundError:
            return 0
