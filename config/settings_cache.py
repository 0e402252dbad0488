"""Validated settings of retrieval, remembered, so that a search imports neither a YAML parser nor a validator."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from config.retrieval_settings import (
    ChunkSettings,
    ContextSettings,
    EmbeddingSettings,
    FusionMethod,
    FusionSettings,
    IndexSettings,
    KeywordSettings,
    RetrievalSettings,
)

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from config.vault import Vault

CACHE_VERSION = 1
"""Raised whenever a range, a rule or the meaning of a setting changes while its name stays."""

_CACHE_FILE = "retrieval-settings.json"

_SETTLED_NS = 2_000_000_000
"""Age a settings file must have had when it was remembered. A later change within one tick of the file system's clock,
which is two seconds on the coarsest (FAT), could otherwise leave time and size as they were."""


def load_retrieval_settings(vault: Vault) -> RetrievalSettings:
    """Return the settings of retrieval of a vault whose state folder exists.

    Raises:
        UnreadableConfig: The settings file is not readable YAML.
        InvalidSettings: A key is unknown, or a value has the wrong type or lies outside its range.
    """
    try:
        found = vault.settings_file.stat()
    except FileNotFoundError:
        return RetrievalSettings()
    except OSError:  # the loader names the cause
        return _load(vault)
    key = [CACHE_VERSION, found.st_size, found.st_mtime_ns]
    cache = vault.state / _CACHE_FILE
    remembered = _remembered(cache, key)
    if remembered is not None:
        return remembered
    settings = _load(vault)
    _remember(cache, key, settings)
    return settings


def _load(vault: Vault) -> RetrievalSettings:
    from config.loading import load_settings  # noqa: PLC0415  the import that is to be spared

    return load_settings(vault.settings_file).retrieval


def _remembered(cache: Path, key: list[int]) -> RetrievalSettings | None:
    try:
        content = json.loads(cache.read_bytes())
        if content["key"] != key or cache.stat().st_mtime_ns - key[-1] < _SETTLED_NS:
            return None
        return _build(content["settings"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):  # none yet, or not ours: the loader decides
        return None


def _remember(cache: Path, key: list[int], settings: RetrievalSettings) -> None:
    from dataclasses import asdict  # noqa: PLC0415  needed only here

    from config.atomic_write import write_text_atomically  # noqa: PLC0415  same

    try:
        write_text_atomically(cache, json.dumps({"key": key, "settings": asdict(settings)}))
    except OSError:  # a full disk or a read-only folder makes the next search slower, no more
        return


def _build(values: dict[str, Any]) -> RetrievalSettings:
    """Build settings from their own JSON; a missing or unknown name raises KeyError or TypeError."""
    index, fusion = values["index"], values["fusion"]
    chunks = index["chunks"]
    return RetrievalSettings(
        index=IndexSettings(
            **index
            | {
                "include": tuple(index["include"]),
                "exclude": tuple(index["exclude"]),
                "chunks": ChunkSettings(**chunks | {"skip_sections": tuple(chunks["skip_sections"])}),
            }
        ),
        embedding=EmbeddingSettings(**values["embedding"]),
        keyword=KeywordSettings(**values["keyword"]),
        fusion=FusionSettings(**fusion | {"method": FusionMethod(fusion["method"])}),
        context=ContextSettings(**values["context"]),
    )
