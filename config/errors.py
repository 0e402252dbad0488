"""The error tree of `config`.

ConfigError
├── VaultNotFound       no vault was named and none could be found
├── UnreadableConfig    a YAML file cannot be read or is not YAML
└── InvalidSettings     a key is unknown or a value is outside its range
"""

from __future__ import annotations


class ConfigError(Exception):
    """Any failure to find or understand a vault's configuration."""


class VaultNotFound(ConfigError):
    """No vault was named, none lies above the working directory, and no default is recorded."""


class UnreadableConfig(ConfigError):
    """A configuration file cannot be read, or is not valid YAML."""


class InvalidSettings(ConfigError):
    """A configuration file is YAML, but holds an unknown key or a value outside its range."""
