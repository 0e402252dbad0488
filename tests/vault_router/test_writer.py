"""The writer: a free name inside the vault, and never a byte over another file."""

from __future__ import annotations

import errno
import os
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.atomic_write import temporary_path
from config.settings import RoutingSettings
from vault_router.errors import UnsafeNotePath, VaultNotWritable
from vault_router.notes import render_note
from vault_router.types import AlreadyThere, NameTaken, Written
from vault_router.writer import NoteWriter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from intake.types import ScoreCard, Signal, SignalId


def nobody(_path: str) -> SignalId | None:
    """Answer for a ledger that has given no path away."""
    return None


def test_a_note_is_written_into_a_new_folder(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]
) -> None:
    """Missing folders are created, the text arrives as it is, and nothing else is left behind."""
    signal = make_signal(title="A: b")
    path = writer.choose_path(signal, "Work/Web", nobody)

    assert path == "Work/Web/A - b.md"
    assert writer.write(path, "text ü\n", signal.id) == Written(path)
    assert (root / path).read_bytes() == "text ü\n".encode()
    assert [p.name for p in (root / "Work/Web").iterdir()] == ["A - b.md"]


def test_twins_are_numbered(writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]) -> None:
    """Notes of one title in one folder get 2, 3 and so on; another folder counts anew."""
    paths = []
    for number, folder in enumerate(["AI", "AI", "AI", "Web"]):
        signal = make_signal(number, title="Same")
        paths.append(writer.choose_path(signal, folder, nobody))
        assert isinstance(writer.write(paths[-1], f"{number}\n", signal.id), Written)

    assert paths == ["AI/Same.md", "AI/Same 2.md", "AI/Same 3.md", "Web/Same.md"]


@pytest.mark.parametrize("existing", ["README.md", "readme.md", "ReadMe.MD"])
def test_names_that_differ_in_case_alone_are_twins(
    existing: str, writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]
) -> None:
    """A vault that is synced to macOS or Windows must not hold two such files."""
    (root / "AI").mkdir()
    (root / "AI" / existing).write_text("mine\n", encoding="utf-8")

    assert writer.choose_path(make_signal(title="Readme"), "AI", nobody) == "AI/Readme 2.md"


def test_names_that_differ_in_composition_alone_are_twins(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]
) -> None:
    """A file that macOS stored decomposed takes the composed name too."""
    (root / "AI").mkdir()
    (root / "AI" / unicodedata.normalize("NFD", "Köln.md")).write_text("mine\n", encoding="utf-8")

    assert writer.choose_path(make_signal(title="Köln"), "AI", nobody) == "AI/Köln 2.md"


def test_a_name_promised_to_another_signal_is_not_free(writer: NoteWriter, make_signal: Callable[..., Signal]) -> None:
    """The ledger's word counts before the file is there; one's own promise is no obstacle."""
    signal, other = make_signal(1, title="Same"), make_signal(2)
    promised = {"AI/Same.md": other.id, "AI/Same 2.md": signal.id}

    assert writer.choose_path(signal, "AI", promised.get) == "AI/Same 2.md"


def test_the_note_of_a_crashed_attempt_is_adopted(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """A file with the signal's own id is its note, under whatever case it lies there, and is not written again."""
    signal = make_signal(title="Found")
    text = render_note(signal, make_card(), "ai")
    (root / "AI").mkdir()
    (root / "AI/FOUND.md").write_text(text + "my own words\n", encoding="utf-8")

    path = writer.choose_path(signal, "AI", nobody)

    assert path == "AI/FOUND.md"
    assert writer.write(path, text, signal.id) == AlreadyThere(path)
    assert (root / path).read_text(encoding="utf-8").endswith("my own words\n")


@pytest.mark.parametrize("kind", ["note", "empty", "folder", "dangling link", "link outside"])
def test_a_name_that_something_else_has_is_refused(
    kind: str, writer: NoteWriter, root: Path, tmp_path: Path, make_signal: Callable[..., Signal]
) -> None:
    """Whatever appeared at the path after it was chosen stays untouched, and the next choice avoids it."""
    signal = make_signal(title="Taken")
    path = writer.choose_path(signal, "AI", nobody)
    (root / "AI").mkdir()
    target, outside = root / path, tmp_path / "outside.md"
    outside.write_text("outside\n", encoding="utf-8")
    match kind:
        case "note":
            target.write_text("mine\n", encoding="utf-8")
        case "empty":
            target.touch()
        case "folder":
            target.mkdir()
        case "dangling link":
            target.symlink_to(root / "nowhere")
        case _:
            target.symlink_to(outside)
    before = os.lstat(target)

    assert writer.write(path, "text\n", signal.id) == NameTaken(path)
    assert (os.lstat(target).st_ino, os.lstat(target).st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert outside.read_text(encoding="utf-8") == "outside\n"
    assert [entry.name for entry in (root / "AI").iterdir()] == ["Taken.md"]
    assert writer.choose_path(signal, "AI", nobody) == "AI/Taken 2.md"


@pytest.mark.parametrize("path", ["../x.md", "AI/../../x.md", "/etc/x.md", "", "AI/\0.md"])
def test_a_path_that_leaves_the_vault_is_refused(
    path: str, writer: NoteWriter, make_signal: Callable[..., Signal]
) -> None:
    """Parent folders, absolute paths and NUL never reach the file system."""
    with pytest.raises(UnsafeNotePath, match="lies outside the vault"):
        writer.write(path, "text\n", make_signal().id)


@pytest.mark.parametrize("folder", ["AI", "AI/Deep"])
def test_a_folder_that_is_a_link_out_of_the_vault_is_refused(
    folder: str, writer: NoteWriter, root: Path, tmp_path: Path, make_signal: Callable[..., Signal]
) -> None:
    """Neither choosing nor writing follows it, and nothing is created on the other side."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "AI").symlink_to(outside)

    with pytest.raises(UnsafeNotePath):
        writer.choose_path(make_signal(), folder, nobody)
    with pytest.raises(UnsafeNotePath):
        writer.write(f"{folder}/x.md", "text\n", make_signal().id)
    assert list(outside.iterdir()) == []


def test_links_within_the_vault_are_followed(tmp_path: Path, root: Path, make_signal: Callable[..., Signal]) -> None:
    """A folder may be a link to another folder of the vault, and the vault itself may be reached by a link."""
    (root / "Real").mkdir()
    (root / "AI").symlink_to("Real")
    (tmp_path / "alias").symlink_to(root)
    writer = NoteWriter(tmp_path / "alias", RoutingSettings())

    assert writer.write("AI/x.md", "text\n", make_signal().id) == Written("AI/x.md")
    assert (root / "Real/x.md").read_text(encoding="utf-8") == "text\n"


def test_a_file_in_the_place_of_a_folder_is_named(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]
) -> None:
    """The vault refuses the note, with the system's own error as cause."""
    (root / "AI").write_text("a file\n", encoding="utf-8")

    with pytest.raises(VaultNotWritable, match="the vault refuses the note") as caught:
        writer.write("AI/x.md", "text\n", make_signal().id)
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(VaultNotWritable, match="cannot be listed"):
        writer.choose_path(make_signal(), "AI", nobody)


def test_a_loop_of_links_is_named(writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]) -> None:
    """Two links that point at each other are an unwritable folder, not a crash."""
    (root / "AI").symlink_to("Loop")
    (root / "Loop").symlink_to("AI")

    with pytest.raises(VaultNotWritable):
        writer.write("AI/x.md", "text\n", make_signal().id)
    with pytest.raises(VaultNotWritable):
        writer.choose_path(make_signal(), "AI", nobody)


def test_a_vault_that_is_gone_is_not_created_anew(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal]
) -> None:
    """A drive that is not mounted must not be filled at its mount point."""
    root.rmdir()

    with pytest.raises(VaultNotWritable, match="the vault is not there"):
        writer.write("AI/x.md", "text\n", make_signal().id)
    assert not root.exists()


def test_a_full_disk_leaves_nothing_behind(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk refuses, neither a note nor a temporary file is left."""

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(VaultNotWritable, match="No space left on device"):
        writer.write("x.md", "text\n", make_signal().id)
    assert list(root.iterdir()) == []


def test_a_file_that_appears_at_the_last_moment_wins(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program that takes the name while our bytes go to the disk keeps it, and its bytes."""
    real_fsync = os.fsync

    def overtaken(descriptor: int) -> None:
        (root / "x.md").write_text("mine\n", encoding="utf-8")
        real_fsync(descriptor)

    monkeypatch.setattr(os, "fsync", overtaken)

    assert writer.write("x.md", "text\n", make_signal().id) == NameTaken("x.md")
    assert [(path.name, path.read_text(encoding="utf-8")) for path in root.iterdir()] == [("x.md", "mine\n")]


def test_what_a_killed_attempt_left_is_removed(
    writer: NoteWriter, root: Path, make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """A temporary file that outlived its attempt goes with the next one, whether the note was there or not."""
    signal = make_signal()
    text = render_note(signal, make_card(), "ai")
    for expected in (Written("x.md"), AlreadyThere("x.md")):
        temporary_path(root / "x.md").write_text("half", encoding="utf-8")

        assert writer.write("x.md", text, signal.id) == expected
        assert [path.name for path in root.iterdir()] == ["x.md"]


@settings(max_examples=25)  # each example writes to the disk
@given(titles=st.lists(st.text(max_size=30), min_size=1, max_size=8))
def test_every_title_has_a_place_of_its_own(
    titles: list[str], tmp_path_factory: pytest.TempPathFactory, make_signal: Callable[..., Signal]
) -> None:
    """Notes of any titles lie side by side in their folder, as many as there are titles."""
    root = tmp_path_factory.mktemp("vault")
    writer = NoteWriter(root, RoutingSettings(max_name_bytes=40))
    for number, title in enumerate(titles):
        signal = make_signal(number, title=title)
        path = writer.choose_path(signal, "AI", nobody)
        assert writer.write(path, f"{number}\n", signal.id) == Written(path)

    texts = sorted(path.read_text(encoding="utf-8") for path in root.rglob("*") if path.is_file())
    assert texts == sorted(f"{number}\n" for number in range(len(titles)))
    assert {path.parent.name for path in root.rglob("*.md")} == {"AI"}
