"""Finding the vault, and where its parts lie."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import platformdirs
import pytest

from config.errors import VaultNotFound
from config.vault import _user_folder, find_vault, record_default, vault_at

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vaults(tmp_path: Path) -> dict[str, Path]:
    """Make four vaults, one for each way to find one."""
    folders = {name: tmp_path / name for name in ("named", "environment", "parent", "default")}
    for folder in folders.values():
        (folder / ".sluice").mkdir(parents=True)
    (folders["parent"] / "deep/er").mkdir(parents=True)
    return folders


def test_the_four_ways_to_a_vault_have_an_order(vaults: dict[str, Path], tmp_path: Path) -> None:
    """A named vault wins over the environment, that over a parent folder, and that over the recorded default."""
    record_default(vaults["default"])
    below = vaults["parent"] / "deep/er"
    environ = {"SLUICE_VAULT": str(vaults["environment"])}

    assert find_vault(str(vaults["named"]), environ, below).root == vaults["named"]
    assert find_vault(None, environ, below).root == vaults["environment"]
    assert find_vault(None, {}, below).root == vaults["parent"]
    assert find_vault(None, {}, tmp_path).root == vaults["default"]


def test_without_any_vault_the_error_names_the_ways_out(tmp_path: Path) -> None:
    """The message says how to name a vault and how to make one."""
    with pytest.raises(VaultNotFound, match=r"--vault or SLUICE_VAULT.*sluice init"):
        find_vault(None, {}, tmp_path)


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_named_vault_must_be_a_folder(kind: str, tmp_path: Path) -> None:
    """Neither a missing path nor a file is a vault, and no other is taken instead."""
    named = tmp_path / "x"
    if kind == "file":
        named.touch()

    with pytest.raises(VaultNotFound, match="is not a folder"):
        find_vault(str(named), {}, tmp_path)


def test_a_recorded_default_that_is_gone_is_an_error(tmp_path: Path) -> None:
    """The message names the folder that is missing."""
    gone = tmp_path / "gone"
    gone.mkdir()
    record_default(gone)
    gone.rmdir()

    with pytest.raises(VaultNotFound, match="gone is not a folder"):
        find_vault(None, {}, tmp_path)


def test_the_first_default_stays_while_it_exists(vaults: dict[str, Path], tmp_path: Path) -> None:
    """A second vault does not push the first one out; it takes the place of one that is gone."""
    first = tmp_path / "first"
    first.mkdir()
    record_default(first)
    record_default(vaults["default"])
    assert find_vault(None, {}, tmp_path).root == first

    first.rmdir()
    record_default(vaults["default"])
    assert find_vault(None, {}, tmp_path).root == vaults["default"]


def test_a_tilde_and_a_link_lead_to_the_vault(own_home: Path, tmp_path: Path) -> None:
    """The root is absolute, with links resolved, so that one vault has one state folder."""
    (own_home / "notes").mkdir()
    (tmp_path / "alias").symlink_to(own_home / "notes")

    by_tilde = find_vault("~/notes", {}, tmp_path)

    assert by_tilde.root == (own_home / "notes").resolve()
    assert find_vault(str(tmp_path / "alias"), {}, tmp_path) == by_tilde


def test_the_parts_of_a_vault_have_their_places(tmp_path: Path) -> None:
    """Configuration travels with the vault; databases lie outside it."""
    vault = vault_at(tmp_path, {})

    assert [
        p.relative_to(tmp_path).as_posix() for p in (vault.settings_file, vault.domains_file, vault.feeds_file)
    ] == [
        ".sluice/sluice.yaml",
        ".sluice/domains.yaml",
        ".sluice/feeds.yaml",
    ]
    assert not vault.state.is_relative_to(tmp_path)
    assert [p.parent for p in (vault.ledger_file, vault.index_file)] == [vault.state] * 2


def test_two_vaults_of_one_name_have_two_states(tmp_path: Path) -> None:
    """The state folder depends on the whole path, not on the last part of it."""
    for parent in ("a", "b"):
        (tmp_path / parent / "Notes").mkdir(parents=True)

    states = {vault_at(tmp_path / parent / "Notes", {}).state for parent in ("a", "b")}

    assert len(states) == 2
    assert all(state.name.startswith("Notes-") for state in states)


def test_the_state_is_for_its_owner_alone(tmp_path: Path) -> None:
    """What was read and decided is private; opening twice is harmless."""
    vault = vault_at(tmp_path, {})

    assert vault.open_state() == vault.open_state() == vault.state
    assert stat.S_IMODE(vault.state.stat().st_mode) == 0o700


def test_a_named_state_folder_belongs_to_the_first_vault_that_uses_it(tmp_path: Path) -> None:
    """A second vault under the same SLUICE_STATE_DIR gets a folder below it."""
    environ = {"SLUICE_STATE_DIR": str(tmp_path / "state")}
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    vault_at(tmp_path / "first", environ).open_state()

    assert vault_at(tmp_path / "first", environ).state == tmp_path / "state"
    second = vault_at(tmp_path / "second", environ).state
    assert second.parent == tmp_path / "state"
    assert second == vault_at(tmp_path / "second", environ).state


@pytest.mark.parametrize(
    "value", [None, "", " ", "relative", "/absolute/folder", "~/tilde", " /spaced", "/with space/x"]
)
def test_folders_of_the_user_are_those_that_platformdirs_names(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the variables of the XDG specification hold, sparing the library's import changes no path."""
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert str(_user_folder("state")) == platformdirs.user_state_dir("vaultsluice", appauthor=False)
    assert str(_user_folder("config")) == platformdirs.user_config_dir("vaultsluice", appauthor=False)
