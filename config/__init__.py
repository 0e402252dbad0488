"""Settings of a vault: one typed tree, read from YAML, with every default shipped here.

This package knows no other package of the project. Its names are imported when they are asked for: a process that
answers one query has no time for the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from config.domains import Domain
    from config.errors import ConfigError, InvalidSettings, UnreadableConfig, VaultNotFound
    from config.feeds import Feed
    from config.settings import Settings
    from config.vault import Vault

__all__ = [
    "ConfigError",
    "Domain",
    "Feed",
    "InvalidSettings",
    "Settings",
    "UnreadableConfig",
    "Vault",
    "VaultNotFound",
]

_PLACES = {"Domain": "domains", "Feed": "feeds", "Settings": "settings", "Vault": "vault"}


def __getattr__(name: str) -> object:
    """Import a name when it is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415  only where a name is asked for

    return getattr(import_module(f"{__name__}.{_PLACES.get(name, 'errors')}"), name)
