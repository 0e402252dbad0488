"""Tuned weights: below what a person wrote, above the defaults, and never in the person's own file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from config.errors import InvalidSettings
from config.loading import load_settings, merge, read_mapping
from config.overrides import names_key, nested, override_retrieval
from config.settings import FusionMethod, RollUp, Settings
from config.settings_cache import load_retrieval_settings
from config.tuned import write_tuned
from config.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """A vault with the folders of its own files."""
    found = Vault(tmp_path / "vault", tmp_path / "state")
    found.config.mkdir(parents=True)
    found.state.mkdir()
    return found


def test_a_persons_word_holds_over_a_tuned_weight(vault: Vault) -> None:
    """Keys that only one file names come from it, and where both do, sluice.yaml wins."""
    write_tuned(vault.tuned_file, {"retrieval": {"fusion": {"vector_share": 0.3}, "keyword": {"text_weight": 2.0}}})
    vault.settings_file.write_text("retrieval: {fusion: {vector_share: 0.7, method: rrf}}\n")
    found = load_settings(vault.settings_file, vault.tuned_file).retrieval
    assert found.fusion.vector_share == 0.7
    assert found.fusion.method is FusionMethod.RRF
    assert found.keyword.text_weight == 2.0


def test_a_fault_in_the_tuned_file_is_named_by_that_file(vault: Vault) -> None:
    """Whoever edited it learns which of the two files to correct."""
    vault.tuned_file.write_text("retrieval: {fusion: {vector_share: 7}}\n")
    with pytest.raises(InvalidSettings, match=r"tuned\.yaml: retrieval\.fusion\.vector_share"):
        load_settings(vault.settings_file, vault.tuned_file)


def test_remembered_settings_follow_either_file(vault: Vault) -> None:
    """A search that remembers validated settings notices a weight that was tuned, changed and taken back."""
    old = 1_000_000_000_000_000_000
    for share in (0.3, 0.4, 0.5):
        write_tuned(vault.tuned_file, {"retrieval": {"rollup": "weighted", "fusion": {"vector_share": share}}})
        old += 10_000_000_000
        os.utime(vault.tuned_file, ns=(old, old))
        for _ in range(2):
            found = load_retrieval_settings(vault)
            assert (found.fusion.vector_share, found.rollup) == (share, RollUp.WEIGHTED)
    write_tuned(vault.tuned_file, {})
    assert not vault.tuned_file.exists()
    assert load_retrieval_settings(vault) == Settings().retrieval
    vault.settings_file.write_text("retrieval: {max_per_file: 5}\n")
    assert load_retrieval_settings(vault).max_per_file == 5


def test_single_keys_are_overridden_with_the_care_of_a_file() -> None:
    """The key may bear its prefix or not, the value is read as YAML, and the rest stays."""
    found = override_retrieval(Settings(), ["fusion.method=rrf", "retrieval.index.exclude=[Old, New]", "rollup = best"])
    assert found.fusion.method is FusionMethod.RRF
    assert found.index.exclude == ("Old", "New")
    assert found.keyword == Settings().retrieval.keyword


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fusion.vector_share", "not KEY=VALUE"),
        ("=3", "not KEY=VALUE"),
        ("fusion.vector_shre=0.3", "did you mean 'vector_share'"),
        ("fusion.vector_share=3", "less than or equal to 1"),
        ("fusion=3", "given here"),
        ("fusion.vector_share=[", "not a YAML value"),
    ],
)
def test_a_wrong_override_is_named(text: str, message: str) -> None:
    """No comparison runs with something other than what was asked for."""
    with pytest.raises(InvalidSettings, match=message):
        override_retrieval(Settings(), [text])


def test_nested_mappings_are_laid_over_each_other() -> None:
    """What is above holds, whatever shape is below; neither mapping is changed."""
    below: dict[str, object] = {"a": {"b": 1, "c": 2}, "d": 3}
    assert merge(below, {"a": {"b": 5}, "d": {"e": 6}}) == {"a": {"b": 5, "c": 2}, "d": {"e": 6}}
    assert below == {"a": {"b": 1, "c": 2}, "d": 3}
    assert nested("a.b.c", 1) == {"a": {"b": {"c": 1}}}
    assert names_key({"a": {"b": None}}, "a.b")
    assert not names_key({"a": 1}, "a.b")


def test_a_file_that_is_no_mapping_is_refused(vault: Vault) -> None:
    """A list where keys belong is said to be one."""
    vault.settings_file.write_text("- a\n")
    with pytest.raises(InvalidSettings, match="found list"):
        read_mapping(vault.settings_file)
