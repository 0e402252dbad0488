"""The drop folder of a vault: every file in it is a capture."""

from __future__ import annotations

import hashlib
import os
import plistlib
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.parsers.expat import ExpatError

from intake.sources.capture import read_capture, read_page
from intake.sources.mail import read_mail
from intake.types import Problem, RawEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

MAX_FILE_BYTES = 5_000_000
"""The same limit as for a feed."""

_UNFINISHED = (".tmp", ".part", ".crdownload", ".download", "~")
"""Names that programs give to files they are still writing."""


@dataclass(frozen=True, slots=True)
class DroppedFile:
    """A file of the drop folder.

    Attributes:
        path: Where it lies; it stays there, untouched.
        identity: Hash of its bytes: the same file dropped twice is one capture.
        entry: What it holds.
    """

    path: Path
    identity: str
    entry: RawEntry


def read_drop_folder(folder: Path) -> Iterator[DroppedFile | Problem]:
    """Read every file of the folder, in the order of names; subfolders and hidden files are left alone.

    Args:
        folder: Usually VAULT/_Capture.

    Yields:
        A file, or a problem for one that cannot be taken in; both stay where they are.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as err:
        yield Problem(str(folder), f"the drop folder cannot be listed ({err.strerror})")
        return
    for entry in entries:
        name = entry.name.lower()
        if name.startswith(".") or name.endswith(_UNFINISHED) or entry.is_dir(follow_symlinks=False):
            continue
        yield _read_file(folder / entry.name)


def _read_file(path: Path) -> DroppedFile | Problem:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as handle:
            data = handle.read(MAX_FILE_BYTES + 1)
    except OSError as err:
        return Problem(str(path), f"cannot be read ({err.strerror}); links are not followed")
    if len(data) > MAX_FILE_BYTES:
        return Problem(str(path), f"is larger than {MAX_FILE_BYTES:,} bytes; capture its text instead")
    entry = _entry(path, data)
    if isinstance(entry, str):
        return Problem(str(path), entry)
    return DroppedFile(path, hashlib.sha256(data).hexdigest(), entry)


def _entry(path: Path, data: bytes) -> RawEntry | str:
    """Read a file by its suffix; return why it cannot be taken in where that is so."""
    if not data.strip():
        return "is empty"
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        return f"files with the suffix {path.suffix or 'none'} are not taken in; known: {' '.join(_READERS)}"
    return reader(path, data)


def _text_entry(path: Path, data: bytes) -> RawEntry:
    """Take the first heading as title where there is one, else the name of the file."""
    text = data.decode("utf-8-sig", errors="replace")
    first, _, rest = text.strip().partition("\n")
    if first.startswith("# "):
        return RawEntry(title=first[2:].strip(), text=rest.strip())
    if first.startswith(("http://", "https://")) and not rest.strip():
        return read_capture(first)
    return RawEntry(title=path.stem, text=text.strip())


def _page_entry(_path: Path, data: bytes) -> RawEntry:
    return read_page(data, content_type="text/html", url="")


def _mail_entry(_path: Path, data: bytes) -> RawEntry | str:
    return read_mail(data)


def _shortcut_entry(path: Path, data: bytes) -> RawEntry | str:
    return _link_entry(path, _url_of_shortcut(data))


def _webloc_entry(path: Path, data: bytes) -> RawEntry | str:
    return _link_entry(path, _url_of_webloc(data))


def _link_entry(path: Path, url: str) -> RawEntry | str:
    return RawEntry(link=url, title=path.stem) if url else "names no address"


def _url_of_shortcut(data: bytes) -> str:
    """Read the `URL=` line of an Internet shortcut (an INI file)."""
    for line in data.decode("utf-8-sig", errors="replace").splitlines():
        key, _, value = line.partition("=")
        if key.strip().upper() == "URL":
            return value.strip()
    return ""


def _url_of_webloc(data: bytes) -> str:
    """Read the `URL` key of a property list, as macOS writes for a dragged link."""
    try:
        fields = plistlib.loads(data)
    except (plistlib.InvalidFileException, ExpatError, ValueError, RecursionError, OverflowError):
        return ""
    url = fields.get("URL") if isinstance(fields, dict) else None
    return url.strip() if isinstance(url, str) else ""


_READERS: dict[str, Callable[[Path, bytes], RawEntry | str]] = {
    ".md": _text_entry,
    ".markdown": _text_entry,
    ".txt": _text_entry,
    ".html": _page_entry,
    ".htm": _page_entry,
    ".url": _shortcut_entry,
    ".webloc": _webloc_entry,
    ".eml": _mail_entry,
}
