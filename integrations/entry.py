"""The program `sluice`: plain searches and hooks are answered at once, everything else by the click application.

A coding agent starts a process for every prompt. Half of what such a process used to cost was importing libraries
that it did not need.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from integrations.plain_arguments import HookRequest, parse
from integrations.searching import Output, SearchRequest, context_output, search_output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from integrations.searching import ContextRequest


def main() -> None:
    """Run `sluice`."""
    try:
        output = answer(sys.argv[1:])
        if output is not None:
            _print(output)
            return
    except KeyboardInterrupt:  # as click says it
        sys.stderr.write("\nAborted!\n")
        sys.exit(1)
    except BrokenPipeError:  # whoever read has read enough; Python would complain again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    from integrations.cli import main as click_main  # noqa: PLC0415  30 ms that plain searches and hooks are spared

    try:
        click_main()
    except SystemExit as end:
        if end.code and _is_hook(sys.argv[1:]):
            # Whatever is wrong with the call: a code of 2 would erase the prompt a person has just typed.
            sys.exit(0)
        raise


def _is_hook(arguments: Sequence[str]) -> bool:
    """Tell whether the verb is `hook`, with `--vault FOLDER` before it or not."""
    after_vault = arguments[2:] if arguments[:1] == ["--vault"] else arguments
    return after_vault[:1] == ["hook"]


def answer(arguments: Sequence[str]) -> Output | None:
    """Answer a plain command line.

    Args:
        arguments: Without the program's name.

    Returns:
        What to print, or None where the click application has to do it: for another command, for wrong usage, and for
        an error, which it meets again and explains.
    """
    parsed = parse(arguments)
    if parsed is None:
        return None
    vault, request = parsed
    gc.disable()  # a process that ends in a moment need not look for cycles: a twentieth of its time
    if isinstance(request, HookRequest):
        from integrations.hooks.command import run_hook  # noqa: PLC0415  only for hooks

        line = run_hook(vault, request.event, sys.stdin.buffer.read())
        return Output(f"{line}\n" if line else "")
    return _answer_search(vault, request)


def _answer_search(vault: str | None, request: SearchRequest | ContextRequest) -> Output | None:
    from datetime import UTC, datetime  # noqa: PLC0415  hooks need no clock
    from pathlib import Path  # noqa: PLC0415  the click application imports it by itself

    from config.errors import ConfigError  # noqa: PLC0415  same
    from integrations.search_target import open_search_target  # noqa: PLC0415  same
    from retrieval.errors import RetrievalError  # noqa: PLC0415  same

    try:
        target = open_search_target(vault, os.environ, Path.cwd())
        if isinstance(request, SearchRequest):
            return search_output(target, request, datetime.now(UTC))
        output = context_output(target, request)
    except (ConfigError, RetrievalError):
        return None
    return None if "\x1b" in output.data else output  # click drops escape sequences unless it prints to a terminal


def _print(output: Output) -> None:
    sys.stdout.write(output.data)
    sys.stdout.flush()
    if output.messages:
        sys.stderr.write("".join(f"{message}\n" for message in output.messages))
