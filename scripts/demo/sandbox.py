"""A folder that may be thrown away, and the `sluice` command running in it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NOTES = Path(__file__).with_name("notes")
STEP_TIMEOUT_S = 120.0
"""Seconds after which a step counts as stuck; the slowest takes about one."""

_MARKER = "made-by-the-demo"
_OWN_FOLDERS = {
    "HOME": "home",  # macOS: where platformdirs looks
    "XDG_CONFIG_HOME": "config",
    "XDG_STATE_HOME": "home/state",
    "XDG_DATA_HOME": "home/data",
    "XDG_CACHE_HOME": "home/cache",
}
_MESSAGE_CHARS = 2_000


class DemoFailed(Exception):
    """A step of the demo did not do what it should; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The demo's folder.

    Attributes:
        folder: As the person named it, for display.
    """

    folder: Path

    @property
    def vault(self) -> Path:
        """The demo vault."""
        return self.folder / "vault"

    @property
    def state(self) -> Path:
        """Ledger and index of the demo vault."""
        return self.folder / "state"

    @property
    def program(self) -> Path:
        """The `sluice` that belongs to the running Python, relative to the working folder where it lies below it."""
        program = Path(sys.executable).with_name("sluice")
        return program.relative_to(Path.cwd()) if program.is_relative_to(Path.cwd()) else program

    def make_anew(self) -> None:
        """Remove what an earlier demo left and make an empty folder.

        Raises:
            DemoFailed: The folder holds something that no demo put there, or cannot be made.
        """
        try:
            if self.folder.exists() and any(self.folder.iterdir()):
                if not (self.folder / _MARKER).is_file():
                    raise DemoFailed(f"{self.folder} is not empty and not from a demo; choose another with --folder")
                shutil.rmtree(self.folder)
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / _MARKER).touch()
            for name in _OWN_FOLDERS.values():
                (self.folder / name).mkdir(parents=True)
        except OSError as err:
            raise DemoFailed(f"cannot work in {self.folder}: {err}") from err

    def copy_own_notes(self) -> list[str]:
        """Put the sample notes into the vault and return their paths in it."""
        shutil.copytree(NOTES, self.vault, dirs_exist_ok=True)
        return sorted(file.relative_to(NOTES).as_posix() for file in NOTES.rglob("*.md"))

    def run(self, *arguments: str, accept: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
        """Run `sluice` with these arguments to its end.

        Args:
            arguments: What comes after the name of the program.
            accept: Exit codes that are no failure.

        Raises:
            DemoFailed: It is not installed, takes too long, or ended with another code.
        """
        command = shlex.join(("sluice", *arguments))
        try:
            done = subprocess.run(
                [self.program.absolute(), *arguments],
                env=self._environment(os.environ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=STEP_TIMEOUT_S,
                check=False,
            )
        except FileNotFoundError as err:
            raise DemoFailed(f"{self.program} is missing; install it with: make setup") from err
        except subprocess.TimeoutExpired as err:
            raise DemoFailed(f"`{command}` did not end within {STEP_TIMEOUT_S:.0f} s") from err
        if done.returncode not in accept:
            message = (done.stderr or done.stdout).strip()[-_MESSAGE_CHARS:]
            raise DemoFailed(f"`{command}` ended with exit code {done.returncode}:\n{message}")
        return done

    def _environment(self, outer: Mapping[str, str]) -> dict[str, str]:
        """Return the outer environment, the person's own settings and folders replaced by those of the demo."""
        inner = {name: value for name, value in outer.items() if not name.startswith("SLUICE_")}
        folders = {name: str((self.folder / below).absolute()) for name, below in _OWN_FOLDERS.items()}
        return inner | folders | {
            "SLUICE_VAULT": str(self.vault.absolute()),
            "SLUICE_STATE_DIR": str(self.state.absolute()),
            "NO_PROXY": "127.0.0.1",  # a proxy could not reach the sample feeds
            "no_proxy": "127.0.0.1",
        }  # fmt: skip
