"""Answering one hook event. A hook never breaks a session: whatever goes wrong, it is silent and exits 0."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from integrations.hooks.protocol import HookEvent, context_output, parse_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from integrations.search_target import SearchTarget


def answer_hook(
    event_name: str,
    data: bytes,
    open_target: Callable[[Path | None], SearchTarget],
    report: Callable[[Exception], None],
) -> str:
    """Return what the hook prints: one JSON object, or nothing.

    Args:
        event_name: As given to `sluice hook`; an event that is not answered gets nothing.
        data: Standard input.
        open_target: Finds the index, given the session's working directory.
        report: Called with what went wrong, to record it.
    """
    try:
        event = HookEvent(event_name)
    except ValueError:
        return ""
    received = parse_input(data)
    if received is None or not received.prompt:
        return ""
    try:
        from integrations.hooks.recall import recall  # noqa: PLC0415  trivial events never get here

        target = open_target(Path(received.cwd) if received.cwd else None)
        block = recall(target, received.prompt)
    except Exception as err:  # noqa: BLE001  outer boundary: the host would show any failure to the person at their work
        report(err)
        return ""
    return context_output(event, block.text) if block.text else ""
