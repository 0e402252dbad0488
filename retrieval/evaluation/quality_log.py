"""What every tuning run found and changed: one JSON line each, in the order of the runs."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

APPLIED = "applied"
"""Event of a run that changed a weight."""

TRIED = "tried"
"""Event of a run that changed nothing."""

ROLLED_BACK = "rolled back"
"""Event of a run that took the last change back."""


def append_run(path: Path, run: Mapping[str, object]) -> None:
    """Add one line.

    Args:
        path: The file; created where it does not exist.
        run: A JSON object with `event`, and with `weights_before` where the event is `applied`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as handle:
        size = handle.seek(0, os.SEEK_END)
        handle.seek(max(size - 1, 0))
        # A line that a full disk cut short must not take the next one with it.
        glue = b"" if not size or handle.read(1) == b"\n" else b"\n"
        handle.write(glue + json.dumps(run).encode() + b"\n")


def last_applied(path: Path) -> dict[str, Any] | None:
    """Return the last applied run that was not rolled back yet, or None.

    A line that cannot be read, such as one that a full disk cut short, is passed over.
    """
    applied: list[dict[str, Any]] = []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return None
    for line in lines:
        run = _parsed(line)
        if run.get("event") == APPLIED and isinstance(run.get("weights_before"), dict):
            applied.append(run)
        elif run.get("event") == ROLLED_BACK and applied:
            applied.pop()
    return applied[-1] if applied else None


def _parsed(line: str) -> dict[str, Any]:
    try:
        run = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return run if isinstance(run, dict) else {}
