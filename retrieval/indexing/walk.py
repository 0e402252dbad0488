"""Which files of a vault are indexed."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from retrieval.store.writer import FileStat
from retrieval.types import FileProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from config.settings import IndexSettings

SUFFIXES = (".md", ".markdown")
"""Files that are notes; compared in lower case."""

RESERVED_FOLDERS = ("_Capture", "_Review")
"""Folders of the vault that hold what is not knowledge yet."""

TOOL_FOLDERS = (".git", ".obsidian", ".sluice", ".stversions", ".trash", ".venv")
"""Hidden folders of programs: what lies there is nobody's note, so it is not even named as left out."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to index.

    Attributes:
        stat: Path as stored, modification time and size.
        location: Where to read it; its name on disk may be normalised differently.
    """

    stat: FileStat
    location: str


@dataclass(slots=True)
class Walk:
    """What a walk over a vault found.

    Attributes:
        files: By stored path.
        problems: Folders and files that could not be looked at.
        unreadable: Stored paths of folders and files that could not be looked at; what lies there is not gone.
    """

    files: dict[str, FoundFile] = field(default_factory=dict)
    problems: list[FileProblem] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Scope:
    """The folders of the settings, as `_as_stored` writes them."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]


def walk_vault(root: Path, settings: IndexSettings) -> Walk:
    """Find the notes of a vault, in the order of their paths.

    Symbolic links and reserved folders are never entered; an excluded folder wins over an included one. Notes in
    hidden folders are named, but not taken. Two names that differ only in Unicode normalisation are one note: the
    first is taken, the other named.
    """
    walk = Walk()
    scope = _Scope(_as_stored(settings.include), _as_stored((*RESERVED_FOLDERS, *settings.exclude)))
    pending = [(os.fspath(root), "")]
    while pending:
        location, relative = pending.pop()
        for entry, path in _list_folder(location, relative, walk):
            try:
                if entry.is_dir(follow_symlinks=False):
                    if _may_enter(path, scope):
                        pending.append((entry.path, path))
                elif entry.is_file(follow_symlinks=False) and _is_wanted(path, scope):
                    _take(entry, path, walk)
            except FileNotFoundError:
                continue  # deleted since the folder was listed
            except OSError as err:
                _report_unreadable(walk, path, f"cannot be looked at ({err.strerror})")
    walk.files = dict(sorted(walk.files.items()))
    return walk


def _list_folder(location: str, relative: str, walk: Walk) -> Iterator[tuple[os.DirEntry[str], str]]:
    try:
        with os.scandir(location) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as err:
        _report_unreadable(walk, relative, f"folder cannot be listed ({err.strerror})")
        return
    for entry in entries:
        if not entry.name.startswith(".") or entry.is_dir(follow_symlinks=False):
            name = unicodedata.normalize("NFC", entry.name)
            yield entry, f"{relative}/{name}" if relative else name


def _report_unreadable(walk: Walk, path: str, message: str) -> None:
    walk.unreadable.append(path)
    walk.problems.append(FileProblem(_printable(path) or ".", message, indexed=False))


def _take(entry: os.DirEntry[str], path: str, walk: Walk) -> None:
    if (readable := _printable(path)) != path:
        walk.problems.append(FileProblem(readable, "its name is not valid UTF-8; rename it", indexed=False))
        return
    if "/." in f"/{path}":
        walk.problems.append(FileProblem(path, "lies in a hidden folder, which is never indexed", indexed=False))
        return
    if path in walk.files:
        walk.problems.append(FileProblem(path, "the same name exists in another Unicode form", indexed=False))
        return
    stat = entry.stat(follow_symlinks=False)
    walk.files[path] = FoundFile(FileStat(path, stat.st_mtime_ns, stat.st_size), entry.path)


def _printable(path: str) -> str:
    """Write bytes that are not UTF-8, which Python keeps as lone surrogates, as escapes; SQLite takes no surrogate."""
    return path.encode("utf-8", "backslashreplace").decode()


def _as_stored(folders: Iterable[str]) -> tuple[str, ...]:
    """Write configured folders as walked ones are, NFC and with no `./` before, and with one slash behind."""
    plain = (os.path.normpath(unicodedata.normalize("NFC", folder)).strip("/") for folder in folders)
    return tuple("" if folder in ("", ".") else f"{folder}/" for folder in plain)


def _may_enter(folder: str, scope: _Scope) -> bool:
    if _lies_in(folder, scope.exclude) or folder.rpartition("/")[2] in TOOL_FOLDERS:
        return False
    return not scope.include or any(
        _lies_in(folder, (wanted,)) or wanted.startswith(f"{folder}/") for wanted in scope.include
    )


def _is_wanted(path: str, scope: _Scope) -> bool:
    if not path.lower().endswith(SUFFIXES) or _lies_in(path, scope.exclude):
        return False
    return not scope.include or _lies_in(path, scope.include)


def _lies_in(path: str, folders: tuple[str, ...]) -> bool:
    return f"{path}/".startswith(folders)
