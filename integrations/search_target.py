"""What a search works on: less than a workspace, and found without reading what only other commands need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.settings_cache import load_retrieval_settings
from config.vault import find_vault

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from config.retrieval_settings import RetrievalSettings


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """An index and how it is searched.

    Attributes:
        index_file: The index; may not exist yet.
        settings: Validated settings of retrieval.
    """

    index_file: Path
    settings: RetrievalSettings


def open_search_target(named: str | None, environ: Mapping[str, str], working_directory: Path) -> SearchTarget:
    """Find a vault and read what a search needs of its settings.

    Raises:
        VaultNotFound: See `config.vault.find_vault`.
        InvalidSettings: The settings file holds a fault.
        UnreadableConfig: The settings file is not YAML.
    """
    vault = find_vault(named, environ, working_directory)
    vault.open_state()
    return SearchTarget(vault.index_file, load_retrieval_settings(vault))
