"""Run the command line as `python -m integrations`."""

from __future__ import annotations

from integrations.entry import main

main()
