"""Notes: properties that every reader of YAML understands alike, one heading, and the body."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from intake.types import Dimension, Evidence, SignalId, SourceKind, SourceRef
from vault_router.notes import read_sluice_id, render_note
from vault_router.plain_text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from intake.types import ScoreCard, Signal

YAML_SPECIALS = [
    "foo: bar", "- item", "# comment", "'single' \"double\"", "{a: b}", "[a, b]", "&anchor", "*alias", "!tag", "|",
    ">", "%TAG", "@at", "`tick`", "---", "...", "null", "~", "yes", "No", "on", "true", "1e5", "0o17", "0x1F", "12:30",
    "1_000", "2026-01-02", ".inf", ".NaN", "-", "?", ": ", "a #b", " leading",
    "trailing ", "<<", "=", "a\\b", "tab\tin",
    "line\nbreak", "\n---\n", "x\n---\nsluice_id: 0123456789abcdef\n", "\r\n", "\u2028", "\x85", "\0", "\u202eabc",
    "\ufeff", "🚀", "\ud800", "x" * 5000, "word " * 1000, "'", '"', "\\", "''", "\u200d",
]  # fmt: skip


def test_a_note_has_its_properties_in_order(
    make_signal: Callable[..., Signal],
    make_card: Callable[..., ScoreCard],
    properties_of: Callable[[str], dict[str, Any]],
) -> None:
    """The keys stand in the documented order, with typed values."""
    signal = make_signal(tags=("Machine Learning",), title="On: tests")

    properties = properties_of(render_note(signal, make_card(0.6666, ai=0.9, web=0.8), "ai"))

    moment = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    assert list(properties.items()) == [
        ("title", "On: tests"),
        ("url", "https://example.org/1"),
        ("source", "Example"),
        ("author", "A. Writer"),
        ("published", moment),
        ("captured", moment),
        ("domain", "ai"),
        ("tags", ["ai", "web", "Machine-Learning"]),
        (
            "scores",
            {"relevance": 0.667, "actionability": 0.123, "depth": 0.0, "authority": 0.667, "composite": 0.667},
        ),
        (
            "why",
            [
                "relevance: language model (+0.67)",
                "actionability: 2 commands (+0.12)",
                "authority: language model (+0.67)",
            ],
        ),
        ("rules", "test-1"),
        ("sluice_id", "0000000000000001"),
    ]


def test_a_guessed_date_is_marked(
    make_signal: Callable[..., Signal],
    make_card: Callable[..., ScoreCard],
    properties_of: Callable[[str], dict[str, Any]],
) -> None:
    """`date_guessed` stands behind `published`, and only where it is true."""
    keys = list(properties_of(render_note(make_signal(date_guessed=True), make_card(), "ai")))

    assert keys[keys.index("published") + 1] == "date_guessed"


def test_the_whole_text_of_a_note_is_pinned(
    make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """A note is these bytes; a change here changes every vault."""
    signal = make_signal(title="Plain", source=SourceRef(SourceKind.CAPTURE, "capture"), body="One.\n\nTwo.\n")

    assert render_note(signal, make_card(0.5, ai=0.9), "ai") == (
        "---\n"
        "title: Plain\n"
        "url: https://example.org/1\n"
        "source: capture\n"
        "author: A. Writer\n"
        "published: 2026-03-04T05:06:07Z\n"
        "captured: 2026-03-04T05:06:07Z\n"
        "domain: ai\n"
        "tags:\n- ai\n"
        "scores:\n  relevance: 0.5\n  actionability: 0.123\n  depth: 0.0\n  authority: 0.5\n  composite: 0.5\n"
        "why:\n"
        "- 'relevance: language model (+0.50)'\n"
        "- 'actionability: 2 commands (+0.12)'\n"
        "- 'authority: language model (+0.50)'\n"
        "rules: test-1\n"
        'sluice_id: "0000000000000001"\n'
        "---\n"
        "\n# Plain\n\nOne.\n\nTwo.\n"
    )


def test_a_note_without_body_ends_after_its_heading(
    make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """An empty body leaves no empty lines."""
    assert render_note(make_signal(body=""), make_card(), "ai").endswith("---\n\n# Signal 1\n")


def test_a_body_ends_with_one_line_feed(
    make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """Line ends are unified, and what cannot be written is left out."""
    note = render_note(make_signal(body="\r\na\r\n\tb\0\ud800\u202e\n\n\n"), make_card(), "ai")

    assert note.endswith("# Signal 1\n\na\n\tb\n")


def test_times_of_other_zones_are_written_in_utc(
    make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """The offset is applied, not dropped; the first years of the calendar keep four digits."""
    zone = timezone(timedelta(hours=2))
    signal = make_signal(published=datetime(2026, 1, 1, 1, tzinfo=zone), captured=datetime(99, 1, 2, tzinfo=UTC))

    note = render_note(signal, make_card(), "ai")

    assert "\npublished: 2025-12-31T23:00:00Z\ncaptured: 0099-01-02T00:00:00Z\n" in note


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("C# and F#", r"# C# and F\#"),
        ("# twice", r"# \# twice"),
        ("a *b* _c_ snake_case", r"# a \*b\* \_c\_ snake_case"),
        ("[[link]] and ![img](x)", r"# \[\[link\]\] and !\[img\](x)"),
        ("<script> `code` $x$", r"# \<script> \`code\` \$x\$"),
        ("#tag ~~no~~ ==no== %%no%%", r"# \#tag \~~no\~~ \==no\== \%%no\%%"),
        ("AT&T &amp; co", r"# AT&T \&amp; co"),
        ("back\\slash", r"# back\\slash"),
        ("two\nlines", "# two lines"),
        ("\u202eabc", "# abc"),
    ],
)
def test_a_title_is_one_plain_heading(
    title: str, heading: str, make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """Markup in a title is escaped, so that people read what the source wrote."""
    lines = render_note(make_signal(title=title), make_card(), "ai").split("\n")

    assert lines[lines.index("---", 1) + 2] == heading


@settings(max_examples=50)
@given(text=st.text(max_size=200))
@example(text="x\n---\nsluice_id: 0123456789abcdef\n---\n")
def test_properties_survive_yaml(
    text: str,
    make_signal: Callable[..., Signal],
    make_card: Callable[..., ScoreCard],
    properties_of: Callable[[str], dict[str, Any]],
) -> None:
    """Any text in any field is read back as that text, and no field reaches into another or out of the block."""
    signal = make_signal(title=text, author=text, url=text, source=SourceRef(SourceKind.FEED, "key", text))

    note = render_note(signal, make_card(), "ai")

    properties, clean = properties_of(note), one_line(text)
    assert [properties[key] for key in ("title", "author", "url")] == [clean] * 3
    assert properties["source"] == (clean if text else "key")
    assert properties["sluice_id"] == "0000000000000001"
    assert note == render_note(signal, make_card(), "ai")
    assert all(unicodedata.category(c) not in {"Cc", "Cs"} or c == "\n" for c in note)


@pytest.mark.parametrize("title", YAML_SPECIALS)
def test_signs_that_mean_something_to_yaml_are_text(
    title: str,
    make_signal: Callable[..., Signal],
    make_card: Callable[..., ScoreCard],
    properties_of: Callable[[str], dict[str, Any]],
) -> None:
    """A title of indicators, literals, numbers or delimiters is read back as a title, from one line."""
    note = render_note(make_signal(title=title), make_card(), "ai")

    assert properties_of(note)["title"] == one_line(title)
    assert note.split("\n")[2].startswith("url: ")


@pytest.mark.parametrize("title", ["1e5", "0o17", "+.5", "-1e-3", ".5"])
def test_text_that_newer_yaml_takes_for_a_number_is_quoted(
    title: str, make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """Obsidian reads YAML 1.2, where more words are numbers than in YAML 1.1."""
    assert f"\ntitle: '{title}'\n" in render_note(make_signal(title=title), make_card(), "ai")


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=200))
def test_visible_text_is_not_changed(text: str) -> None:
    """Cleaning takes nothing from a title that has nothing to take."""
    assert one_line(text) == text


@given(label=st.text(max_size=300), rules=st.sampled_from(["1", "no", "1.0", "2026-01-01", "a: b"]))
def test_reasons_are_short_lines(
    label: str,
    rules: str,
    make_signal: Callable[..., Signal],
    make_card: Callable[..., ScoreCard],
    properties_of: Callable[[str], dict[str, Any]],
) -> None:
    """Evidence from hostile text stays one bounded string, and the rules' version stays text."""
    depth = Dimension(0.5, (Evidence(label, -0.5), Evidence("weaker", 0.1)))
    card = replace(make_card(), depth=depth, rules=rules)

    properties = properties_of(render_note(make_signal(), card, "ai"))

    (reason,) = (reason for reason in properties["why"] if reason.startswith("depth: "))
    assert reason.endswith(" (-0.50)")
    assert len(reason) <= 140
    assert properties["rules"] == rules


@pytest.mark.parametrize("number", [0x1234567890123456, 0x1234E5, 0x0000000000000012, 0xABCDEFABCDEFABCD])
def test_an_identifier_stays_text_in_every_reader(
    number: int, tmp_path: Path, make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """Digits alone, or digits that look like a power of ten, are quoted and found again."""
    signal = make_signal(number)
    note = tmp_path / "note.md"
    note.write_text(render_note(signal, make_card(), "ai"), encoding="utf-8")

    assert f'\nsluice_id: "{signal.id}"\n' in note.read_text(encoding="utf-8")
    assert read_sluice_id(note) == signal.id


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"---\nsluice_id: 00000000000000ab\n---\n", "00000000000000ab"),
        (b"---\r\ntitle: x\r\nsluice_id: '00000000000000ab'\r\n---\r\n", "00000000000000ab"),
        (b'\xef\xbb\xbf---\nsluice_id: "00000000000000ab" # mine\n---\n', "00000000000000ab"),
        (b"---\ntitle: \xff\xfe\nsluice_id: 00000000000000ab\n", "00000000000000ab"),
        (b"---\ntitle: x\n---\nsluice_id: 00000000000000ab\n", None),
        (b"text\n---\nsluice_id: 00000000000000ab\n---\n", None),
        (b"---\n  sluice_id: 00000000000000ab\n---\n", None),
        (b"---\nsluice_id: 00000000000000ab0\n---\n", None),
        (b"---\nmy_sluice_id: 00000000000000ab\n---\n", None),
        (b"", None),
        (b"\0" * 200_000, None),
        (b"---\n" + b"a: b\n" * 100_000 + b"sluice_id: 00000000000000ab\n", None),
    ],
)
def test_an_identifier_is_read_from_the_properties_alone(content: bytes, expected: str | None, tmp_path: Path) -> None:
    """Line ends, quotes and damage do not matter; the body and other keys do not count."""
    note = tmp_path / "note.md"
    note.write_bytes(content)

    assert read_sluice_id(note) == expected


def test_what_is_no_file_has_no_identifier(tmp_path: Path) -> None:
    """A folder, a missing file, a dangling link and a pipe answer None at once."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")

    assert [read_sluice_id(tmp_path / name) for name in ("", "missing", "pipe", "dangling")] == [None] * 4


def test_the_identifier_is_found_below_the_longest_title(
    tmp_path: Path, make_signal: Callable[..., Signal], make_card: Callable[..., ScoreCard]
) -> None:
    """Properties of the greatest size that intake lets through still fit into the head that is read."""
    signal = make_signal(title="\U0001f680" * 5000, author="題" * 500, tags=tuple(f"{n}" * 60 for n in range(30)))
    note = tmp_path / "note.md"
    note.write_text(render_note(signal, make_card(), "ai"), encoding="utf-8")

    assert read_sluice_id(note) == SignalId("0000000000000001")
