"""`sluice ingest`, `sluice capture` and `sluice score`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from integrations.cli.session import Session, command_options, emit_json, emit_lines, now, say

if TYPE_CHECKING:
    from integrations.ingesting import IngestReport


@click.command()
@click.option("--force", is_flag=True, help="Ask feeds that are waiting after a failure, too.")
@command_options
def ingest(session: Session, *, force: bool) -> None:
    """Fetch feeds and the drop folder; score, route and write what is new.

    Example: sluice ingest
    """
    from integrations.ingesting import ingest as run_ingest  # noqa: PLC0415  imports the whole of intake

    workspace = session.workspace()
    report = run_ingest(workspace, now=now(), force=force, progress=lambda step: say(f"{step} …"))
    _show(session, report)


@click.command()
@click.argument("text", metavar="TEXT|URL|-")
@click.option("--local", is_flag=True, help="Allow a loopback or private address.")
@command_options
def capture(session: Session, text: str, *, local: bool) -> None:
    """Take in a text, the page behind an address, or standard input (-).

    What you capture yourself is never dropped: below the review threshold it waits for your review.

    Example: sluice capture "Restic needs --pack-size 64 on slow disks"
    """
    from integrations.capturing import capture_text  # noqa: PLC0415  imports the fetcher
    from integrations.ingesting import take_in  # noqa: PLC0415  imports the whole of intake

    workspace = session.workspace()
    content = sys.stdin.read() if text == "-" else text
    if not content.strip():
        raise click.UsageError("there is nothing to capture")
    captured = capture_text(content, workspace.settings.intake.fetch, local=local)
    if captured.problem is not None:
        say(captured.problem.message)
    report = take_in(workspace, [(captured.identity, captured.entry)], now=now())
    if not report.delivered.items:
        say("captured before")
    _show(session, report)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@command_options
def score(session: Session, file: Path) -> None:
    """Score the signals of a JSON lines file, or one Markdown note; nothing is written.

    Prints one score card per line, with the evidence of each dimension.

    Example: sluice score note.md
    """
    from integrations.scoring_service import score_file  # noqa: PLC0415  imports the scorer

    for identity, title, card in score_file(session.workspace_or_defaults(), file, now=now()):
        if session.json_report:
            emit_json({"id": identity, "title": title, **card})
        else:
            emit_lines(_card_lines(title, card))


def _show(session: Session, report: IngestReport) -> None:
    if session.json_report:
        emit_json(report.as_dict())
        return
    for item in report.delivered.items:
        emit_lines([f"{item.outcome:8} {item.composite:.2f}  {item.domain:14} {item.title}"])
    for problem in report.problems:
        emit_lines([f"problem  {problem.subject}: {problem.message}"])
    delivered, collected = report.delivered, report.collected
    say(
        f"{collected.feeds} feeds asked, {collected.failed} failed, {collected.new} new: "
        f"{delivered.written} written, {delivered.queued} queued, {delivered.dropped} dropped"
    )


def _card_lines(title: str, card: dict[str, object]) -> list[str]:
    lines = [f"{card['composite']:.3f}  {title}"]
    for name in ("relevance", "actionability", "depth", "authority"):
        dimension = card[name]
        assert isinstance(dimension, dict)
        reasons = ", ".join(f"{row['label']} {row['amount']:+.2f}" for row in dimension["evidence"][:4])
        lines.append(f"  {name:14} {dimension['value']:.2f}  {reasons}")
    return lines
