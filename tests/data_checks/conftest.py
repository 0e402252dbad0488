"""Real data, unpacked once."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def real_feeds(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of 165 real feeds."""
    folder = tmp_path_factory.mktemp("feeds")
    with tarfile.open(data_folder / "feeds.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "feeds" / "real"


@pytest.fixture(scope="session")
def real_vault(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of 16,894 real notes; tests must not change it."""
    folder = tmp_path_factory.mktemp("notes")
    with tarfile.open(data_folder / "vault-16894.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder
