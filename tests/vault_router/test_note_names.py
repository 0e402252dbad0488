"""File names: readable where the title is, safe always."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vault_router.note_names import folded, note_name, numbered

if TYPE_CHECKING:
    from pathlib import Path

FORBIDDEN = set('*"\\/<>:|?[]#^')
HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from('*"\\/<>:|?[]#^.- \t\n\0\u200b\u200d\u202e\ufeff\u0301\u3164\U000e0041ßäÉ🚀'),
    ),
    max_size=120,
)
DEVICE_TITLES = st.builds(
    "{}{}".format,
    st.sampled_from(["con", "NUL", "Com1", "LPT¹", "aux", "CONIN$"]),
    st.sampled_from(["", ".txt", " .x", ".", ":"]),
)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Plain title", "Plain title"),
        ("Rust 2.0: what is new?", "Rust 2.0 - what is new"),
        ("At 12:30 std::vector", "At 12-30 std-vector"),
        ("[Show HN] a/b testing | part 1", "(Show HN) a-b testing - part 1"),
        ('He said "no"', "He said 'no'"),
        ("a <b> *c* #d ^e", "a b c d e"),
        ("  many \t spaces \n here ", "many spaces here"),
        ("Wait...", "Wait"),
        (".hidden", "hidden"),
        ("--force", "force"),
        ("Launch 🚀 day", "Launch 🚀 day"),
        ("Grüße aus Köln", "Grüße aus Köln"),
        ("日本語の題名", "日本語の題名"),
        ("abc\u202egnp.exe", "abcgnp.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("nul\0byte", "nulbyte"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", "Untitled"),
        ("", "Untitled"),
        ("???", "Untitled"),
        ("\u200b\u3164", "Untitled"),
        ("\u0301accent alone", "accent alone"),
        ("con", "con_"),
        ("NUL.txt", "NUL_.txt"),
        ("com¹", "com¹_"),
        ("Console", "Console"),
    ],
)
def test_a_title_becomes_a_readable_name(title: str, expected: str) -> None:
    """Forbidden characters give way to the nearest harmless ones, invisible ones vanish."""
    assert note_name(title, max_bytes=200) == expected


def test_a_decomposed_title_is_composed() -> None:
    """The same title in NFD and NFC gives the same name."""
    assert note_name("Ko\u0308ln", max_bytes=200) == "K\u00f6ln"


def test_a_long_title_is_cut_at_a_word() -> None:
    """A title of 5,000 characters ends with a whole word, close below the limit."""
    name = note_name("lorem ipsum " * 417, max_bytes=200)

    assert name.split(" ")[-1] in {"lorem", "ipsum"}
    assert 180 < len(name.encode()) <= 194


def test_a_long_title_without_spaces_is_cut_between_characters() -> None:
    """A cut never splits a character of several bytes."""
    assert note_name("題" * 5000, max_bytes=100) == "題" * 31


def test_a_number_goes_behind_the_name() -> None:
    """The first has no number; the twins count from two."""
    assert [numbered("Name", n, max_bytes=200) for n in (1, 2, 30)] == ["Name", "Name 2", "Name 30"]


@pytest.mark.parametrize("pair", [("README", "readme"), ("STRASSE", "straße"), ("Köln", "Ko\u0308ln")])
def test_names_that_some_systems_confuse_fold_to_one(pair: tuple[str, str]) -> None:
    """Case and normalisation make no difference."""
    assert folded(pair[0]) == folded(pair[1])


@given(title=st.one_of(HOSTILE, DEVICE_TITLES), max_bytes=st.integers(40, 240), n=st.integers(1, 100_000))
@example(title="con.txt", max_bytes=40, n=7)
@example(title="a" * 33 + " " + "b" * 300, max_bytes=40, n=2)
@example(title="." * 100 + "\u202e/" * 50, max_bytes=40, n=1)
def test_every_name_is_one_safe_component(title: str, max_bytes: int, n: int) -> None:
    """Whatever the title, the file name is visible, portable and within the limit, numbered or not."""
    name = numbered(note_name(title, max_bytes=max_bytes), n, max_bytes=max_bytes) + ".md"

    assert len(name.encode()) <= max_bytes
    assert not FORBIDDEN & set(name)
    assert name == unicodedata.normalize("NFC", name)
    assert all(unicodedata.category(c)[0] != "C" and (c == " " or not c.isspace()) for c in name)
    assert name[0] not in ".- "
    assert "  " not in name
    assert PurePosixPath(name).parts == (name,)
    assert PureWindowsPath(name).parts == (name,)
    assert not PureWindowsPath(name).is_reserved()
    stem = name.removesuffix(".md")
    assert stem
    assert stem == stem.rstrip(". ")


@given(title=st.one_of(HOSTILE, DEVICE_TITLES), max_bytes=st.integers(40, 240))
def test_naming_a_name_changes_nothing(title: str, max_bytes: int) -> None:
    """A stem that was made from a title is its own stem."""
    name = note_name(title, max_bytes=max_bytes)

    assert note_name(name, max_bytes=max_bytes) == name


def test_this_system_accepts_the_names(tmp_path: Path) -> None:
    """Files of the most hostile names can be made, and come back under the same names."""
    titles = ["..", "\0", "a/b", "🚀" * 300, "con", "x" * 5000, "\u202e" * 9, "ends. . .", "e\u0301" * 300]
    names = {f"{note_name(title, max_bytes=240)} {number}.md" for number, title in enumerate(titles)}
    for name in names:
        (tmp_path / name).touch()

    assert {unicodedata.normalize("NFC", path.name) for path in tmp_path.iterdir()} == names
