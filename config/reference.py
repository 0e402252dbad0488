"""The configuration reference, generated from the settings tree so that it cannot be out of date."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from config.ranges import Range
from config.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTRODUCTION = """\
# Configuration

Settings of a vault lie in `VAULT/.sluice/sluice.yaml`. Every key has a default; write down only what is to be
different. An unknown key, or a value outside its range, is an error that names the key and the nearest known one.
Feeds lie in `feeds.yaml` and domains in `domains.yaml` beside it.

This page is generated from `config/settings.py` by `scripts/write_reference.py`.
"""


def render_reference() -> str:
    """Return the reference as Markdown: one table per section of the settings file."""
    return "\n".join([_INTRODUCTION, *_section(Settings, "")])


def _section(node: type, prefix: str) -> Iterator[str]:
    hints = get_type_hints(node, include_extras=True)
    plain = [f for f in fields(node) if not is_dataclass(hints[f.name])]
    if plain:
        yield f"## {prefix}\n\n{node.__doc__}\n"
        yield "| key | default | range | meaning |\n|---|---|---|---|"
        yield from (_row(f, hints[f.name], prefix) for f in plain)
        yield ""
    for item in fields(node):
        if is_dataclass(hints[item.name]):
            yield from _section(hints[item.name], f"{prefix}.{item.name}" if prefix else item.name)


def _row(item: Field[Any], hint: object, prefix: str) -> str:
    default = item.default_factory() if item.default_factory is not MISSING else item.default
    meaning = item.metadata["doc"]
    return f"| `{prefix}.{item.name}` | `{_literal(default)}` | {_range(hint)} | {meaning} |"


def _literal(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value)


def _range(hint: object) -> str:
    """Describe what is allowed: a choice, or limits."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return " or ".join(f"`{member.value}`" for member in hint)
    for mark in get_args(hint)[1:]:
        if isinstance(mark, Range):
            low = _limit(mark.ge, "from {}") or _limit(mark.gt, "above {}")
            return " ".join(part for part in (low, _limit(mark.le, "to {}")) if part)
    return ""


def _limit(value: float | None, words: str) -> str:
    return "" if value is None else words.format(f"{value:g}")
