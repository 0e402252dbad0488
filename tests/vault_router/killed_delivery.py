"""A delivery in a process of its own, started and killed by test_crash_safety.

Usage: killed_delivery.py VAULT LEDGER EVENTS. It kills itself before its EVENTS-th access to the file system, or
never where EVENTS is 0, and prints a line for each signal.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from config.domains import Domain
from config.settings import RoutingSettings
from intake.ledger import Ledger
from intake.types import Dimension, DomainMatch, ScoreCard
from vault_router.delivery import deliver
from vault_router.writer import NoteWriter

if TYPE_CHECKING:
    from intake.types import Signal

DOMAINS = (Domain("ai", "AI", "", 0.5, {}), Domain("web", "Work/Web", "", 0.9, {}))
FILE_EVENTS = {"open", "os.link", "os.mkdir", "os.remove", "os.rename", "os.scandir"}


def score(item: Signal) -> ScoreCard:
    """Score by the author's name, and by the id for the domain."""
    value = Dimension(float(item.author))
    names = ("ai", "web") if int(item.id, 16) % 3 else ("web", "ai")
    matches = tuple(DomainMatch(name, share) for name, share in zip(names, (0.8, 0.3), strict=True))
    return ScoreCard(value, value, value, value, float(item.author), matches, "test-1")


def kill_before(event_number: int) -> None:
    """Arrange for this process to be killed before one of its coming accesses to the file system."""
    left = event_number

    def count(event: str, _arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in FILE_EVENTS:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)


def tell(_result: object) -> None:
    """Tell the parent process that one more signal came to its end."""
    sys.stdout.write("done\n")
    sys.stdout.flush()


def main(vault: str, ledger_file: str, events: str) -> None:
    """Deliver what is pending."""
    with Ledger.open(Path(ledger_file)) as ledger:
        writer = NoteWriter(Path(vault), RoutingSettings())
        kill_before(int(events))
        deliver(
            ledger,
            score,
            DOMAINS,
            writer,
            RoutingSettings(),
            on_progress=tell,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
