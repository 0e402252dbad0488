"""Making a folder a vault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from config.atomic_write import write_text_atomically
from config.vault import Vault, record_default, vault_at

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SETTINGS_TEXT = """\
# Settings of this vault. Every key has a default; write down only what you want to be different.
# The reference is docs/configuration.md, for example:
#
# routing:
#   keep_threshold: 0.55      # composite score from which a signal becomes a note
#   review_threshold: 0.40    # composite score from which a signal waits for review
"""

FEEDS_TEXT = """\
# Feeds of this vault. Edit by hand, or with: sluice feeds add URL
"""


@dataclass(frozen=True, slots=True)
class Setup:
    """What was set up.

    Attributes:
        vault: The vault.
        created: Files that were made, relative to the vault; empty where all were there.
    """

    vault: Vault
    created: tuple[str, ...]


def initialize_vault(folder: Path, environ: Mapping[str, str]) -> Setup:
    """Create a vault's own files where they are missing, and remember it as the default where there is none.

    Args:
        folder: Created where it does not exist; files that are there are never touched.
        environ: The process environment.
    """
    folder.expanduser().mkdir(parents=True, exist_ok=True)
    vault = vault_at(folder.expanduser(), environ)
    vault.config.mkdir(exist_ok=True)
    created = []
    for path, text in ((vault.settings_file, SETTINGS_TEXT), (vault.feeds_file, FEEDS_TEXT)):
        if not path.exists():
            write_text_atomically(path, text)
            created.append(path.relative_to(vault.root).as_posix())
    vault.open_state()
    record_default(vault.root)
    return Setup(vault, tuple(created))
