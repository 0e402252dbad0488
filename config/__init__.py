"""Settings of a vault: one typed tree, read from YAML, with every default shipped here.

This package knows no other package of the project.
"""

from __future__ import annotations

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
