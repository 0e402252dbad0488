"""The whole pipeline on sample feeds, in a throw-away vault: `make demo`.

Everything happens below one folder and on the loopback interface; nothing of yours is read or changed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
FAILED = 1
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended


def main() -> int:
    """Run the demo and return its exit code."""
    sys.path.insert(0, str(REPOSITORY))
    from scripts.demo.sandbox import DemoFailed  # noqa: PLC0415  found once the repository is on the path
    from scripts.demo.walkthrough import walk_through  # noqa: PLC0415  same

    parser = argparse.ArgumentParser(prog="make demo", description=__doc__, allow_abbrev=False)
    parser.add_argument("--folder", type=Path, default=Path(".demo"), help="where to work; made anew each time")
    folder: Path = parser.parse_args().folder
    try:
        walk_through(folder)
    except DemoFailed as err:
        print(f"\ndemo failed: {err}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("\ndemo stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
