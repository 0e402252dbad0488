"""JSON and YAML as lines that a search by words can find."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.markdown.structured_text import MAX_CHARS, MAX_LINES, flatten, searchable_text


def test_json_becomes_one_line_a_value() -> None:
    """Each value stands behind the path of its keys; list elements are numbered."""
    text = '{"server": {"port": 8080, "tls": true, "hosts": ["a", {"name": "b"}]}, "none": null, "empty": {}}'
    assert flatten(text, "json").split("\n") == [
        "server.port: 8080",
        "server.tls: true",
        "server.hosts.0: a",
        "server.hosts.1.name: b",
        "none: null",
        "empty: {}",
    ]


@pytest.mark.parametrize("kind", ["yaml", "yml", "YAML"])
def test_yaml_is_flattened_alike(kind: str) -> None:
    """Names of the format come from fences and file endings, in any case."""
    assert flatten("on:\n  push:\n    branches: [main, '1.10']\n", kind) == (
        "on.push.branches.0: main\non.push.branches.1: 1.10"
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{broken", "json"),
        ("a: b: c", "yaml"),
        ("&a [*a]", "yaml"),
        ("just words", "yaml"),
        ("[]", "json"),
        ("3", "json"),
        ("", "yaml"),
        ("[" * 100_000, "json"),
        ("9" * 5000, "json"),
        ('["' + "x" * MAX_CHARS + '"]', "json"),
        (json.dumps(list(range(MAX_LINES + 1))), "json"),
    ],
)
def test_what_cannot_be_flattened_stays_as_it_is(text: str, kind: str) -> None:
    """Broken, plain and boundless texts come back as the same object."""
    assert flatten(text, kind) is text


def test_deep_values_end_in_compact_json() -> None:
    """Below the deepest path nothing is lost, only no longer split."""
    text = '{"a":' * 30 + '"deep"' + "}" * 30
    assert "deep" in flatten(text, "json")
    assert flatten(text, "json").count("a.") == 19


def test_a_passage_shows_its_data_flat_to_the_index() -> None:
    """Code between the fences is replaced, the prose around it is not."""
    chunk = 'Before\n```json\n{"a": {"b": 1}}\n```\nBetween\n~~~yaml title\nc:\n  d: e\n~~~\nAfter'
    assert searchable_text(chunk) == "Before\n```json\na.b: 1\n```\nBetween\n~~~yaml title\nc.d: e\n~~~\nAfter"


@pytest.mark.parametrize(
    "chunk",
    ["no code", '```js\n{"a": 1}\n```', "```json\nbroken\n```", "inline ```json``` only", "```yaml\nwords\n```"],
)
def test_a_passage_with_nothing_to_flatten_is_the_same_object(chunk: str) -> None:
    """The index stores such a text once."""
    assert searchable_text(chunk) is chunk


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(), children, max_size=3),
)


@given(_JSON.map(json.dumps) | st.text(), st.sampled_from(["json", "yaml"]))
def test_any_text_is_flattened_or_returned(text: str, kind: str) -> None:
    """Nothing raises, and every line of the result has a path and a value."""
    flat = flatten(text, kind)
    assert flat is text or ": " in flat


@given(st.dictionaries(st.from_regex(r"[a-z]{1,5}", fullmatch=True), st.integers(), min_size=1))
def test_every_value_of_a_flat_object_is_there(values: dict[str, int]) -> None:
    """One line a key, in the order of the text."""
    assert flatten(json.dumps(values), "json") == "\n".join(f"{key}: {value}" for key, value in values.items())
