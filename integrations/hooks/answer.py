"""Answering one hook event. A hook never breaks a session: whatever goes wrong, it is silent and exits 0."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from integrations.hooks.protocol import HookEvent, context_output, parse_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from integrations.workspace import Workspace

log = logging.getLogger(__name__)


def answer_hook(event_name: str, data: bytes, open_vault: Callable[[Path | None], Workspace]) -> str:
    """Return what the hook prints: one JSON object, or nothing.

    Args:
        event_name: As given to `sluice hook`.
        data: Standard input.
        open_vault: Finds the vault, given the session's working directory.
    """
    try:
        event = HookEvent(event_name)
    except ValueError:
        log.warning("no answer to the event %r", event_name)
        return ""
    received = parse_input(data)
    if received is None or not received.prompt:
        return ""
    try:
        from integrations.hooks.recall import recall  # noqa: PLC0415  trivial events never get here

        workspace = open_vault(Path(received.cwd) if received.cwd else None)
        block = recall(workspace, received.prompt)
    except Exception:  # outer boundary: the host would show any failure to the person in the middle of their work
        log.exception("the %s hook failed", event.value)
        return ""
    return context_output(event, block.text) if block.text else ""
