"""Bringing the index of a vault up to date."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.embedding.deferred import DeferredEmbedder
from retrieval.embedding.loading import load_embedder
from retrieval.errors import ModelUnavailable
from retrieval.indexing import index_vault

if TYPE_CHECKING:
    from datetime import datetime

    from config.settings import IndexSettings
    from integrations.workspace import Workspace
    from retrieval.embedding.types import Embedder
    from retrieval.indexing.run import Progress
    from retrieval.types import IndexReport

JOB = "index"
"""Name of the run in the ledger."""


def update_index(
    workspace: Workspace,
    *,
    now: datetime,
    full: bool = False,
    allow_mass_delete: bool = False,
    progress: Progress = lambda _done, _total: True,
) -> tuple[IndexReport, str]:
    """Index what is new or changed in the vault.

    Args:
        workspace: The vault.
        now: Time of the run.
        full: Index everything anew.
        allow_mass_delete: Delete whatever is gone, however much that is.
        progress: See `retrieval.indexing.run.Progress`.

    Returns:
        The report, and why new passages have no vectors, or an empty string where they have.

    Raises:
        IndexBusy: Another process is indexing.
        IndexDamaged: The file is not a database.
        MassDeletion: More files are gone than settings allow.
    """

    def run(embedder: Embedder | None) -> IndexReport:
        return index_vault(
            workspace.vault.root,
            workspace.vault.index_file,
            _index_settings(workspace),
            embedder,
            now=now,
            full=full,
            allow_mass_delete=allow_mass_delete,
            progress=progress,
        )

    try:
        return run(DeferredEmbedder(workspace.settings.retrieval.embedding.model)), ""
    except ModelUnavailable as err:
        return run(None), f"new passages get no vectors until the model is there and `sluice index` runs again: {err}"


def _index_settings(workspace: Workspace) -> IndexSettings:
    """Leave the drop folder out of the index, whatever it is called: what lies there was not judged yet."""
    settings = workspace.settings.retrieval.index
    return replace(settings, exclude=(*settings.exclude, workspace.settings.intake.drop_folder))


def report_as_dict(report: IndexReport, no_vectors: str) -> dict[str, object]:
    """Return a run as `sluice index --json` prints it.

    `problems` names every file that is not in the index, so `files` and `problems` add up to what was found;
    `warnings` names files that are in it with a remark.
    """
    rows = [{"path": p.path, "message": p.message} for p in report.problems if not p.indexed]
    warnings = [{"path": p.path, "message": p.message} for p in report.problems if p.indexed]
    return {
        "files": report.files,
        "chunks": report.chunks,
        "added": report.added,
        "updated": report.updated,
        "deleted": report.deleted,
        "unchanged": report.unchanged,
        "interrupted": report.interrupted,
        "reason": report.reason,
        "vectors": not no_vectors,
        "problems": rows,
        "warnings": warnings,
    }


def load_model(model: str) -> tuple[Embedder | None, str]:
    """Load the configured model; None, with the reason in one line, where search has to go by keywords."""
    try:
        return load_embedder(model), ""
    except ModelUnavailable as err:
        return None, str(err)
