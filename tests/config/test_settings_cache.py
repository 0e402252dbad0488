"""Remembered settings: never other than what the file says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from config.errors import InvalidSettings
from config.loading import load_settings
from config.retrieval_settings import RetrievalSettings
from config.settings_cache import load_retrieval_settings
from config.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

WRITTEN = """\
retrieval:
  index: {include: [Notes, Journal], chunks: {max_chars: 900, skip_sections: [links]}}
  embedding: {model: /some/folder}
  keyword: {section_weight: 2.5}
  fusion: {method: rrf, rrf_k: 30, candidates: 7}
  context: {min_cosine: 0.2}
"""


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    vault = Vault(tmp_path / "vault", tmp_path / "state")
    vault.config.mkdir(parents=True)
    vault.open_state()
    return vault


def _write(vault: Vault, text: str, *, age_s: int = 3600) -> None:
    vault.settings_file.write_text(text, encoding="utf-8")
    then = vault.settings_file.stat().st_mtime_ns - age_s * 10**9
    os.utime(vault.settings_file, ns=(then, then))


def _cache(vault: Vault) -> Path:
    return vault.state / "retrieval-settings.json"


def test_settings_come_back_as_they_were_validated(vault: Vault) -> None:
    """First from the file, then from the cache: equal, with the same types, and equal to the ordinary loader's."""
    _write(vault, WRITTEN)
    first, second = load_retrieval_settings(vault), load_retrieval_settings(vault)
    assert first == second == load_settings(vault.settings_file).retrieval
    assert repr(first) == repr(second)


def test_a_remembered_file_is_not_read_again(vault: Vault) -> None:
    """What is remembered is used: neither the validator nor a YAML parser is imported."""
    _write(vault, WRITTEN)
    load_retrieval_settings(vault)
    program = (
        "import sys\nfrom pathlib import Path\nfrom config.vault import Vault\n"
        "from config.settings_cache import load_retrieval_settings\n"
        "found = load_retrieval_settings(Vault(Path(sys.argv[1]), Path(sys.argv[2])))\n"
        "print(found.fusion.candidates, {'pydantic', 'yaml', 'annotated_types', 'platformdirs'} & set(sys.modules))"
    )
    command = [sys.executable, "-c", program, str(vault.root), str(vault.state)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["7", "set()"]


@pytest.mark.parametrize("age_s", [0, 3600])
def test_a_change_is_seen_at_once(vault: Vault, age_s: int) -> None:
    """Another size or time, and the file is read again; a file written a moment ago is always read."""
    _write(vault, WRITTEN, age_s=age_s)
    load_retrieval_settings(vault)
    times = vault.settings_file.stat().st_mtime_ns
    _write(vault, WRITTEN.replace("candidates: 7", "candidates: 8"), age_s=age_s)
    if age_s == 0:
        os.utime(vault.settings_file, ns=(times, times))  # within one tick of the clock, and of the same size
    assert load_retrieval_settings(vault).fusion.candidates == 8


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", "{}", '{"key": 3}', "[" * 100_000, "other version", "other names"]
)
def test_a_cache_that_is_not_ours_is_replaced(vault: Vault, content: str) -> None:
    """Cut, foreign or outdated content never becomes settings and never an error."""
    _write(vault, WRITTEN)
    expected = load_retrieval_settings(vault)
    good = _cache(vault).read_text(encoding="utf-8")
    known = json.loads(good)
    if content == "other version":
        known["key"][0] += 1
        content = json.dumps(known)
    elif content == "other names":
        known["settings"]["fusion"]["no_such_setting"] = 1
        content = json.dumps(known)
    _cache(vault).write_text(content, encoding="utf-8")
    assert load_retrieval_settings(vault) == expected
    assert _cache(vault).read_text(encoding="utf-8") == good


def test_without_a_file_the_defaults_hold(vault: Vault) -> None:
    """Nothing is read and nothing written; a removed file is not remembered."""
    assert load_retrieval_settings(vault) == RetrievalSettings()
    assert not _cache(vault).exists()
    _write(vault, WRITTEN)
    load_retrieval_settings(vault)
    vault.settings_file.unlink()
    assert load_retrieval_settings(vault) == RetrievalSettings()


def test_a_fault_is_never_remembered(vault: Vault) -> None:
    """A value out of range is an error every time."""
    _write(vault, "retrieval: {fusion: {vector_share: 2}}")
    for _ in range(2):
        with pytest.raises(InvalidSettings, match="vector_share"):
            load_retrieval_settings(vault)


def test_a_folder_that_cannot_be_written_changes_nothing(vault: Vault) -> None:
    """Where the cache cannot be kept, the file is read every time."""
    _write(vault, WRITTEN)
    _cache(vault).mkdir()
    assert load_retrieval_settings(vault).fusion.candidates == 7
