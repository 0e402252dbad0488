"""Settings: a default for everything, and a precise word about every fault."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest

from config.errors import ConfigError, InvalidSettings, UnreadableConfig
from config.loading import load_settings, parse_settings
from config.settings import FusionMethod, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file of a vault lies."""
    return tmp_path / "sluice.yaml"


@pytest.mark.parametrize("content", [None, "", "# nothing\n", "{}\n", "\ufeffrouting: {}\n"])
def test_without_a_word_everything_has_its_default(content: str | None, path: Path) -> None:
    """A missing file, an empty one and an empty section are all the same."""
    if content is not None:
        path.write_text(content, encoding="utf-8")

    assert load_settings(path) == Settings()


def test_a_file_changes_what_it_names_and_nothing_else(path: Path) -> None:
    """Nested keys arrive with their types: numbers, lists, choices, tables."""
    path.write_text(
        "routing: {keep_threshold: 0.6}\n"
        "intake:\n  source_authority: {lwn.net: 0.9}\n  fetch: {timeout_s: 3}\n"
        "retrieval:\n  fusion: {method: rrf}\n  index: {exclude: [Old, 'Work/Private']}\n",
        encoding="utf-8",
    )

    settings = load_settings(path)

    assert settings.routing.keep_threshold == 0.6
    assert settings.routing.review_threshold == Settings().routing.review_threshold
    assert settings.intake.source_authority == {"lwn.net": 0.9}
    assert settings.intake.fetch.timeout_s == 3.0
    assert settings.retrieval.fusion.method is FusionMethod.RRF
    assert settings.retrieval.index.exclude == ("Old", "Work/Private")
    assert settings.schedule == Settings().schedule


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"rooting": {}}, r"unknown key 'rooting'; did you mean 'routing'\?"),
        ({"routing": {"keep_treshold": 1}}, r"unknown key 'routing.keep_treshold'; did you mean 'keep_threshold'\?"),
        ({"retrieval": {"index": {"chunks": {"max": 1}}}}, r"unknown key 'retrieval.index.chunks.max'"),
        ({"routing": {"zzz": 1}}, r"known here: keep_threshold, review_threshold, max_name_bytes"),
        ({"routing": {"keep_threshold": 1.5}}, r"routing.keep_threshold is 1.5: .*less than or equal to 1"),
        ({"routing": {"max_name_bytes": 39}}, r"routing.max_name_bytes is 39: .*greater than or equal to 40"),
        ({"routing": {"keep_threshold": "high"}}, r"routing.keep_threshold is 'high'"),
        ({"routing": {"keep_threshold": float("nan")}}, r"routing.keep_threshold is nan"),
        ({"routing": None}, r"routing is None"),
        ({"retrieval": {"fusion": {"method": "magic"}}}, r"retrieval.fusion.method is 'magic': .*'convex' or 'rrf'"),
        ({"retrieval": {"index": {"include": [""]}}}, r"retrieval.index.include.0 is ''"),
        ({"routing": {"keep_threshold": 0.3}}, r"review_threshold 0.4 lies above routing.keep_threshold 0.3"),
        ({"intake": {"weights": {"depth": 0.5}}}, r"intake.weights sum to 1.3; make them sum to 1"),
    ],
)
def test_a_fault_is_named_with_key_value_and_way_out(data: dict[str, object], message: str) -> None:
    """The message names where the mapping comes from, the whole key, and what is allowed."""
    with pytest.raises(InvalidSettings, match=message) as caught:
        parse_settings(data, origin="sluice.yaml")
    assert str(caught.value).startswith("sluice.yaml: ")


def test_all_faults_are_told_at_once() -> None:
    """One line for each, so that a file is corrected in one go."""
    with pytest.raises(InvalidSettings) as caught:
        parse_settings({"a": 1, "routing": {"b": 2, "keep_threshold": 7}}, origin="x")

    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize("content", ["- a list\n", "text\n", "7\n"])
def test_a_file_that_is_no_mapping_is_invalid(content: str, path: Path) -> None:
    """The message says what was expected."""
    path.write_text(content, encoding="utf-8")

    with pytest.raises(InvalidSettings, match="expected 'key: value' lines"):
        load_settings(path)


@pytest.mark.parametrize(
    "content",
    [
        b"a: [1\n",
        b"\xff\xfe",
        b"a: !!python/object/apply:os.system [echo]\n",
        b"[" * 100_000,
        b"a: \0\n",
        b"a: 2026-99-99\n",
    ],
)
def test_what_is_not_plain_yaml_is_unreadable(content: bytes, path: Path) -> None:
    """Broken, binary, executable and absurdly nested files end in one kind of error that names the file."""
    path.write_bytes(content)

    with pytest.raises(UnreadableConfig, match=r"sluice\.yaml"):
        load_settings(path)


def test_a_folder_in_the_place_of_the_file_is_unreadable(path: Path) -> None:
    """It is not taken for a missing file."""
    path.mkdir()

    with pytest.raises(UnreadableConfig, match="cannot be read"):
        load_settings(path)


def test_every_setting_is_documented() -> None:
    """Each leaf has a line for people, and its default is one that the rules allow."""
    leaves = dict(walk(Settings(), ""))

    assert len(leaves) > 40
    assert [key for key, doc in leaves.items() if not doc] == []


def test_the_defaults_pass_their_own_rules() -> None:
    """Every default, written out and read back, is accepted unchanged."""
    assert parse_settings(as_mapping(Settings()), origin="defaults") == Settings()


def test_the_errors_of_the_package_have_one_root() -> None:
    """A caller may catch them all in one clause."""
    assert issubclass(InvalidSettings, ConfigError)
    assert issubclass(UnreadableConfig, ConfigError)


def test_importing_settings_loads_no_validator() -> None:
    """A process that was handed settings pays for neither pydantic nor YAML."""
    script = (
        "import sys, config.settings, config; print({'pydantic', 'yaml', 'ruamel', 'platformdirs'} & set(sys.modules))"
    )

    result = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60)

    assert result.stdout.strip() == "set()"


def walk(node: Any, prefix: str) -> Iterator[tuple[str, str]]:  # noqa: ANN401  any level of the tree
    """Yield the key and documentation of every leaf below a section."""
    hints = get_type_hints(type(node))
    for item in fields(node):
        key = f"{prefix}{item.name}"
        if is_dataclass(hints[item.name]):
            yield from walk(getattr(node, item.name), f"{key}.")
        else:
            yield key, item.metadata.get("doc", "")


def as_mapping(node: Any) -> dict[str, object]:  # noqa: ANN401  any level of the tree
    """Write a section out as YAML would give it."""
    values = {item.name: getattr(node, item.name) for item in fields(node)}
    return {name: as_mapping(value) if is_dataclass(value) else value for name, value in values.items()}
