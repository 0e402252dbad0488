"""Command lines that are understood without a parser: plain uses of the three commands that must answer at once.

Whatever is unusual, an error above all, is left to the click application, so that there is one place that explains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from integrations.searching import ContextRequest, SearchRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LIMIT = 1000
"""Most results that may be asked for."""

MODES = ("hybrid", "keyword", "vector")

_SHARED = {"--vault": "text", "--json": "flag", "--text": "flag"}
_OPTIONS = {
    "search": _SHARED | {"-n": "number", "--mode": "text", "--max-tokens": "number", "--explain": "flag"},
    "context": _SHARED | {"--max-tokens": "number"},
    "hook": _SHARED,
}
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class HookRequest:
    """What `sluice hook` was asked.

    Attributes:
        event: As typed.
    """

    event: str


Request = SearchRequest | ContextRequest | HookRequest


def parse(arguments: Sequence[str]) -> tuple[str | None, Request] | None:
    """Take a command line apart.

    Args:
        arguments: Without the program's name.

    Returns:
        The vault that was named, if any, and the request; None for everything that is not plain.
    """
    vault, rest = _leading_vault(arguments)
    if not rest or rest[0] not in _OPTIONS or not all(map(_is_sound, arguments)):
        return None
    command = rest[0]
    taken = _take_options(rest[1:], _OPTIONS[command])
    if taken is None:
        return None
    words, values = taken
    request = _request(command, words, values)
    return None if request is None else (values.get("--vault") or vault, request)


def _leading_vault(arguments: Sequence[str]) -> tuple[str | None, Sequence[str]]:
    """Take `--vault FOLDER` before the command's name."""
    if arguments and arguments[0].startswith("--vault="):
        return arguments[0].partition("=")[2], arguments[1:]
    if len(arguments) > 1 and arguments[0] == "--vault" and not arguments[1].startswith("-"):
        return arguments[1], arguments[2:]
    return None, arguments


def _is_sound(argument: str) -> bool:
    """Tell text from bytes that are no UTF-8, which only the click application knows how to print."""
    return argument.isascii() or argument.encode("utf-8", "ignore").decode() == argument


def _take_options(arguments: Sequence[str], known: dict[str, str]) -> tuple[list[str], dict[str, str]] | None:
    """Part words from options; None where something is neither."""
    words: list[str] = []
    values: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            return words + list(rest), values
        if argument == "-" or not argument.startswith("-"):
            words.append(argument)
            continue
        name, equals, value = argument.partition("=")
        kind = known.get(name)
        if kind is None or (equals and (kind == "flag" or name == "-n")):
            return None
        if kind != "flag" and not equals:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        if kind == "number" and not (value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS):
            return None
        values["--json" if name == "--text" else name] = name if kind == "flag" else value
    return words, values


def _request(command: str, words: list[str], values: dict[str, str]) -> Request | None:
    if not words:
        return None
    as_json = values.get("--json") == "--json"
    max_tokens = int(values["--max-tokens"]) if "--max-tokens" in values else None
    limit, mode = int(values.get("-n", "10")), values.get("--mode", "hybrid")
    if max_tokens == 0 or not 1 <= limit <= MAX_LIMIT or mode not in MODES:
        return None
    if command == "search":
        return SearchRequest(" ".join(words), limit, mode, max_tokens, "--explain" in values, as_json)
    if command == "context":
        return ContextRequest(" ".join(words), max_tokens, as_json)
    return HookRequest(words[0]) if len(words) == 1 else None
