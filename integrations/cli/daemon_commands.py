"""`sluice run` and `sluice hook`."""

from __future__ import annotations

import sys

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
    from integrations.hooks.command import run_hook  # noqa: PLC0415  keeps --help free of it

    answer = run_hook(session.vault, event, sys.stdin.buffer.read())
    if answer:
        click.echo(answer)
