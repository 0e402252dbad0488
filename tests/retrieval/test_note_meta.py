"""What a note says about itself, in all the forms people write it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.markdown.frontmatter import parse_frontmatter
from retrieval.markdown.note_meta import MAX_TITLE_CHARS, read_meta
from retrieval.types import Frontmatter, NoteMeta


def _meta(text: str, path: str = "folder/My note.md") -> NoteMeta:
    return read_meta(parse_frontmatter(text), path)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Given\n---\n# Heading\n", "Given"),
        ("---\ntitle:\n---\n# Heading\n", "Heading"),
        ("---\ntitle: 2026\n---\n", "2026"),
        ("---\ntitle: 1.10\n---\n", "1.10"),
        ("---\ntitle: 2026-12-01\n---\n", "2026-12-01"),
        ("---\ntitle: [a]\n---\n", "My note"),
        ("---\nTitle: Upper case key\n---\n", "Upper case key"),
        ('---\ntitle: "two\\nlines"\n---\n', "two lines"),
        ("text\n\n# Late heading ##\n", "Late heading"),
        ("```sh\n# comment\n```\n~~~\n# other\n~~~\n\n# Real\n", "Real"),
        ("## Only a section\n", "My note"),
        ("#hashtag\n", "My note"),
        ("# C#\n", "C#"),
        ("", "My note"),
    ],
)
def test_the_title_is_the_best_there_is(text: str, title: str) -> None:
    """Frontmatter names the note, else its first H1 outside code, else its file."""
    assert _meta(text).title == title


@pytest.mark.parametrize(
    ("path", "title"), [("a/b.c.md", "b.c"), ("note", "note"), (".md", ".md"), ("a.b/Note.md", "Note")]
)
def test_the_file_name_loses_its_ending_alone(path: str, title: str) -> None:
    """Dots in folders and names stay."""
    assert _meta("", path).title == title


def test_a_title_of_unusual_length_is_shortened() -> None:
    """A title is stored with every passage, so it has a limit."""
    assert len(_meta("---\ntitle: " + "a b" * 5000 + "\n---\n").title) <= MAX_TITLE_CHARS


@pytest.mark.parametrize(
    "written",
    [
        "[one, two/three]",
        "\n  - one\n  - two/three",
        "one, two/three",
        "'#one #two/three'",
        '\'["one", "two/three"]\'',
        "\"['one', 'two/three']\"",
        "[[one], [two/three, one]]",
        "['#one', '#two/three', '', null]",
    ],
)
def test_tags_are_read_in_every_form(written: str) -> None:
    """Lists, comma strings, JSON strings and hashes name the same tags, in order and once."""
    assert _meta(f"---\ntags: {written}\n---\n").tags == ("one", "two/three")


def test_odd_tags_stay_what_they_are() -> None:
    """A phrase is one tag, numbers are text, and nothing is made of nothing."""
    assert _meta("---\ntags: machine learning\n---\n").tags == ("machine learning",)
    assert _meta("---\ntags: [2026, 1.5, no]\n---\n").tags == ("2026", "1.5", "no")
    assert _meta("---\ntag: single\n---\n").tags == ("single",)
    assert _meta("---\ntags:\n---\n").tags == ()
    assert _meta("---\ntags: {a: b}\n---\n").tags == ()


def test_aliases_keep_their_commas_inside_a_list() -> None:
    """A comma splits a string of aliases, but not an alias of a list."""
    assert _meta('---\naliases: ["Berlin, Germany", BER]\n---\n').aliases == ("Berlin, Germany", "BER")
    assert _meta("---\nalias: a, b\n---\n").aliases == ("a", "b")


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-12-01", datetime(2026, 12, 1, tzinfo=UTC)),
        ("2026-12-01 10:30:00", datetime(2026, 12, 1, 10, 30, tzinfo=UTC)),
        ("2026-12-01T10:30:00+02:00", datetime(2026, 12, 1, 8, 30, tzinfo=UTC)),
        ("2026-12-01T10:30Z", datetime(2026, 12, 1, 10, 30, tzinfo=UTC)),
        ("'2026-12-01'", datetime(2026, 12, 1, tzinfo=UTC)),
        ("20261201", datetime(2026, 12, 1, tzinfo=UTC)),
        ("2016/6/29", datetime(2016, 6, 29, tzinfo=UTC)),
        ("29.6.2016", datetime(2016, 6, 29, tzinfo=UTC)),
        ("Wed, 29 Jun 2016 12:00:00 +0200", datetime(2016, 6, 29, 10, tzinfo=UTC)),
        ("2026-13-45", None),
        ("31.2.2016", None),
        ("1234", None),
        ("true", None),
        ("soon", None),
        ("0001-01-01T00:00:00+12:00", None),
        ("[2026-12-01]", None),
    ],
)
def test_dates_are_read_as_aware_utc(written: str, moment: datetime | None) -> None:
    """Every form people write becomes one instant in UTC, and what is no date becomes none."""
    assert _meta(f"---\ndate: {written}\n---\n").date == moment


def test_the_first_key_that_holds_a_date_counts() -> None:
    """`published` goes before `date`, `created` and `updated`; an unreadable one is passed over."""
    text = "---\nupdated: 2026-04-04\ncreated: 2026-03-03\ndate: 2026-02-02\npublished: soon\n---\n"
    assert _meta(text).date == datetime(2026, 2, 2, tzinfo=UTC)
    assert _meta("---\nupdated: 2026-04-04\n---\n").date == datetime(2026, 4, 4, tzinfo=UTC)


def test_a_daily_note_is_dated_by_its_name() -> None:
    """Where frontmatter holds no date, the day a file name begins with counts."""
    assert _meta("", "daily/2026-12-01 Meeting.md").date == datetime(2026, 12, 1, tzinfo=UTC)
    assert _meta("---\ndate: 2025-01-01\n---\n", "2026-12-01.md").date == datetime(2025, 1, 1, tzinfo=UTC)
    assert _meta("", "2026-12-017.md").date is None


def test_only_a_note_from_a_feed_has_a_source() -> None:
    """A person's own `url` or `source` property says nothing about who wrote the note."""
    assert _meta("---\nsluice_id: abc\nurl: https://e.org/a\nsource: E\n---\n").source == "https://e.org/a"
    assert _meta("---\nsluice_id: abc\nsource: E\n---\n").source == "E"
    assert _meta("---\nurl: https://e.org/a\nsource: E\n---\n").source == ""


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.datetimes()
    | st.datetimes(timezones=st.just(timezone(timedelta(hours=-12)))),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=2),
    max_leaves=5,
)  # fmt: skip
_KEYS = ("title", "type", "tags", "aliases", "date", "published", "url", "source", "sluice_id")


@given(st.dictionaries(st.sampled_from(_KEYS), _VALUES), st.text())
def test_any_fields_make_a_note_with_one_line_of_everything(fields: dict[str, object], body: str) -> None:
    """Whatever a property holds, nothing is raised, names are single lines, and dates are in UTC."""
    meta = read_meta(Frontmatter(fields, body, 1), "n.md")
    assert meta.title
    assert len(set(meta.tags)) == len(meta.tags)
    for line in (meta.title, meta.type, meta.source, *meta.tags, *meta.aliases):
        assert len(line.splitlines()) <= 1
    assert meta.date is None or meta.date.utcoffset() == timedelta(0)


def test_dates_may_come_as_objects() -> None:
    """A caller with parsed values gets the same dates."""
    assert read_meta(Frontmatter({"date": date(2026, 1, 2)}, "", 1), "n.md").date == datetime(2026, 1, 2, tzinfo=UTC)
