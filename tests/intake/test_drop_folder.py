"""The drop folder."""

from __future__ import annotations

import plistlib
from email.message import EmailMessage
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from intake.sources.drop_folder import MAX_FILE_BYTES, DroppedFile, read_drop_folder
from intake.sources.mail import read_mail
from intake.types import Problem, RawEntry

if TYPE_CHECKING:
    from pathlib import Path


def entries(folder: Path) -> dict[str, RawEntry]:
    """Read the folder; nothing in it may be a problem."""
    found = list(read_drop_folder(folder))
    assert all(isinstance(item, DroppedFile) for item in found), found
    return {item.path.name: item.entry for item in found if isinstance(item, DroppedFile)}


def test_every_known_kind_of_file_is_read(tmp_path: Path) -> None:
    """Notes, texts, pages, two sorts of link files and mails become entries; the files stay."""
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = "Weekly", "Ann <ann@example.org>", "Mon, 01 Jun 2026 10:00:00 +0200"
    mail.set_content("plain words")
    mail.add_alternative("<p>rich words</p>", subtype="html")
    contents = {
        "a.md": b"# My heading\n\nSome *text*.",
        "b.txt": "Größe zählt".encode(),
        "c.html": b"<html><head><title>Page</title></head><body><p>body text</p></body></html>",
        "d.url": b"[InternetShortcut]\r\nURL=https://example.org/d\r\n",
        "e.webloc": plistlib.dumps({"URL": "https://example.org/e"}),
        "f.eml": mail.as_bytes(),
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    found = entries(tmp_path)
    assert (found["a.md"].title, found["a.md"].text) == ("My heading", "Some *text*.")
    assert (found["b.txt"].title, found["b.txt"].text) == ("b", "Größe zählt")
    assert found["c.html"].title == "Page"
    assert "body text" in found["c.html"].html
    assert (found["d.url"].link, found["e.webloc"].link) == ("https://example.org/d", "https://example.org/e")
    assert (found["f.eml"].title, found["f.eml"].author) == ("Weekly", "Ann")
    assert "rich words" in found["f.eml"].html
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == contents


def test_equal_bytes_are_one_capture(tmp_path: Path) -> None:
    """A file that was copied or renamed has the same identity."""
    (tmp_path / "a.txt").write_text("same", encoding="utf-8")
    (tmp_path / "b.txt").write_text("same", encoding="utf-8")
    first, second = (item.identity for item in read_drop_folder(tmp_path) if isinstance(item, DroppedFile))
    assert first == second


def test_what_cannot_be_taken_in_is_named(tmp_path: Path) -> None:
    """Links, large, empty and unknown files are problems; hidden and unfinished ones are left alone."""
    (tmp_path / "secret").write_text("outside", encoding="utf-8")
    folder = tmp_path / "drop"
    folder.mkdir()
    (folder / "link.txt").symlink_to(tmp_path / "secret")
    (folder / "big.txt").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
    (folder / "empty.md").touch()
    (folder / "image.png").write_bytes(b"\x89PNG")
    (folder / "broken.webloc").write_bytes(b"<plist")
    for ignored in (".hidden.md", "half.part", "half.md.tmp"):
        (folder / ignored).write_text("x", encoding="utf-8")
    (folder / "subfolder").mkdir()
    found = list(read_drop_folder(folder))
    assert all(isinstance(item, Problem) for item in found)
    named = {item.subject.rsplit("/", 1)[1] for item in found if isinstance(item, Problem)}
    assert named == {"link.txt", "big.txt", "empty.md", "image.png", "broken.webloc"}


def test_a_missing_folder_is_a_problem_and_no_exception(tmp_path: Path) -> None:
    """The folder may vanish between two looks."""
    assert [type(item) for item in read_drop_folder(tmp_path / "gone")] == [Problem]


def test_the_text_of_a_stranger_is_not_taken_for_markdown() -> None:
    """A plain mail becomes escaped HTML, which is cleaned like a feed's."""
    found = read_mail(b"Subject: S\n\n<script>x</script>\n\n[[link]]")
    assert isinstance(found, RawEntry)
    assert found.text == ""
    assert "&lt;script&gt;" in found.html


@given(st.binary(max_size=500))
def test_no_mail_raises(data: bytes) -> None:
    """Whatever the bytes, the answer is an entry or a reason."""
    for prefix in (b"", b"Subject: =?x?b?", b"Content-Type: text/html; charset=nonsense\n\n", b"Date: "):
        assert isinstance(read_mail(prefix + data), RawEntry | str)
