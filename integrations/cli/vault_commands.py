"""`sluice init`, `sluice status` and `sluice doctor`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from integrations.cli.session import Session, command_options, emit_json, emit_lines, now, say

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command()
@click.argument("folder", metavar="VAULT", type=click.Path(file_okay=False, path_type=Path))
@command_options
def init(session: Session, folder: Path) -> None:
    """Make a folder a vault; what is in it already stays as it is.

    Example: sluice init ~/Notes
    """
    from integrations.vault_setup import initialize_vault  # noqa: PLC0415  only here

    result = initialize_vault(folder, os.environ)
    if session.json_wanted:
        emit_json(
            {
                "vault": str(result.vault.root),
                "state": str(result.vault.state),
                "created": list(result.created),
            }
        )
    else:
        say(f"{result.vault.root} is ready" if result.created else f"{result.vault.root} was a vault already")


@click.command()
@click.option("--problems", is_flag=True, help="Name every file and feed that has a problem.")
@command_options
def status(session: Session, *, problems: bool) -> None:
    """Show what the vault, the ledger and the index hold."""
    from integrations.status import status_as_dict  # noqa: PLC0415  imports SQLite

    found = status_as_dict(session.workspace(), now=now())
    if session.json_wanted:
        emit_json(found)
    else:
        emit_lines(_status_lines(found, problems=problems))


@click.command()
@command_options
def doctor(session: Session) -> None:
    """Check everything that can go wrong; exit code 1 where something is."""
    from integrations.status import run_checks  # noqa: PLC0415  imports SQLite and numpy

    checks = list(run_checks(session.workspace()))
    if session.json_wanted:
        emit_json([{"name": check.name, "ok": check.ok, "detail": check.detail} for check in checks])
    else:
        emit_lines(f"{'ok ' if check.ok else 'BAD'} {check.name}: {check.detail}" for check in checks)
    if not all(check.ok for check in checks):
        raise SystemExit(1)


def _status_lines(found: dict[str, object], *, problems: bool) -> Iterator[str]:
    yield f"vault    {found['vault']}"
    yield f"state    {found['state']}"
    feeds, signals, index = found["feeds"], found["signals"], found["index"]
    assert isinstance(feeds, dict)
    assert isinstance(signals, dict)
    assert isinstance(index, dict)
    yield f"feeds    {feeds['subscribed']} subscribed, {len(feeds['failing'])} failing"
    yield f"signals  {', '.join(f'{number} {state}' for state, number in signals.items() if number) or 'none yet'}"
    if not index["usable"]:
        yield f"index    {index['reason']}"
        return
    state = "" if index["complete"] else ", incomplete"
    yield (
        f"index    {index['files']:,} files, {index['chunks']:,} passages, {index['bytes'] / 1e6:.1f} MB, "
        f"{index['age_s']} s old{state}, {len(index['problems'])} problems"
    )
    if problems:
        yield from (f"  {feed['url']}: {feed['error']}" for feed in feeds["failing"])
        yield from (f"  {row['path']}: {row['message']}" for row in index["problems"])
