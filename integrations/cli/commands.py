"""The tree of commands."""

from __future__ import annotations

import click

from integrations.cli.lazy_group import LazyGroup
from integrations.cli.session import Session

_HERE = "integrations.cli"

COMMANDS = {
    "init": (f"{_HERE}.vault_commands:init", "Make a folder a vault."),
    "feeds": (f"{_HERE}.feeds_commands:feeds", "Add, list, remove, import and export feeds."),
    "ingest": (f"{_HERE}.intake_commands:ingest", "Fetch feeds; score, route and write what is new."),
    "capture": (f"{_HERE}.intake_commands:capture", "Take in a text, a page or standard input."),
    "score": (f"{_HERE}.intake_commands:score", "Score signals or a note, with evidence."),
    "review": (f"{_HERE}.review_commands:review", "Decide what waits for a person."),
    "index": (f"{_HERE}.search_commands:index", "Bring the search index up to date."),
    "search": (f"{_HERE}.search_commands:search", "Find passages."),
    "context": (f"{_HERE}.search_commands:context", "Print what an agent would be told for a prompt."),
    "eval": (f"{_HERE}.eval_commands:evaluate", "Measure retrieval or intake on judged data."),
    "golden": (f"{_HERE}.eval_commands:golden", "Add and list your own questions with their notes."),
    "tune": (f"{_HERE}.eval_commands:tune", "Look for a better weight on your own questions."),
    "hook": (f"{_HERE}.daemon_commands:hook", "Answer a hook of a coding agent (JSON on standard input)."),
    "run": (f"{_HERE}.daemon_commands:run", "Ingest and index on a schedule until stopped."),
    "status": (f"{_HERE}.vault_commands:status", "Show what the vault, ledger and index hold."),
    "doctor": (f"{_HERE}.vault_commands:doctor", "Check everything that can go wrong."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--vault", metavar="FOLDER", help="The vault; else SLUICE_VAULT, else the folder around you.")
@click.version_option(package_name="vaultsluice", prog_name="sluice")
@click.pass_context
def sluice(ctx: click.Context, vault: str | None) -> None:
    """Let the stream in, keep the gold, let the gravel go.

    Feeds and captures become notes in an Obsidian vault; search finds the right paragraph again.

    Example: sluice search "how do I rotate the backup keys"
    """
    ctx.obj = Session(vault=vault)
