"""Where log records go: a rotating file in the vault's state folder, and standard error where a person watches.

Never standard output: it is the wire of hooks and, later, of MCP.
"""

from __future__ import annotations

import logging
import sys
from logging.handlers import RotatingFileHandler
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_MAX_BYTES = 1_000_000
_KEPT_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def configure_logging(state: Path, *, to_stderr: bool) -> None:
    """Send the records of this process to STATE/sluice.log.

    Args:
        state: The vault's state folder.
        to_stderr: Whether a person watches standard error, too.
    """
    handlers: list[logging.Handler] = [
        RotatingFileHandler(state / "sluice.log", maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8")
    ]
    if to_stderr:
        handlers.append(logging.StreamHandler(sys.stderr))
    logging.basicConfig(level=logging.INFO, format=_FORMAT, handlers=handlers, force=True)
    for chatty in ("apscheduler", "httpx", "httpcore"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
