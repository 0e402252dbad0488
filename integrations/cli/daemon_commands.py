"""`sluice run` and `sluice hook`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from integrations.cli.session import Session, command_options, say


@click.command()
@command_options
def run(session: Session) -> None:
    """Ingest and index on a schedule until stopped (Ctrl-C or SIGTERM).

    Example: sluice run --vault ~/Notes
    """
    from integrations.daemon import run_daemon  # noqa: PLC0415  imports everything
    from integrations.logs import configure_logging  # noqa: PLC0415  only long-running commands log

    workspace = session.workspace()
    configure_logging(workspace.vault.open_state(), to_stderr=True)
    say(f"running for {workspace.vault.root}; stop with Ctrl-C")
    run_daemon(workspace)


@click.command()
@click.argument("event", metavar="EVENT")
@command_options
def hook(session: Session, event: str) -> None:
    """Answer a hook of a coding agent: JSON on standard input, one JSON object or nothing on standard output.

    Always exits 0: a hook must never disturb a session.

    Example: sluice hook user-prompt-submit < event.json
    """
    from integrations.hooks.answer import answer_hook  # noqa: PLC0415  keeps --help free of it
    from integrations.workspace import Workspace, open_workspace  # noqa: PLC0415  same

    def open_vault(session_folder: Path | None) -> Workspace:
        workspace = open_workspace(session.vault, os.environ, session_folder or Path.cwd())
        from integrations.logs import configure_logging  # noqa: PLC0415  same

        configure_logging(workspace.vault.state, to_stderr=False)
        return workspace

    answer = answer_hook(event, sys.stdin.buffer.read(), open_vault)
    if answer:
        click.echo(answer)
