"""`sluice eval`: measure retrieval or intake on judged data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from integrations.cli.session import Session, command_options, emit_json, emit_lines, now

if TYPE_CHECKING:
    from retrieval.evaluation import SetEvaluation


@click.command("eval")
@click.argument("what", metavar="DIR|intake")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@command_options
def evaluate(session: Session, what: str, file: Path | None) -> None:
    """Measure retrieval on a folder in BEIR layout, or the scorer on labelled signals.

    The folder holds corpus.jsonl, queries.jsonl and qrels.tsv; the signals are JSON lines with labels.

    Examples: sluice eval ./judged-questions    sluice eval intake signals.jsonl
    """
    if what == "intake":
        if file is None:
            raise click.UsageError("name the file of labelled signals: sluice eval intake FILE.jsonl")
        _evaluate_intake(session, file)
    elif file is not None or not Path(what).is_dir():
        raise click.UsageError(f"{what} is not a folder in BEIR layout")
    else:
        _evaluate_retrieval(session, Path(what))


def _evaluate_retrieval(session: Session, folder: Path) -> None:
    from config.settings import RetrievalSettings  # noqa: PLC0415  only outside a vault
    from integrations.index_service import load_model  # noqa: PLC0415  imports the indexer
    from retrieval.evaluation import evaluate_set, load_beir  # noqa: PLC0415  imports the indexer

    workspace = session.workspace_or_defaults()
    settings = workspace.settings.retrieval if workspace else RetrievalSettings()
    embedder, _ = load_model(settings.embedding.model)
    result = evaluate_set(load_beir(folder), settings, embedder, now=now())
    if session.json_report:
        emit_json(result.as_dict())
    else:
        emit_lines(_table(result))


def _evaluate_intake(session: Session, file: Path) -> None:
    from integrations.scoring_service import evaluate_signals  # noqa: PLC0415  imports the scorer

    figures = evaluate_signals(session.workspace_or_defaults(), file, now=now()).as_dict()
    if session.json_report:
        emit_json(figures)
    else:
        emit_lines(f"{name:18} {value}" for name, value in figures.items())


def _table(result: SetEvaluation) -> list[str]:
    measures = {name: leg.as_dict() for name, leg in result.legs.items()}
    columns = list(next(iter(measures.values()), {}))
    lines = [
        f"{result.name}: {result.queries} questions",
        " " * 16 + "".join(f"{name:>12}" for name in columns),
    ]
    lines += [f"{name:16}" + "".join(f"{row[c]:12.4f}" for c in columns) for name, row in measures.items()]
    return lines
