"""What a vault, its ledger and its index hold, and whether everything works."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from intake.ledger import Ledger
from retrieval.errors import RetrievalError
from retrieval.store.inspection import IndexSummary, check_index, summarize_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from integrations.workspace import Workspace


def status_as_dict(workspace: Workspace, *, now: datetime) -> dict[str, object]:
    """Return the state of a vault as `sluice status --json` prints it."""
    with Ledger.open(workspace.vault.ledger_file) as ledger:
        counts = {state.value: number for state, number in ledger.counts().items()}
        states = ledger.feed_states()
    feeds = workspace.feeds()
    failing = [
        {"url": f.url, "error": states[f.url].last_error} for f in feeds if f.url in states and states[f.url].last_error
    ]
    return {
        "vault": str(workspace.vault.root),
        "state": str(workspace.vault.state),
        "feeds": {"subscribed": len(feeds), "failing": failing},
        "signals": counts,
        "index": _index_as_dict(workspace, now),
    }


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that `sluice doctor` looked at.

    Attributes:
        name: What was checked.
        ok: Whether it works.
        detail: What was found, and the way out where it does not work.
    """

    name: str
    ok: bool
    detail: str


def run_checks(workspace: Workspace) -> Iterator[Check]:
    """Check the vault, the ledger, the vector functions, the model and the index."""
    root = workspace.vault.root
    yield Check("vault", root.is_dir(), str(root))
    with Ledger.open(workspace.vault.ledger_file) as ledger:
        waiting = sum(1 for _ in ledger.pending())
    yield Check("ledger", ok=True, detail=f"{waiting} signals wait for the next ingest run")
    yield _check_model(workspace.settings.retrieval.embedding.model)
    try:
        faults = check_index(workspace.vault.index_file)
    except RetrievalError as err:
        yield Check("index", ok=False, detail=str(err))
        return
    yield Check("index", ok=not faults, detail="; ".join(faults) or "sound")


def _check_model(model: str) -> Check:
    from integrations.index_service import load_model  # noqa: PLC0415  imports numpy

    embedder, reason = load_model(model)
    if embedder is None:
        return Check("model", ok=False, detail=reason)
    return Check("model", ok=True, detail=f"{model}, {embedder.dimension} dimensions")


def _index_as_dict(workspace: Workspace, now: datetime) -> dict[str, object]:
    try:
        summary = summarize_index(workspace.vault.index_file)
    except RetrievalError as err:
        return {"usable": False, "reason": str(err)}
    return {"usable": True, **_summary_as_dict(summary, now)}


def _summary_as_dict(summary: IndexSummary, now: datetime) -> dict[str, object]:
    return {
        "age_s": max(0, round((now - summary.built).total_seconds())),
        "complete": summary.complete,
        "files": summary.files,
        "chunks": summary.chunks,
        "vectors": summary.vectors,
        "bytes": summary.size_bytes,
        "fingerprint": summary.fingerprint,
        "problems": [{"path": p.path, "message": p.message, "indexed": p.indexed} for p in summary.problems],
    }
