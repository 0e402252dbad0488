"""A vault with its configuration, read once: what every service is handed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.domains import Domain, load_domains
from config.feeds import Feed, load_feeds
from config.loading import load_settings
from config.settings import Settings
from config.vault import Vault, find_vault

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from config.settings import Settings


@dataclass(frozen=True, slots=True)
class Workspace:
    """A vault and its validated settings.

    Attributes:
        vault: Where everything lies.
        settings: From VAULT/.sluice/sluice.yaml over tuned weights over the defaults.
    """

    vault: Vault
    settings: Settings

    def domains(self) -> tuple[Domain, ...]:
        """Read the vault's domains, or the defaults."""
        return load_domains(self.vault.domains_file)

    def feeds(self) -> tuple[Feed, ...]:
        """Read the vault's subscriptions."""
        return load_feeds(self.vault.feeds_file)


def open_workspace(named: str | None, environ: Mapping[str, str], working_directory: Path) -> Workspace:
    """Find a vault and read its settings.

    Raises:
        VaultNotFound: See `config.vault.find_vault`.
        InvalidSettings: The settings file holds a fault.
        UnreadableConfig: The settings file is not YAML.
    """
    vault = find_vault(named, environ, working_directory)
    settings = load_settings(vault.settings_file, vault.tuned_file)
    vault.open_state()
    return Workspace(vault, settings)
