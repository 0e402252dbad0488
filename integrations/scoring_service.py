"""Scoring files without writing anything, and measuring the scorer on labelled signals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.domains import load_domains
from config.settings import Settings
from intake.evaluation import evaluate_intake
from intake.scoring import Scorer
from intake.serialization import card_to_dict
from intake.signals_file import read_note_signal, read_signals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from intake.evaluation import IntakeEvaluation
    from integrations.workspace import Workspace


def score_file(
    workspace: Workspace | None, file: Path, *, now: datetime
) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Score every signal of a file by the vault's rules, or by the defaults outside any vault.

    Args:
        workspace: The vault, or None for the defaults.
        file: JSON lines of signals, or one Markdown note (.md).
        now: Time of scoring.

    Yields:
        Id, title and score card of each signal.

    Raises:
        MalformedSignal: A line cannot be read as a signal.
    """
    scorer, _ = _scorer(workspace)
    if file.suffix.lower() in {".md", ".markdown"}:
        signal = read_note_signal(file.read_text(encoding="utf-8", errors="replace"), name=file.stem, now=now)
        yield signal.id, signal.title, card_to_dict(scorer.score(signal, now=now))
        return
    with file.open(encoding="utf-8") as lines:
        for labelled in read_signals(lines, now=now):
            yield labelled.name, labelled.signal.title, card_to_dict(scorer.score(labelled.signal, now=now))


def evaluate_signals(workspace: Workspace | None, file: Path, *, now: datetime) -> IntakeEvaluation:
    """Score labelled signals and compare the scores with the labels.

    Raises:
        MalformedSignal: A line cannot be read as a signal.
    """
    scorer, settings = _scorer(workspace)
    with file.open(encoding="utf-8") as lines:
        pairs = [
            (scorer.score(labelled.signal, now=now), labelled.labels)
            for labelled in read_signals(lines, now=now)
            if labelled.labels is not None
        ]
    return evaluate_intake(pairs, settings.routing)


def _scorer(workspace: Workspace | None) -> tuple[Scorer, Settings]:
    if workspace is None:
        settings = Settings()
        return Scorer(load_domains(), settings.intake), settings
    return Scorer(workspace.domains(), workspace.settings.intake), workspace.settings
