"""Writing a file so that a reader, or the next start after a crash, sees the old or the new bytes, never a mixture."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES})
"""What `link` answers on file systems without hard links: FAT, some network and FUSE mounts, Android (link(2))."""
_NEW_FILE_MODE = 0o644


def write_text_atomically(path: Path, text: str, *, overwrite: bool = True) -> None:
    """Write UTF-8 text through a temporary file in the same folder: write, fsync, rename, fsync the folder.

    The temporary file is hidden, so that neither Obsidian nor the indexer sees it, and has the same name at every
    attempt, so that what a killed attempt left is replaced by the next. Two writers of the same path must therefore
    take turns; every command that writes to a vault holds the vault's lock. A replaced file keeps its permissions.

    Args:
        path: The file to create or replace; its folder must exist.
        text: The whole content; line ends are written as they are.
        overwrite: False refuses to replace a file that is already there.

    Raises:
        FileExistsError: `overwrite` is False and the file exists.
        OSError: The disk is full or the folder is not writable; the old file is untouched.
        UnicodeEncodeError: The text has lone surrogates; nothing was touched.
    """
    content = text.encode("utf-8")
    temporary = temporary_path(path)
    discard_leftover(path)
    try:
        # Exclusive, so that a link which somebody laid at the hidden name is never written through.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(temporary, flags, _NEW_FILE_MODE), "wb") as handle:
            if overwrite and (mode := _mode(path)) is not None:
                os.fchmod(handle.fileno(), mode)
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        if overwrite:
            temporary.replace(path)
        else:
            _rename_to_free_name(temporary, path)
    finally:
        discard_leftover(path)
    _sync_folder(path.parent)


def discard_leftover(path: Path) -> None:
    """Remove the temporary file that a killed attempt to write this path may have left."""
    temporary_path(path).unlink(missing_ok=True)


def create_folder(folder: Path) -> None:
    """Create a folder and its missing parents, and make their names durable.

    Raises:
        OSError: A parent is not writable, or a file has the folder's name.
    """
    missing = [f for f in (folder, *folder.parents) if not f.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for created in missing:
        _sync_folder(created.parent)


def temporary_path(path: Path) -> Path:
    """Return where a file is written before it gets its name."""
    digest = hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]
    return path.with_name(f".{digest}.sluice-tmp")


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def _rename_to_free_name(temporary: Path, path: Path) -> None:
    """Give the file its name, which a hard link refuses where the name is taken and a rename would not.

    Without hard links the name is looked up first. Between the look and the rename a file that another program
    creates under the same name would be lost; such file systems offer nothing portable that closes this gap.
    """
    try:
        os.link(temporary, path)
    except OSError as err:
        if err.errno not in _NO_HARD_LINKS:
            raise
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from err
        temporary.rename(path)


def _sync_folder(folder: Path) -> None:
    """Make the new name itself durable; a file system without folder handles is left alone."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
