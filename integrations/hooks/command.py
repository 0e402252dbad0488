"""`sluice hook`: what both ways into the program do with an event."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from integrations.hooks.answer import answer_hook
from integrations.search_target import open_search_target

if TYPE_CHECKING:
    from integrations.search_target import SearchTarget


def run_hook(vault: str | None, event: str, data: bytes) -> str:
    """Answer an event; a failure goes to the log file of the vault, where one is found.

    Args:
        vault: The vault that was named, if any; else the one around the session's folder.
        event: As given to `sluice hook`.
        data: Standard input.
    """
    found: list[SearchTarget] = []

    def open_target(session_folder: Path | None) -> SearchTarget:
        found.append(open_search_target(vault, os.environ, session_folder or Path.cwd()))
        return found[0]

    def report(failure: Exception) -> None:
        if not found:  # without a vault there is no log, and standard error would be shown in the session
            return
        import logging  # noqa: PLC0415  15 ms with its handlers, needed only where something failed

        from integrations.logs import configure_logging  # noqa: PLC0415  same

        configure_logging(found[0].index_file.parent, to_stderr=False)
        logging.getLogger(__name__).error("the %s hook failed", event, exc_info=failure)

    return answer_hook(event, data, open_target, report)
