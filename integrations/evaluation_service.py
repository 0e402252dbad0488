"""Measuring retrieval, on a judged folder or on a vault's own questions, and tuning it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from config.loading import merge, read_mapping
from config.overrides import names_key, nested, override_retrieval
from config.retrieval_settings import FusionSettings
from config.tuned import write_tuned
from integrations.index_service import load_model
from retrieval.embedding.loading import load_embedder
from retrieval.errors import NothingToMeasure
from retrieval.evaluation import load_beir
from retrieval.evaluation.evaluate import INTERVAL_MEASURE, SetEvaluation, evaluate_set, evaluate_twice
from retrieval.evaluation.golden import load_golden
from retrieval.evaluation.golden_evaluation import GoldenEvaluation, evaluate_golden
from retrieval.evaluation.quality_log import APPLIED, ROLLED_BACK, TRIED, append_run, last_applied
from retrieval.evaluation.ranking import HYBRID
from retrieval.evaluation.significance import Comparison, compare_paired
from retrieval.evaluation.tuning import Tuning, changes, tune
from retrieval.retriever import Retriever
from retrieval.store.connection import open_for_reading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from pathlib import Path

    from config.settings import RetrievalSettings, Settings
    from integrations.workspace import Workspace

GOLDEN_MEASURE = "mrr@10"
"""What two settings are compared by on golden questions, most of which have one wanted note."""

_ROUNDED_TO = 4


@dataclass(frozen=True, slots=True)
class Report:
    """An evaluation, and a second one it was compared with.

    Attributes:
        evaluation: With the settings as they are.
        second: With the changed settings, or None.
        comparison: The two question by question, or None.
    """

    evaluation: SetEvaluation | GoldenEvaluation
    second: SetEvaluation | GoldenEvaluation | None = None
    comparison: Comparison | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the report as `sluice eval --json` prints it."""
        rows = self.evaluation.as_dict()
        if self.comparison and self.second:
            legs = {leg: measures.as_dict() for leg, measures in self.second.legs.items()}
            rows["comparison"] = {**self.comparison.as_dict(), "second_legs": legs}
        return rows


def evaluate_folder(settings: Settings, folder: Path, compare: Sequence[str], *, now: datetime) -> Report:
    """Measure a folder in BEIR layout.

    Args:
        settings: As they are.
        folder: The judged set.
        compare: `KEY=VALUE` below `retrieval.`, for a second run to compare with; empty for none.
        now: Time recorded in the throw-away index.

    Raises:
        InvalidSettings: A key or value to compare with does not exist.
        MalformedDataset: The folder cannot be read.
    """
    first = settings.retrieval
    second = override_retrieval(settings, compare) if compare else None
    judged = load_beir(folder)
    embedder, _ = load_model(first.embedding.model)
    if second is None:
        return Report(evaluate_set(judged, first, embedder, now=now))
    same_model = second.embedding == first.embedding
    other = embedder if same_model else load_model(second.embedding.model)[0]
    return _compared(*evaluate_twice(judged, (first, embedder), (second, other), now=now), INTERVAL_MEASURE)


def evaluate_vault(workspace: Workspace, compare: Sequence[str]) -> Report:
    """Measure a vault's index on its golden questions.

    Args:
        workspace: The vault.
        compare: See `evaluate_folder`; what decides what is stored cannot be compared on one index.

    Raises:
        IndexMissing: Nothing was indexed yet.
        InvalidSettings: A key or value to compare with does not exist; or the golden questions are not valid.
        NothingToMeasure: There is no golden question, or the comparison needs another index.
    """
    first = workspace.settings.retrieval
    questions = load_golden(workspace.vault.golden_file)
    open_index = _index_opener(workspace)

    def evaluate(settings: RetrievalSettings) -> GoldenEvaluation:
        with open_index(settings) as retriever:
            return evaluate_golden(retriever, settings, questions)

    if not compare:
        return Report(evaluate(first))
    second = override_retrieval(workspace.settings, compare)
    if (second.index, second.embedding) != (first.index, first.embedding):
        raise NothingToMeasure("index.* and embedding.* change what is stored; compare them on a judged folder instead")
    return _compared(evaluate(first), evaluate(second), GOLDEN_MEASURE)


def tune_vault(
    workspace: Workspace,
    *,
    apply: bool,
    now: datetime,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Tuning:
    """Look for one better weight, record the run, and write the weight down where that is wanted.

    Args:
        workspace: The vault.
        apply: Write an accepted change into `tuned.yaml`.
        now: Time of the run.
        progress: Told after each trial how many of how many are done.

    Raises:
        IndexMissing: Nothing was indexed yet.
        NothingToMeasure: There is no golden question to tune on.
    """
    vault, settings = workspace.vault, workspace.settings.retrieval
    questions = load_golden(vault.golden_file)
    found = tune(_index_opener(workspace), settings, questions, fixed=fixed_keys(workspace), progress=progress)
    run = {"at": now.isoformat(), "event": TRIED, **tuning_as_dict(found)}
    if apply and found.best:
        before = read_mapping(vault.tuned_file)
        change = found.best.change
        append_run(vault.quality_file, run | {"event": APPLIED, "weights_before": before})
        write_tuned(vault.tuned_file, merge(before, nested(change.key, change.new)))
    else:
        append_run(vault.quality_file, run)
    return found


def fixed_keys(workspace: Workspace) -> frozenset[str]:
    """Return the weights a person has set in `sluice.yaml`: a tuned one would have no effect beside them."""
    written = read_mapping(workspace.vault.settings_file)
    return frozenset(c.key for c in changes(workspace.settings.retrieval) if names_key(written, c.key))


def roll_back(workspace: Workspace, *, now: datetime) -> dict[str, object] | None:
    """Write back the weights from before the last applied change.

    Returns:
        The change that was taken back, or None where there is none.
    """
    vault = workspace.vault
    run = last_applied(vault.quality_file)
    if run is None:
        return None
    write_tuned(vault.tuned_file, run["weights_before"])
    taken_back: dict[str, object] = {"change": run.get("change"), "weights": run["weights_before"]}
    append_run(vault.quality_file, {"at": now.isoformat(), "event": ROLLED_BACK, **taken_back})
    return taken_back


def tuning_as_dict(found: Tuning) -> dict[str, object]:
    """Return a run as `sluice tune --json` prints it and the quality log keeps it."""
    best = found.best
    change = None
    if best:
        change = {
            "key": best.change.key,
            "from": best.change.old,
            "to": best.change.new,
            "mrr": round(best.mrr, _ROUNDED_TO),
            "held_out_mrr": round(best.held_out_mrr, _ROUNDED_TO),
        }
    return {
        "questions": found.questions,
        "held_out": found.held_out,
        "mrr": round(found.mrr, _ROUNDED_TO),
        "held_out_mrr": round(found.held_out_mrr, _ROUNDED_TO),
        "tried": len(found.trials),
        "refused": found.refused,
        "change": change,
    }


def _compared(first: SetEvaluation | GoldenEvaluation, second: SetEvaluation | GoldenEvaluation, by: str) -> Report:
    leg = HYBRID if HYBRID in first.scores and HYBRID in second.scores else "keyword"
    return Report(first, second, compare_paired(first.values(leg, by), second.values(leg, by), leg=leg, measure=by))


def _index_opener(workspace: Workspace) -> Callable[[RetrievalSettings], Retriever]:
    """Return an opener of the vault's index that loads the model once and asks both legs whatever they weigh."""
    load_once = cache(load_embedder)
    # Opened this way once, so that a missing index is named before anything is measured.
    Retriever.open(workspace.vault.index_file).close()

    def open_index(settings: RetrievalSettings) -> Retriever:
        asking = replace(settings, fusion=FusionSettings())
        return Retriever(open_for_reading(workspace.vault.index_file), asking, load_once)

    return open_index
