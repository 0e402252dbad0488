"""Atomic writing: the old file or the new one, whatever happens."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

import pytest

from config.atomic_write import create_folder, discard_leftover, temporary_path, write_text_atomically

if TYPE_CHECKING:
    from pathlib import Path


def contents(folder: Path) -> dict[str, str]:
    """Read every file of a folder."""
    return {path.name: path.read_bytes().decode() for path in folder.iterdir()}


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_new_file_has_the_bytes_it_was_given(overwrite: bool, tmp_path: Path) -> None:  # noqa: FBT001  a case
    """Line ends and non-ASCII text arrive unchanged, and no temporary file stays."""
    write_text_atomically(tmp_path / "a.md", "ä\r\nb\n", overwrite=overwrite)

    assert contents(tmp_path) == {"a.md": "ä\r\nb\n"}


def test_a_file_is_replaced(tmp_path: Path) -> None:
    """The new text stands alone, even where it is shorter."""
    write_text_atomically(tmp_path / "a.md", "long old text\n")
    write_text_atomically(tmp_path / "a.md", "new\n")

    assert contents(tmp_path) == {"a.md": "new\n"}


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    """A file that its owner alone may read does not become readable to all."""
    path = tmp_path / "feeds.yaml"
    path.write_text("secret\n", encoding="utf-8")
    path.chmod(0o600)

    write_text_atomically(path, "new\n")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("links", [0, errno.EPERM, errno.EOPNOTSUPP])
def test_an_existing_file_is_not_replaced_unless_wanted(
    links: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the file system has hard links or not, the file and its inode stay."""
    forbid_links(links, monkeypatch)
    (tmp_path / "a.md").write_text("old\n", encoding="utf-8")
    inode = (tmp_path / "a.md").stat().st_ino

    with pytest.raises(FileExistsError):
        write_text_atomically(tmp_path / "a.md", "new\n", overwrite=False)

    assert contents(tmp_path) == {"a.md": "old\n"}
    assert (tmp_path / "a.md").stat().st_ino == inode


@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_file_system_without_hard_links_is_written_all_the_same(
    code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAT and some network mounts refuse links; the file gets its name by a rename."""
    forbid_links(code, monkeypatch)

    write_text_atomically(tmp_path / "a.md", "new\n", overwrite=False)

    assert contents(tmp_path) == {"a.md": "new\n"}


def test_a_link_that_fails_for_another_reason_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is reported, not worked around."""
    forbid_links(errno.ENOSPC, monkeypatch)

    with pytest.raises(OSError, match="No space left"):
        write_text_atomically(tmp_path / "a.md", "new\n", overwrite=False)
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_dangling_link_counts_as_a_file_that_is_there(overwrite: bool, tmp_path: Path) -> None:  # noqa: FBT001  a case
    """It is refused or replaced itself; what it points to is never created."""
    (tmp_path / "a.md").symlink_to(tmp_path / "target")

    if overwrite:
        write_text_atomically(tmp_path / "a.md", "new\n")
        assert not (tmp_path / "a.md").is_symlink()
    else:
        with pytest.raises(FileExistsError):
            write_text_atomically(tmp_path / "a.md", "new\n", overwrite=False)
    assert not (tmp_path / "target").exists()


def test_what_a_killed_attempt_left_is_overwritten(tmp_path: Path) -> None:
    """The temporary file has the same hidden name at every attempt."""
    leftover = temporary_path(tmp_path / "a.md")
    leftover.write_text("half of a much longer text", encoding="utf-8")
    assert leftover.name.startswith(".")

    write_text_atomically(tmp_path / "a.md", "new\n")

    assert contents(tmp_path) == {"a.md": "new\n"}


def test_a_link_at_the_temporary_name_is_not_written_through(tmp_path: Path) -> None:
    """Somebody who knows the hidden name cannot make us overwrite a file elsewhere."""
    (tmp_path / "elsewhere").write_text("precious\n", encoding="utf-8")
    temporary_path(tmp_path / "a.md").symlink_to(tmp_path / "elsewhere")

    write_text_atomically(tmp_path / "a.md", "new\n")

    assert contents(tmp_path) == {"a.md": "new\n", "elsewhere": "precious\n"}


def test_the_temporary_name_is_short_for_the_longest_name(tmp_path: Path) -> None:
    """A file name of 255 bytes can be written although nothing can be appended to it."""
    write_text_atomically(tmp_path / ("n" * 255), "new\n", overwrite=False)

    assert contents(tmp_path) == {"n" * 255: "new\n"}


def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old bytes stay, and the half-written ones are gone."""
    path = tmp_path / "a.md"
    write_text_atomically(path, "old\n")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OSError, match="No space left"):
        write_text_atomically(path, "new\n")
    assert contents(tmp_path) == {"a.md": "old\n"}


def test_text_that_is_no_unicode_touches_nothing(tmp_path: Path) -> None:
    """A lone surrogate is refused before the disk is."""
    with pytest.raises(UnicodeEncodeError):
        write_text_atomically(tmp_path / "a.md", "\ud800")
    assert contents(tmp_path) == {}


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    """Folders are not created in passing."""
    with pytest.raises(FileNotFoundError):
        write_text_atomically(tmp_path / "no" / "a.md", "new\n")


def test_discarding_where_nothing_was_left_is_harmless(tmp_path: Path) -> None:
    """The file itself is not touched."""
    write_text_atomically(tmp_path / "a.md", "text\n")

    discard_leftover(tmp_path / "a.md")

    assert contents(tmp_path) == {"a.md": "text\n"}


def test_folders_are_created_with_their_parents(tmp_path: Path) -> None:
    """A second time is harmless; a file in the way is an error."""
    create_folder(tmp_path / "a/b/c")
    create_folder(tmp_path / "a/b/c")
    (tmp_path / "file").touch()

    assert (tmp_path / "a/b/c").is_dir()
    with pytest.raises(OSError, match=r"exists|Not a directory"):
        create_folder(tmp_path / "file")


def forbid_links(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the operating system answer as a file system without hard links does; 0 leaves it as it is."""

    def refuse(_source: Path, _target: Path) -> None:
        raise OSError(code, os.strerror(code))

    if code:
        monkeypatch.setattr(os, "link", refuse)
