"""`sluice index`, `sluice search` and `sluice context`."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import click

from integrations.cli.session import Session, command_options, emit, emit_json, emit_lines, now, say
from integrations.plain_arguments import MAX_LIMIT, MODES

if TYPE_CHECKING:
    from types import FrameType


@click.command()
@click.option("--full", is_flag=True, help="Index everything anew.")
@click.option("--allow-mass-delete", is_flag=True, help="Delete whatever is gone, however much.")
@command_options
def index(session: Session, *, full: bool, allow_mass_delete: bool) -> None:
    """Bring the search index up to date with the vault.

    Example: sluice index
    """
    from integrations.index_service import report_as_dict, update_index  # noqa: PLC0415  imports the indexer

    stop = _StopOnInterrupt()
    report, no_vectors = update_index(
        session.workspace(), now=now(), full=full, allow_mass_delete=allow_mass_delete, progress=stop.progress
    )
    if no_vectors:
        say(f"{no_vectors}")
    if session.json_report:
        emit_json(report_as_dict(report, no_vectors))
        return
    for problem in report.problems:
        emit_lines([f"{'warning' if problem.indexed else 'problem'}  {problem.path}: {problem.message}"])
    changes = f"{report.added} added, {report.updated} updated, {report.deleted} deleted, {report.unchanged} unchanged"
    emit_lines([f"{report.files} files, {report.chunks} passages: {changes}"])


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("-n", "limit", type=click.IntRange(1, MAX_LIMIT), default=10, show_default=True, help="Most results.")
@click.option("--mode", type=click.Choice(MODES), default="hybrid", show_default=True)
@click.option("--max-tokens", type=click.IntRange(min=1), help="Stop before the texts exceed this many tokens.")
@click.option("--files", is_flag=True, help="Rank files; each is shown by its best passage.")
@click.option("--explain", is_flag=True, help="Say how each result came about.")
@command_options
def search(  # noqa: PLR0913  one parameter per option
    session: Session,
    query: tuple[str, ...],
    limit: int,
    mode: str,
    max_tokens: int | None,
    *,
    files: bool,
    explain: bool,
) -> None:
    """Find passages: words, "phrases" and -exclusions.

    Example: sluice search "state-of-the-art reranking" -n 5 --explain
    """
    from integrations.searching import SearchRequest, search_output  # noqa: PLC0415  keeps --help free of it

    request = SearchRequest(" ".join(query), limit, mode, max_tokens, explain, session.json_wanted, files)
    emit(search_output(session.search_target(), request, now()))


@click.command()
@click.argument("prompt", nargs=-1, required=True)
@click.option("--max-tokens", type=click.IntRange(min=1), help="Length of the block; else as configured.")
@command_options
def context(session: Session, prompt: tuple[str, ...], max_tokens: int | None) -> None:
    """Print what an agent would be told for a prompt; nothing where nothing fits.

    Example: sluice context "why did we choose WAL mode"
    """
    from integrations.searching import ContextRequest, context_output  # noqa: PLC0415  keeps --help free of it

    request = ContextRequest(" ".join(prompt), max_tokens, session.json_wanted)
    emit(context_output(session.search_target(), request))


class _StopOnInterrupt:
    """Turns Ctrl-C into the end of the current batch, and reports progress on a terminal."""

    def __init__(self) -> None:
        self._stopped = False
        signal.signal(signal.SIGINT, self._stop)

    def progress(self, done: int, total: int) -> bool:
        """See `retrieval.indexing.run.Progress`."""
        if sys.stderr.isatty():
            click.echo(f"\r{done:,} of {total:,} files", err=True, nl=done == total)
        return not self._stopped

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopped = True
        say("stopping after this batch …")
