"""domains.yaml: read strictly, and never a folder outside the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from config.domains import Domain, load_domains
from config.errors import InvalidSettings, UnreadableConfig

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the file of a vault lies."""
    return tmp_path / "domains.yaml"


def test_a_vault_without_a_file_has_the_twelve_defaults(path: Path) -> None:
    """A missing or empty file, or none at all, means the shipped domains."""
    defaults = load_domains()

    assert len(defaults) == 12
    assert load_domains(path) == defaults
    path.write_text("# nothing yet\n", encoding="utf-8")
    assert load_domains(path) == defaults


def test_a_full_domain_is_read(path: Path) -> None:
    """Every key arrives with its type."""
    path.write_text(
        "- name: garden\n  folder: Home/Garden\n  description: Plants.\n  interest: 0.8\n"
        "  terms: {Rosen: 1, compost heap: 0.5}\n",
        encoding="utf-8",
    )

    assert load_domains(path) == (Domain("garden", "Home/Garden", "Plants.", 0.8, {"Rosen": 1.0, "compost heap": 0.5}),)


def test_a_name_alone_is_a_domain(path: Path) -> None:
    """The folder takes the name, the interest is in the middle, and terms may be a plain list."""
    path.write_text("- name: garden\n- {name: music, terms: [jazz, 1984]}\n", encoding="utf-8")

    assert load_domains(path) == (
        Domain("garden", "garden", "", 0.5, {}),
        Domain("music", "music", "", 0.5, {"jazz": 1.0, "1984": 1.0}),
    )


def test_a_folder_may_be_written_as_on_windows(path: Path) -> None:
    """Backslashes separate folders."""
    path.write_text("- {name: a, folder: 'Work\\Web'}\n", encoding="utf-8")

    assert load_domains(path)[0].folder == "Work/Web"


@pytest.mark.parametrize(
    "folder", ["/etc", "../x", "a/../../x", "..", ".", "./", ".hidden", "a/.git", "C:\\..\\x", "\\\\host\\share", "//x"]
)
def test_a_folder_outside_the_vault_or_hidden_is_refused(folder: str, path: Path) -> None:
    """A vault's configuration can name no place outside the vault."""
    path.write_text(f"- {{name: a, folder: '{folder}'}}\n", encoding="utf-8")

    with pytest.raises(InvalidSettings, match="must be a visible folder inside the vault"):
        load_domains(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: a\n", "expected a list of domains"),
        ("[]\n", "expected a list of domains"),
        ("- a\n", "domain 1: expected a mapping, found str"),
        ("- name: a\n- folder: B\n", "domain 2: has no name"),
        ("- {name: a, folders: B}\n", "domain 1: unknown key 'folders'"),
        ("- {name: a}\n- {name: a}\n", "domain named twice: a"),
        ("- {name: a, interest: 1.5}\n", "interest is 1.5; it must be a number from 0 to 1"),
        ("- {name: a, interest: yes}\n", "interest is True; it must be a number"),
        ("- {name: a, interest: .nan}\n", "interest is nan"),
        ("- {name: a, terms: {x: -1}}\n", "weight of 'x' is -1"),
        ("- {name: a, terms: word}\n", "terms must be a list, or a mapping"),
    ],
)
def test_a_fault_is_named_with_its_place(text: str, message: str, path: Path) -> None:
    """The message names the file, the domain and the value."""
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InvalidSettings, match=message) as caught:
        load_domains(path)
    assert str(path) in str(caught.value)


def test_what_is_not_yaml_is_unreadable(path: Path) -> None:
    """The message stands on one line and names the file."""
    path.write_text("- {name: a\n", encoding="utf-8")

    with pytest.raises(UnreadableConfig, match=r"domains\.yaml: not valid YAML") as caught:
        load_domains(path)
    assert "\n" not in str(caught.value)
