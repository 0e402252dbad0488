"""`sluice eval`, `sluice golden` and `sluice tune`: measure retrieval or intake, and act on it."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from integrations.cli.session import NOTHING_TO_DO, Session, command_options, emit_json, emit_lines, fail, now, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from integrations.evaluation_service import Report


@click.command("eval")
@click.argument("what", metavar="[DIR|intake]", required=False)
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--compare", metavar="KEY=VALUE", multiple=True, help="Compare with a setting below retrieval.; repeats.")
@click.option("--min", "minimums", metavar="MEASURE=VALUE", multiple=True, help="Fail below this figure; repeats.")
@command_options
def evaluate(
    session: Session, what: str | None, file: Path | None, compare: tuple[str, ...], minimums: tuple[str, ...]
) -> None:
    """Measure retrieval on the vault's golden questions or on a folder in BEIR layout, or measure the scorer.

    The folder holds corpus.jsonl, queries.jsonl and qrels.tsv; the signals are JSON lines with labels.

    Examples: sluice eval    sluice eval DIR --compare fusion.method=rrf    sluice eval --min hybrid.mrr@10=0.6
    """
    if what == "intake":
        if file is None:
            raise click.UsageError("name the file of labelled signals: sluice eval intake FILE.jsonl")
        if compare or minimums:
            raise click.UsageError("--compare and --min are for retrieval")
        _evaluate_intake(session, file)
    elif file is not None or (what is not None and not Path(what).is_dir()):
        raise click.UsageError(f"{what} is not a folder in BEIR layout")
    else:
        _evaluate_retrieval(session, Path(what) if what else None, compare, minimums)


@click.command()
@click.option("--apply/--dry-run", "apply", default=False, help="Write the change down; else only print it.")
@click.option("--rollback", is_flag=True, help="Take the last applied change back.")
@command_options
def tune(session: Session, *, apply: bool, rollback: bool) -> None:
    """Try one weight at a time on the golden questions; keep a change only if the guard accepts it.

    A change goes to VAULT/.sluice/tuned.yaml, below what you wrote in sluice.yaml.

    Example: sluice tune --apply
    """
    from integrations import evaluation_service as service  # noqa: PLC0415  imports the indexer
    from integrations.evaluation_format import tuning_as_text  # noqa: PLC0415  only here

    if rollback:
        if apply:
            raise click.UsageError("choose one of --apply and --rollback")
        _roll_back(session)
        return
    found = service.tune_vault(session.workspace(), apply=apply, now=now(), progress=_show_progress)
    applied = apply and found.best is not None
    if session.json_report:
        emit_json({**service.tuning_as_dict(found), "applied": applied})
    else:
        emit_lines(tuning_as_text(found, applied=applied))
    if found.best is None:
        raise SystemExit(NOTHING_TO_DO)


@click.group()
def golden() -> None:
    """Add and list golden questions: your own, with the notes that answer them.

    Example: sluice golden add "how do I rotate the backup keys" --expect Ops/backup
    """


@golden.command()
@click.argument("question")
@click.option("--expect", metavar="FRAGMENT", multiple=True, required=True, help="Part of a wanted path; repeats.")
@click.option("--kind", type=click.Choice(["question", "known-item"]), default="question", show_default=True)
@click.option("--set", "name", default="", help="Name of a group that tuning must not harm.")
@click.option("--held-out/--tuning", "held_out", default=None, help="Keep apart from tuning; else every fifth is.")
@command_options
def add(  # noqa: PLR0913  one parameter per option
    session: Session, question: str, *, expect: tuple[str, ...], kind: str, name: str, held_out: bool | None
) -> None:
    """Add a question with the notes that answer it."""
    from retrieval.evaluation import golden as core  # noqa: PLC0415  keeps --help free of it

    apart = core.is_held_out(question) if held_out is None else held_out
    item = core.GoldenQuestion(question.strip(), expect, core.QuestionKind(kind), name, apart)
    path = session.workspace().vault.golden_file
    added = core.add_golden(path, item)
    if session.json_wanted:
        emit_json({"added": added, **asdict(item)})
    elif added:
        say(f"added{', kept apart from tuning' if apart else ''}; {len(core.load_golden(path))} questions in all")
    else:
        say("asked already; edit .sluice/golden.yaml to change what it expects")
    if not added:
        raise SystemExit(NOTHING_TO_DO)


@golden.command("list")
@command_options
def list_golden(session: Session) -> None:
    """List the golden questions."""
    from retrieval.evaluation.golden import load_golden  # noqa: PLC0415  keeps --help free of it

    questions = load_golden(session.workspace().vault.golden_file)
    if session.json_wanted:
        emit_json([asdict(item) for item in questions])
    else:
        emit_lines(
            f"{'kept apart' if q.held_out else 'tuning':10}  {q.question}  -> {', '.join(q.expect)}" for q in questions
        )


def _evaluate_retrieval(session: Session, folder: Path | None, compare: Sequence[str], least: Sequence[str]) -> None:
    from config.settings import Settings  # noqa: PLC0415  only outside a vault
    from integrations import evaluation_service as service  # noqa: PLC0415  imports the indexer
    from integrations.evaluation_format import evaluation_as_text  # noqa: PLC0415  only here
    from retrieval.errors import NothingToMeasure  # noqa: PLC0415  keeps --help free of it
    from retrieval.evaluation.gate import parse_minimum  # noqa: PLC0415  same

    try:
        minimums = [parse_minimum(text) for text in least]
    except NothingToMeasure as err:
        raise click.UsageError(str(err)) from err
    if folder is None:
        report: Report = service.evaluate_vault(session.workspace(), compare)
    else:
        workspace = session.workspace_or_defaults()
        settings = workspace.settings if workspace else Settings()
        report = service.evaluate_folder(settings, folder, compare, now=now())
    rows = report.as_dict()
    if session.json_report:
        emit_json(rows)
    else:
        emit_lines(evaluation_as_text(rows))
    missed = [text for minimum in minimums if (text := minimum.shortfall(report.evaluation.legs))]
    if missed:
        fail("; ".join(missed))


def _show_progress(done: int, total: int) -> None:
    """Count trials on a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {total} changes tried", err=True, nl=done == total)


def _evaluate_intake(session: Session, file: Path) -> None:
    from integrations.scoring_service import evaluate_signals  # noqa: PLC0415  imports the scorer

    figures = evaluate_signals(session.workspace_or_defaults(), file, now=now()).as_dict()
    if session.json_report:
        emit_json(figures)
    else:
        emit_lines(f"{name:18} {value}" for name, value in figures.items())


def _roll_back(session: Session) -> None:
    from integrations.evaluation_service import roll_back  # noqa: PLC0415  imports the indexer

    taken_back = roll_back(session.workspace(), now=now())
    if session.json_report:
        emit_json(taken_back or {})
    elif taken_back:
        say(f"taken back: {taken_back['change']}")
    if taken_back is None:
        say("there is no applied change to take back")
        raise SystemExit(NOTHING_TO_DO)
