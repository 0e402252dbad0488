"""Which vault, and where its parts lie."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from config.errors import VaultNotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG_FOLDER = ".sluice"
_OWNER_FILE = "vault-path"
_PROGRAM = "vaultsluice"
_XDG_DEFAULTS = {"config": "~/.config", "state": "~/.local/state"}


@dataclass(frozen=True, slots=True)
class Vault:
    """A vault and the folders that belong to it.

    Attributes:
        root: The folder of Markdown files, absolute.
        state: Folder for databases, outside the vault, absolute; created by `open_state`.
    """

    root: Path
    state: Path

    @property
    def config(self) -> Path:
        """The vault's own YAML files."""
        return self.root / CONFIG_FOLDER

    @property
    def settings_file(self) -> Path:
        """Settings of this vault."""
        return self.config / "sluice.yaml"

    @property
    def domains_file(self) -> Path:
        """Domains of this vault."""
        return self.config / "domains.yaml"

    @property
    def feeds_file(self) -> Path:
        """Subscriptions of this vault."""
        return self.config / "feeds.yaml"

    @property
    def ledger_file(self) -> Path:
        """What was seen and decided; the only state that cannot be rebuilt from the vault."""
        return self.state / "state.db"

    @property
    def index_file(self) -> Path:
        """The search index; may be deleted at any time."""
        return self.state / "index.db"

    def open_state(self) -> Path:
        """Create the state folder, readable by its owner alone, and return it."""
        self.state.mkdir(parents=True, exist_ok=True, mode=0o700)
        owner = self.state / _OWNER_FILE
        if not owner.exists():
            from config.atomic_write import write_text_atomically  # noqa: PLC0415  only for a new folder

            write_text_atomically(owner, f"{self.root}\n")
        return self.state


def find_vault(named: str | None, environ: Mapping[str, str], working_directory: Path) -> Vault:
    """Find the vault: named, else `SLUICE_VAULT`, else the nearest parent with `.sluice/`, else the recorded default.

    Args:
        named: Value of `--vault`, if given.
        environ: The process environment.
        working_directory: Where the search for a parent folder begins.

    Raises:
        VaultNotFound: None of the four leads to an existing folder.
    """
    chosen = named or environ.get("SLUICE_VAULT")
    root = Path(chosen).expanduser() if chosen else _nearest(working_directory) or _recorded_default()
    if root is None:
        raise VaultNotFound("no vault here; name one with --vault or SLUICE_VAULT, or make one: sluice init FOLDER")
    if not root.is_dir():
        raise VaultNotFound(f"{root} is not a folder; make it a vault with: sluice init {root}")
    return vault_at(root, environ)


def vault_at(root: Path, environ: Mapping[str, str]) -> Vault:
    """Describe the vault in a folder, whether it was initialised or not."""
    resolved = root.resolve()
    return Vault(root=resolved, state=_state_folder(resolved, environ))


def record_default(root: Path) -> None:
    """Remember a vault for commands that run outside any, unless one is remembered already and still exists."""
    remembered = _recorded_default()
    if remembered is None or not remembered.is_dir():
        from config.atomic_write import write_text_atomically  # noqa: PLC0415  only when a vault is made

        path = _default_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, f"{root.resolve()}\n")


def _nearest(folder: Path) -> Path | None:
    return next((f for f in (folder, *folder.parents) if (f / CONFIG_FOLDER).is_dir()), None)


def _default_file() -> Path:
    return _user_folder("config") / "default-vault"


def _recorded_default() -> Path | None:
    try:
        return Path(_default_file().read_text(encoding="utf-8").strip())
    except OSError:
        return None


def _state_folder(root: Path, environ: Mapping[str, str]) -> Path:
    """One folder per vault, so that two vaults never share what was seen.

    `SLUICE_STATE_DIR` is the folder itself for the first vault that uses it; another vault gets a folder below it.
    """
    from hashlib import sha256  # noqa: PLC0415  loads OpenSSL, which only commands on a vault need

    key = sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    override = environ.get("SLUICE_STATE_DIR")
    if override:
        base = Path(override).expanduser().absolute()
        return base if _owner(base) in {None, str(root)} else base / key
    return _user_folder("state") / f"{root.name[:40]}-{key}"


def _user_folder(kind: Literal["config", "state"]) -> Path:
    """Return where this system keeps a user's files of a kind, for this program.

    Source: XDG Base Directory Specification 0.8. `platformdirs` says the same and knows the other systems; where
    nothing is unusual, its 20 ms are spared.
    """
    if sys.platform == "linux" and "ANDROID_DATA" not in os.environ:
        base = os.environ.get(f"XDG_{kind.upper()}_HOME") or os.path.expanduser(_XDG_DEFAULTS[kind])  # noqa: PTH111  may fail
        if base.startswith("/") and base == base.strip():
            return Path(base, _PROGRAM)
    import platformdirs  # noqa: PLC0415  see above

    folder = platformdirs.user_config_dir if kind == "config" else platformdirs.user_state_dir
    return Path(folder(_PROGRAM, appauthor=False))


def _owner(folder: Path) -> str | None:
    try:
        return (folder / _OWNER_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return None
