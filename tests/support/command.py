"""The real command, run as a process on a vault of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(slots=True)
class Sluice:
    """The real command on a vault of its own.

    Attributes:
        vault: The vault.
        state: Its state folder.
        environment: What the command sees.
    """

    vault: Path
    state: Path
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def command(self) -> list[str]:
        """What starts the program, as the installed script does."""
        return [sys.executable, "-m", "integrations"]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [*self.command, *arguments], env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )

    def json(self, *arguments: str) -> Any:  # noqa: ANN401  whatever the command prints
        """Run a command that prints one JSON document, and return it."""
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def make_sluice(folder: Path) -> Sluice:
    """Initialise an empty vault below a folder."""
    vault, state = folder / "vault", folder / "state"
    environment = {
        **os.environ,
        "SLUICE_VAULT": str(vault),
        "SLUICE_STATE_DIR": str(state),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    sluice = Sluice(vault, state, environment)
    assert sluice.run("init", str(vault)).returncode == 0
    return sluice
