"""What every command shares: the vault it works on, and how it answers."""

from __future__ import annotations

import functools
import json
import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

import click

from config.errors import ConfigError, VaultNotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from integrations.search_target import SearchTarget
    from integrations.searching import Output
    from integrations.workspace import Workspace

NOTHING_TO_DO = 3
"""Exit code of a command that found nothing to work on."""

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class Session:
    """One run of the command line.

    Attributes:
        vault: Value of `--vault`, before or after the command's name.
        as_json: Value of `--json`; None where it was not given.
    """

    vault: str | None = None
    as_json: bool | None = None

    def workspace(self) -> Workspace:
        """Find the vault and read its settings."""
        from integrations.workspace import open_workspace  # noqa: PLC0415  keeps --help free of it

        return open_workspace(self.vault, os.environ, Path.cwd())

    def search_target(self) -> SearchTarget:
        """Find the vault's index and read the settings a search needs."""
        from integrations.search_target import open_search_target  # noqa: PLC0415  keeps --help free of it

        return open_search_target(self.vault, os.environ, Path.cwd())

    def workspace_or_defaults(self) -> Workspace | None:
        """Find the vault, or return None where none is named and none is around: the defaults will do."""
        try:
            return self.workspace()
        except VaultNotFound:
            if self.vault is not None:
                raise
            return None

    @property
    def json_wanted(self) -> bool:
        """Whether a reading command prints JSON: only when asked."""
        return bool(self.as_json)

    @property
    def json_report(self) -> bool:
        """Whether a command that reports on work prints JSON: when asked, or when nobody is watching a terminal."""
        return self.as_json if self.as_json is not None else not sys.stdout.isatty()


def now() -> datetime:
    """Read the clock; core code is handed the time."""
    return datetime.now(UTC)


def emit_json(value: object) -> None:
    """Print one JSON document on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def emit_lines(lines: Iterable[str]) -> None:
    """Print data for people, with control characters made visible."""
    from integrations.answer_format import printable  # noqa: PLC0415  keeps --help free of it

    for line in lines:
        click.echo(printable(line))


def emit(output: Output) -> None:
    """Print what a command without a command line around it returned."""
    if output.data:
        click.echo(output.data, nl=False)
    for message in output.messages:
        say(message)


def say(message: str) -> None:
    """Print a message for people on standard error."""
    click.echo(message, err=True)


def fail(message: str) -> NoReturn:
    """End with a message and exit code 1."""
    raise click.ClickException(message)


def command_options(function: Callable[P, R]) -> Callable[P, R]:
    """Give a command `--vault` and `--json`, hand it the session, and turn known errors into one clear line."""

    @click.option("--vault", metavar="FOLDER", help="The vault to work on.")
    @click.option("--json/--text", "as_json", default=None, help="Print JSON, or text for people.")
    @click.pass_context
    @functools.wraps(function)
    def command(ctx: click.Context, /, *args: Any, vault: str | None, as_json: bool | None, **kwargs: Any) -> R:  # noqa: ANN401  click's own
        session: Session = ctx.find_object(Session) or Session()
        session.vault = vault or session.vault
        session.as_json = as_json
        try:
            return function(session, *args, **kwargs)  # type: ignore[arg-type]  # click fills the parameters by name
        except _known_errors() as err:
            raise click.ClickException(str(err)) from err

    return command  # type: ignore[return-value]  # the options stay on the function for click


def _known_errors() -> tuple[type[Exception], ...]:
    """Return the error trees of the layers, without importing a layer the command did not use."""
    found: list[type[Exception]] = [ConfigError]
    for module, name in (
        ("intake.errors", "IntakeError"),
        ("vault_router.errors", "RouterError"),
        ("retrieval.errors", "RetrievalError"),
    ):
        if module in sys.modules:
            found.append(getattr(sys.modules[module], name))
    return tuple(found)
