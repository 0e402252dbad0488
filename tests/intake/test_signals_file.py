"""Reading signals from JSON lines and from a note."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.errors import MalformedSignal
from intake.evaluation import Labels
from intake.signals_file import read_note_signal, read_signals

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LABELS = {"worth": 2.0, "relevance": 3, "actionability": 0.5, "depth": 1, "authority": 2, "domain": "web"}
ROW = {
    "id": "first", "feed_title": "A blog", "feed_link": "https://blog.example/", "title": "Two &amp; three",
    "link": "/post?utm_source=feed", "author": "Ada Example", "published": "Sat, 09 Aug 2025 10:00:00 +0000",
    "tags": ["css"], "html": "<p>Some <b>bold</b> text.</p>", "labels": LABELS,
}  # fmt: skip


def test_a_line_becomes_a_cleaned_signal_with_its_labels() -> None:
    """The entry goes through the same cleaning as one from a feed."""
    (item,) = read_signals([json.dumps(ROW)], now=NOW)
    signal = item.signal
    assert item.name == "first"
    assert signal.title == "Two & three"
    assert signal.url == "https://blog.example/post"
    assert signal.published == datetime(2025, 8, 9, 10, tzinfo=UTC)
    assert (signal.author, signal.tags, signal.body) == ("Ada Example", ("css",), "Some **bold** text.\n")
    assert (signal.source.title, signal.source.link) == ("A blog", "https://blog.example/")
    assert item.labels == Labels(2.0, 3.0, 0.5, 1.0, 2.0, ("web",))


def test_labels_may_be_missing_or_name_several_domains() -> None:
    """Unlabelled lines are signals too."""
    lines = [json.dumps({**ROW, "labels": None}), json.dumps({**ROW, "labels": {**LABELS, "domain": ["web", "none"]}})]
    bare, several = read_signals(lines, now=NOW)
    assert bare.labels is None
    assert several.labels is not None
    assert several.labels.domains == ("web", "none")


def test_blank_lines_are_skipped_and_ids_are_stable() -> None:
    """The same entry has the same id in every file, and without a name it goes by it."""
    row = {key: value for key, value in ROW.items() if key != "id"}
    items = list(read_signals(["", json.dumps(row), "  \n", f"{json.dumps(row)}\n"], now=NOW))
    assert len(items) == 2
    assert items[0].signal.id == items[1].signal.id == items[0].name


def test_an_empty_object_is_a_signal_without_anything() -> None:
    """Every key may be missing."""
    (item,) = read_signals(["{}"], now=NOW)
    assert item.signal.title
    assert item.signal.date_guessed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "expected a JSON object, found list"),
        ('{"title": 7}', "title must be a text, found int"),
        ('{"tags": "a"}', "tags must be a list of texts"),
        ('{"tags": [1]}', "tags must be a list of texts"),
        ('{"labels": 3}', "labels must be an object"),
        (json.dumps({"labels": {**LABELS, "worth": 4}}), "labels.worth is 4"),
        (json.dumps({"labels": {**LABELS, "depth": None}}), "labels.depth is None"),
        (json.dumps({"labels": {**LABELS, "depth": True}}), "labels.depth is True"),
        (json.dumps({"labels": {**LABELS, "depth": float("nan")}}), "labels.depth is nan"),
        (json.dumps({"labels": {**LABELS, "domain": []}}), "labels.domain must be"),
    ],
)
def test_what_is_no_signal_is_named_with_its_line(line: str, message: str) -> None:
    """The person who wrote the file learns where to look."""
    with pytest.raises(MalformedSignal, match=r"^line 2") as caught:
        list(read_signals([json.dumps(ROW), line], now=NOW))
    assert message in str(caught.value)


NOTE = """---
title: Cold starts
url: https://example.org/cold?utm_medium=x
author: Ada
published: 2024-05-06
tags: [cloud, "#latency"]
---
# Another heading

Functions start **slowly**.
"""


def test_a_note_gives_its_properties_and_its_text() -> None:
    """Frontmatter describes the signal and is no part of the text."""
    signal = read_note_signal(NOTE, name="cold-starts", now=NOW)
    assert (signal.title, signal.url, signal.author) == ("Cold starts", "https://example.org/cold", "Ada")
    assert signal.published == datetime(2024, 5, 6, tzinfo=UTC)
    assert signal.tags == ("cloud", "latency")
    assert "Functions start **slowly**." in signal.body
    assert "Cold starts" not in signal.body


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# From the heading\n\ntext\n", "From the heading"),
        ("plain text\n", "my note"),
        ("", "my note"),
        ("---\ntitle: [broken\n---\ntext\n", "my note"),
        ("---\n- a list\n---\ntext\n", "my note"),
        ("---\ntitle: {a: b}\n---\ntext\n", "my note"),
        ("---\r\ntitle: Windows\r\n---\r\ntext\r\n", "Windows"),
        ("\ufeff---\ntitle: Marked\n---\ntext\n", "Marked"),
        ("---\ntitle: never closed\n\ntext\n", "my note"),
    ],
)
def test_a_note_always_has_a_title(text: str, title: str) -> None:
    """Broken, foreign and missing frontmatter falls back to the heading and the file's name."""
    assert read_note_signal(text, name="my note", now=NOW).title == title


def test_tags_of_older_notes_are_split() -> None:
    """Tags separated by commas or spaces are several tags."""
    signal = read_note_signal("---\ntags: a, b c\n---\nx\n", name="n", now=NOW)
    assert signal.tags == ("a", "b", "c")


def test_an_address_that_is_none_is_left_out() -> None:
    """A local path or a script in `url` is no address of a page."""
    for url in ("javascript:alert(1)", "../a.md", "file:///etc/passwd"):
        assert read_note_signal(f"---\nurl: '{url}'\n---\nx\n", name="n", now=NOW).url == ""


@given(st.text(alphabet=st.sampled_from("---\n:[]{}&*!ab \x00\t#'\""), max_size=120))
def test_any_text_is_a_note(text: str) -> None:
    """No frontmatter raises, not even a hostile one."""
    assert read_note_signal(f"---\n{text}\n---\nbody\n", name="n", now=NOW).title
