"""The command line: parse, call one function, render.

Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing to do.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run `sluice`."""
    from integrations.cli.commands import sluice  # noqa: PLC0415  the entry point itself imports nothing

    sys.exit(sluice.main(prog_name="sluice", standalone_mode=True))
