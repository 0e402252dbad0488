"""JSON and YAML as lines of `key.path: value`, the form in which a search by words finds them."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING

from retrieval.markdown.fences import find_fences

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHARS = 200_000
"""Characters of JSON that are flattened; longer text stays as it is. Our choice (YAML has its own, lower limit)."""

MAX_LINES = 5_000
"""Lines a value may become; beyond, the text stays as it is. Our choice."""

MAX_DEPTH = 20
"""Keys in one path; deeper values are written as compact JSON. Our choice."""

_FENCE_GATES = ("```json", "```yaml", "```yml", "``` json", "``` yaml", "~~~json", "~~~yaml", "~~~yml")


class DataFormat(StrEnum):
    """Formats that can be flattened, by the name fences and file endings give them."""

    JSON = "json"
    YAML = "yaml"


def flatten(text: str, kind: str) -> str:
    """Write a JSON or YAML text as `key.path: value` lines.

    Args:
        text: The text; elements of lists are numbered from 0 (`servers.0.port: 80`).
        kind: `json`, `yaml` or `yml`, in any case.

    Returns:
        The lines, or the text itself where it cannot be read, is no structure, or is beyond the limits above.
    """
    value = _parse_json(text) if kind.lower() == DataFormat.JSON else _parse_yaml(text)
    if not isinstance(value, dict | list) or not value:
        return text
    lines: list[str] = []
    try:
        for line in _lines(value, "", 0):
            if len(lines) == MAX_LINES:
                return text
            lines.append(line)
    except (RecursionError, ValueError, TypeError):
        return text
    return "\n".join(lines)


def searchable_text(chunk_text: str) -> str:
    """Return a passage with its fenced JSON and YAML flattened, for the index alone.

    Returns:
        The same object where there is nothing to flatten.
    """
    if not ("```" in chunk_text or "~~~" in chunk_text) or not any(gate in chunk_text for gate in _FENCE_GATES):
        return chunk_text
    pieces: list[str] = []
    position = 0
    for fence in find_fences(chunk_text):
        kind = fence.info.split(None, 1)[0].lower() if fence.info else ""
        if kind not in ("json", "yaml", "yml"):
            continue
        code = chunk_text[fence.code_start : fence.code_end]
        flat = flatten(code, kind)
        if flat is not code:
            pieces += (chunk_text[position : fence.code_start], flat, "\n")
            position = fence.code_end
    return "".join((*pieces, chunk_text[position:])) if pieces else chunk_text


def _parse_json(text: str) -> object:
    if len(text) > MAX_CHARS:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _parse_yaml(text: str) -> object:
    from retrieval.markdown.yaml_loading import load_yaml  # noqa: PLC0415  few notes hold YAML

    # A scalar such as a problem report is no structure and leaves the text alone, like any failure.
    return load_yaml(text)


def _lines(value: object, path: str, depth: int) -> Iterator[str]:
    match value:
        case dict() if value and depth < MAX_DEPTH:
            for key, item in value.items():
                yield from _lines(item, f"{path}.{key}" if path else str(key), depth + 1)
        case list() if value and depth < MAX_DEPTH:
            for index, item in enumerate(value):
                yield from _lines(item, f"{path}.{index}" if path else str(index), depth + 1)
        case _:
            yield f"{path}: {_scalar(value)}"


def _scalar(value: object) -> str:
    match value:
        case str():
            return " ".join(value.split())
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case dict() | list():
            return json.dumps(value, ensure_ascii=False, default=str)
        case _:
            return str(value)
