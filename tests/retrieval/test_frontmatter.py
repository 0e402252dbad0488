"""What is read from the block at the top of a note, and what is left to the body."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.markdown.frontmatter import parse_frontmatter
from retrieval.markdown.yaml_loading import MAX_YAML_CHARS


def test_a_block_becomes_fields_and_the_rest_is_the_body() -> None:
    """Fields keep their types, the body its bytes, and its line number counts the block."""
    front = parse_frontmatter("---\ntitle: A day\ncount: 3\nopen: true\n---\n\nText\r\n  end")
    assert front.fields == {"title": "A day", "count": 3, "open": True}
    assert (front.body, front.body_line, front.problem) == ("\nText\r\n  end", 6, "")


@pytest.mark.parametrize("closing", ["---", "...", "---  ", "---\t"])
def test_a_block_closes_with_dashes_or_dots(closing: str) -> None:
    """Both closings of YAML end the block, trailing spaces or not."""
    front = parse_frontmatter(f"---\na: b\n{closing}\nbody")
    assert (front.fields, front.body, front.body_line) == ({"a": "b"}, "body", 4)


def test_a_byte_order_mark_and_windows_line_ends_hide_nothing() -> None:
    """A file saved on Windows is read like any other."""
    front = parse_frontmatter("\ufeff---\r\ntitle: Ä\r\n---\r\nbody\r\n")
    assert (front.fields, front.body, front.body_line) == ({"title": "Ä"}, "body\r\n", 4)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "body",
        "# H\n\n---\n- a: b\n---\n",
        "\n---\na: b\n---\n",
        "---- \na: b\n---\n",
        " ---\na: b\n---\n",
        "---\n\nText between rules that never end",
    ],
)
def test_only_a_block_on_the_first_line_is_frontmatter(text: str) -> None:
    """Rules elsewhere are body, and a note without a block is all body."""
    front = parse_frontmatter(text)
    assert (front.fields, front.body, front.body_line, front.problem) == ({}, text, 1, "")


def test_rules_below_the_block_stay_in_the_body() -> None:
    """The first closing ends the block, whatever follows."""
    assert parse_frontmatter("---\na: b\n---\nx\n---\nc: d\n---\n").body == "x\n---\nc: d\n---\n"


def test_a_block_that_is_never_closed_is_named() -> None:
    """The text is indexed as body, and the person is told why it has no title."""
    front = parse_frontmatter("---\ntitle: x\n\ntext")
    assert front.body == "---\ntitle: x\n\ntext"
    assert "never closed" in front.problem


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("tags:\n  - one\n  - 'two'\ntitle: foo : bar\n", 5),
        ("title: foo : bar\ntags: [one, two]\n", 2),
        ("tags: [one, two]\ntitle: foo : bar\nmade:\t<% tp.date.now() %>\n\tx: y\n", 3),
    ],
)
def test_broken_yaml_still_yields_title_and_tags(block: str, line: int) -> None:
    """One bad line costs neither the fields around it nor the body, and it is named by its line in the file."""
    front = parse_frontmatter(f"---\n{block}---\nbody")
    assert front.fields["title"] == "foo : bar"
    assert front.fields["tags"] == ["one", "two"]
    assert front.body == "body"
    assert front.problem.startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("block", "fields"),
    [
        ("title: <% tp.file.title %>", {"title": "<% tp.file.title %>"}),
        ("title: {{title}}", {"title": "{{title}}"}),
        ("title: {{title", {"title": "{{title"}),
        ("title: @me", {"title": "@me"}),
        ("title: %x", {"title": "%x"}),
        ("title: 'open", {"title": "'open"}),
        ("title: |\n  a\n\tb: c\ntype: x", {"type": "x"}),
    ],
)
def test_template_placeholders_and_loose_signs_are_survived(block: str, fields: dict[str, str]) -> None:
    """What an editor or a template leaves behind is kept as text."""
    assert parse_frontmatter(f"---\n{block}\n---\n").fields == fields


@pytest.mark.parametrize("block", ["- a\n- b", "just text", "42"])
def test_a_block_that_is_no_mapping_is_named(block: str) -> None:
    """A list or a sentence between rules has no fields and is a problem, not a failure."""
    front = parse_frontmatter(f"---\n{block}\n---\nbody")
    assert (front.fields, front.body) == ({}, "body")
    assert "not keys and values" in front.problem


def test_an_empty_block_is_no_problem() -> None:
    """Two rules with nothing between them are an empty block."""
    assert parse_frontmatter("---\n---\nbody").problem == ""
    assert parse_frontmatter("---\n---\nbody").body_line == 3


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("no", "no"),
        ("1.10", "1.10"),
        ("007", "007"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("0.5", 0.5),
        ("-7", -7),
        ("2026-12-01", date(2026, 12, 1)),
        ("2026-13-45", "2026-13-45"),
        ("null", None),
        ("!!int ''", ""),
    ],
)
def test_a_value_changes_its_type_only_where_nothing_is_lost(written: str, read: object) -> None:
    """Versions, times and numbered names stay as they were written; what cannot be built raises nothing."""
    front = parse_frontmatter(f"---\nkey: {written}\n---\n")
    assert front.fields == {"key": read}


@pytest.mark.parametrize("value", ["!!bool maybe", "!!binary ä", "!!python/object:os.system x", "!!int [a]"])
def test_a_tag_that_does_not_fit_its_value_is_a_problem(value: str) -> None:
    """What YAML's constructors refuse is named, and no object of a program's is ever made."""
    front = parse_frontmatter(f"---\ntitle: x\nkey: {value}\n---\nbody")
    assert front.problem
    assert (front.fields["title"], front.body) == ("x", "body")


def test_keys_that_are_no_text_become_text() -> None:
    """A numbered, dated or empty key is found under what was written."""
    front = parse_frontmatter("---\n7: a\n2026-12-01: b\n~: c\ntrue: d\n---\n")
    assert front.fields == {"7": "a", "2026-12-01": "b", "null": "c", "true": "d"}


def test_aliases_are_not_expanded() -> None:
    """Nine lists of nine references each would become a billion items; the note is read without them."""
    levels = "\n".join(f"l{n + 1}: &l{n + 1} [{', '.join([f'*l{n}'] * 9)}]" for n in range(9))
    front = parse_frontmatter(f"---\ntitle: bomb\nl0: &l0 x\n{levels}\n---\nbody")
    assert "aliases" in front.problem
    assert front.fields["title"] == "bomb"
    assert front.body == "body"


def test_a_block_of_unusual_size_is_not_parsed() -> None:
    """Above the limit only simple lines are read, and that is said."""
    front = parse_frontmatter("---\ntitle: big\n" + "x: [" + "a, " * MAX_YAML_CHARS + "]\n---\nbody")
    assert "longer than" in front.problem
    assert front.fields["title"] == "big"
    assert front.body == "body"


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused(opening: str) -> None:
    """Thousands of brackets are a problem of the note, not of the process."""
    assert parse_frontmatter(f"---\nx: {opening * 20_000}\n---\nbody").problem


@given(st.text(alphabet=st.sampled_from("-.:#&*!|>%@`'\"[]{},? \n\r\tab0\x00\u2028ä")), st.text())
def test_any_block_is_read_and_the_body_is_untouched(block: str, body: str) -> None:
    """Whatever stands in the block, nothing is raised and nothing of the text is lost."""
    text = f"---\n{block}\n---\n{body}"
    front = parse_frontmatter(text)
    assert text.endswith(front.body)
    assert text[: len(text) - len(front.body)].count("\n") == front.body_line - 1


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """No text raises, and without a block all of it is body."""
    front = parse_frontmatter(text)
    assert text.endswith(front.body)
