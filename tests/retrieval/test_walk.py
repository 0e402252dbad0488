"""Which files of a vault are found."""

from __future__ import annotations

import os
import sys
import unicodedata
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from config.settings import IndexSettings
from retrieval.indexing.walk import walk_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _paths(vault: Path, **settings: tuple[str, ...]) -> list[str]:
    return list(walk_vault(vault, IndexSettings(**settings)).files)  # type: ignore[arg-type]  # folders alone


def test_notes_are_found_in_the_order_of_their_paths(
    vault: Path, write_note: Callable[[str, str | bytes], Path]
) -> None:
    """Markdown of either suffix and any case is found, at any depth, with its size and time; other files are not."""
    for path in ("b.md", "a/z.MD", "a/b/c.markdown", "a.txt", "noted", "x.md.bak"):
        write_note(path, "text")
    os.utime(vault / "b.md", ns=(1, 1_700_000_000_123_456_789))
    walk = walk_vault(vault, IndexSettings())
    assert list(walk.files) == ["a/b/c.markdown", "a/z.MD", "b.md"]
    stat = walk.files["b.md"].stat
    assert (stat.mtime_ns, stat.size) == (1_700_000_000_123_456_789, 4)
    assert walk.problems == []


def test_hidden_folders_are_never_indexed(vault: Path, write_note: Callable[[str, str | bytes], Path]) -> None:
    """Folders of programs and hidden files are passed over; a note in another hidden folder is named."""
    for path in (".obsidian/a.md", ".trash/a.md", "x/.git/a.md", ".sluice/a.md", ".note.md", "._b.md", ".github/a.md"):
        write_note(path, "text")
    walk = walk_vault(vault, IndexSettings())
    assert walk.files == {}
    assert [(problem.path, problem.indexed) for problem in walk.problems] == [(".github/a.md", False)]


def test_reserved_folders_are_not_indexed(vault: Path, write_note: Callable[[str, str | bytes], Path]) -> None:
    """What waits for review or capture is not knowledge yet; a folder of that name further down is an ordinary one."""
    for path in ("_Capture/a.md", "_Review/b.md", "AI/_Review/c.md"):
        write_note(path, "text")
    assert _paths(vault) == ["AI/_Review/c.md"]


def test_symbolic_links_are_not_followed(
    vault: Path, tmp_path: Path, write_note: Callable[[str, str | bytes], Path]
) -> None:
    """Neither a linked file, nor a linked folder outside, nor a loop leads anywhere."""
    write_note("real.md", "text")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret", encoding="utf-8")
    (vault / "linked.md").symlink_to(outside / "secret.md")
    (vault / "folder").symlink_to(outside)
    (vault / "loop").symlink_to(vault)
    assert _paths(vault) == ["real.md"]


def test_a_pipe_is_not_a_note(vault: Path) -> None:
    """A named pipe with the name of a note would block whoever reads it."""
    os.mkfifo(vault / "pipe.md")
    assert _paths(vault) == []


def test_exclude_wins_over_include(vault: Path, write_note: Callable[[str, str | bytes], Path]) -> None:
    """An excluded folder stays out even below an included one, and even if it is named in both."""
    for path in ("AI/a.md", "AI/Health/b.md", "Data/c.md", "Airy/d.md", "e.md"):
        write_note(path, "text")
    assert _paths(vault, include=("AI",), exclude=("AI/Health",)) == ["AI/a.md"]
    assert _paths(vault, include=("AI/Health",)) == ["AI/Health/b.md"]
    assert _paths(vault, include=("AI",), exclude=("AI",)) == []
    assert _paths(vault, exclude=("AI", "Data/c.md")) == ["Airy/d.md", "e.md"]


@pytest.mark.parametrize("written", ["AI/", "./AI", "/AI", "AI//Deep/.."])
def test_a_folder_may_be_written_in_several_ways(
    vault: Path, write_note: Callable[[str, str | bytes], Path], written: str
) -> None:
    """Slashes before and behind do not make another folder."""
    write_note("AI/a.md", "text")
    write_note("b.md", "text")
    assert _paths(vault, include=(written,)) == ["AI/a.md"]
    assert _paths(vault, exclude=(written,)) == ["b.md"]


def test_the_whole_vault_can_be_included(vault: Path, write_note: Callable[[str, str | bytes], Path]) -> None:
    """A dot means everything."""
    write_note("AI/a.md", "text")
    assert _paths(vault, include=(".",)) == ["AI/a.md"]


@pytest.mark.skipif(sys.platform == "darwin", reason="the file system keeps one form of a name")
def test_unicode_twins_are_one_note(vault: Path, write_note: Callable[[str, str | bytes], Path]) -> None:
    """Two names that differ in normalisation alone give one composed path; the other file is named."""
    composed = unicodedata.normalize("NFC", "Café/Übung.md")
    write_note(composed, "one")
    write_note(unicodedata.normalize("NFD", composed), "two")
    walk = walk_vault(vault, IndexSettings())
    assert list(walk.files) == [composed]
    assert [(problem.path, problem.indexed) for problem in walk.problems] == [(composed, False)]


def test_a_decomposed_name_is_stored_composed_and_can_be_excluded(
    vault: Path, write_note: Callable[[str, str | bytes], Path]
) -> None:
    """Whichever form the disk and the settings use, they mean the same folder."""
    decomposed = unicodedata.normalize("NFD", "Müll")
    write_note(f"{decomposed}/a.md", "text")
    (found,) = walk_vault(vault, IndexSettings()).files.values()
    assert found.stat.path == unicodedata.normalize("NFC", "Müll/a.md")
    assert os.path.exists(found.location)  # noqa: PTH110  the location is text on purpose
    assert _paths(vault, exclude=(decomposed,)) == _paths(vault, exclude=("Müll",)) == []


@pytest.mark.skipif(sys.platform == "darwin", reason="the file system refuses such names")
def test_a_name_that_is_not_utf8_is_a_named_problem(vault: Path) -> None:
    """A file or folder whose name has no text is reported in escapes, and the text of the report can be stored."""
    raw = os.fsencode(vault)
    os.mkdir(raw + b"/f\xff")  # noqa: PTH102  pathlib takes no bytes
    for name in (b"/caf\xe9.md", b"/f\xff/a.md"):
        with open(raw + name, "wb") as handle:  # noqa: PTH123  pathlib takes no bytes
            handle.write(b"text")
    walk = walk_vault(vault, IndexSettings())
    assert walk.files == {}
    assert sorted(problem.path for problem in walk.problems) == ["caf\\udce9.md", "f\\udcff/a.md"]
    assert not any(problem.indexed for problem in walk.problems)


def test_a_name_with_a_line_break_is_an_ordinary_name(
    vault: Path, write_note: Callable[[str, str | bytes], Path]
) -> None:
    """A line break is part of the path."""
    write_note("two\nlines.md", "text")
    assert _paths(vault) == ["two\nlines.md"]


def test_a_missing_vault_is_out_of_sight_not_empty(tmp_path: Path) -> None:
    """An unmounted folder is reported, and everything in it counts as not looked at."""
    walk = walk_vault(tmp_path / "nowhere", IndexSettings())
    assert walk.unreadable == [""]
    assert [(problem.path, problem.indexed) for problem in walk.problems] == [(".", False)]


def test_a_folder_that_cannot_be_listed_is_out_of_sight(
    vault: Path, write_note: Callable[[str, str | bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is named, its siblings are found all the same."""
    write_note("closed/a.md", "text")
    write_note("open/b.md", "text")
    real_scandir = os.scandir

    def refuse_one(location: str) -> object:
        if location.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real_scandir(location)

    # Permissions do not bind root, who may be running this, so the system call itself refuses.
    monkeypatch.setattr(os, "scandir", refuse_one)
    walk = walk_vault(vault, IndexSettings())
    assert list(walk.files) == ["open/b.md"]
    assert walk.unreadable == ["closed"]
    assert "Permission denied" in walk.problems[0].message


class _Entry:
    """A listed file that cannot be looked at."""

    def __init__(self, entry: os.DirEntry[str], error: OSError) -> None:
        self.name, self.path, self._entry, self._error = entry.name, entry.path, entry, error

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        """Answer from the listing."""
        return self._entry.is_dir(follow_symlinks=follow_symlinks)

    def is_file(self, *, follow_symlinks: bool) -> bool:
        """Answer from the listing."""
        return self._entry.is_file(follow_symlinks=follow_symlinks)

    def stat(self, *, follow_symlinks: bool) -> None:  # noqa: ARG002  called by this name
        """Fail as the system would."""
        raise self._error


@pytest.mark.parametrize(
    ("error", "out_of_sight"), [(FileNotFoundError(2, "gone"), []), (PermissionError(13, "refused"), ["a.md"])]
)
def test_a_file_that_cannot_be_looked_at_is_gone_or_out_of_sight(
    vault: Path,
    write_note: Callable[[str, str | bytes], Path],
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    out_of_sight: list[str],
) -> None:
    """A file deleted since the listing is no problem; one that is refused is named and does not count as deleted."""
    write_note("a.md", "text")
    with os.scandir(vault) as listing:
        entries = [_Entry(entry, error) for entry in listing]
    monkeypatch.setattr(os, "scandir", lambda _location: nullcontext(entries))
    walk = walk_vault(vault, IndexSettings())
    assert (walk.files, walk.unreadable) == ({}, out_of_sight)
    assert [problem.path for problem in walk.problems] == out_of_sight
