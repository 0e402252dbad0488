"""The YAML block at the top of a note."""

from __future__ import annotations

import re

from retrieval.markdown.yaml_loading import MAX_YAML_CHARS, YamlProblem, load_yaml
from retrieval.types import Frontmatter

_BYTE_ORDER_MARK = "\ufeff"
_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_LOOKS_LIKE_A_KEY = re.compile(r"[A-Za-z][\w-]{0,60}:(?:[ \t\r\n]|$)")
_BLOCK_SCALAR = re.compile(r"[|>][+-]?[0-9]?")

_BLOCK_FIRST_LINE = 2
_MAX_KEY_CHARS = 100
_QUOTED_MIN = 2


def parse_frontmatter(text: str) -> Frontmatter:
    """Split a note into its YAML block and its body.

    Only a block that opens on the first line counts, closed by `---` or `...`; rules further down are body.
    Where the YAML is broken, simple `key: value` lines and lists of one level are read all the same, so that
    title and tags survive one bad line.

    Args:
        text: The whole note; a byte order mark at its beginning is not part of it.
    """
    start = 1 if text.startswith(_BYTE_ORDER_MARK) else 0
    opening = _OPENING.match(text, start)
    if opening is None:
        return Frontmatter({}, text[start:], 1)
    closing = _CLOSING.search(text, opening.end())
    if closing is None:
        unclosed = _LOOKS_LIKE_A_KEY.match(text, opening.end())
        return Frontmatter({}, text[start:], 1, "the block opened on line 1 is never closed" if unclosed else "")
    block = text[opening.end() : closing.start()]
    body_line = block.count("\n") + _BLOCK_FIRST_LINE + 1
    fields, problem = _read_block(block)
    return Frontmatter(fields, text[closing.end() + 1 :], body_line, problem)


def _read_block(block: str) -> tuple[dict[str, object], str]:
    match load_yaml(block):
        case YamlProblem(message=message, line=line):
            where = f"line {line + _BLOCK_FIRST_LINE - 1}: " if line else ""
            return _rescue(block[:MAX_YAML_CHARS]), where + message
        case None:
            return {}, ""
        case dict() as fields:
            return {_key_text(key): value for key, value in fields.items()}, ""
        case other:
            return {}, f"line {_BLOCK_FIRST_LINE}: holds a {type(other).__name__}, not keys and values"


def _key_text(key: object) -> str:
    match key:
        case str():
            return key
        case None:
            return "null"
        case bool():
            return str(key).lower()
        case _:
            return str(key)


def _rescue(block: str) -> dict[str, object]:
    """Read a broken block line by line: values at the margin, and the items of a list below a key."""
    fields: dict[str, object] = {}
    items: list[str] | None = None
    for line in block.split("\n"):
        stripped = line.strip()
        if stripped.startswith("- ") and items is not None:
            items.append(_unquote(stripped[2:].strip()))
            continue
        key, colon, value = line.partition(":")
        if not colon or line[:1] in " \t#-" or not key.strip() or len(key) > _MAX_KEY_CHARS:
            continue
        if value and not value[0].isspace():
            continue
        name, value = _unquote(key.strip()), value.strip()
        items = None
        if value and not _BLOCK_SCALAR.fullmatch(value):
            fields[name] = _rescue_value(value)
        elif not value:
            fields[name] = items = []
    return {name: value for name, value in fields.items() if value != []}


def _rescue_value(value: str) -> object:
    if value.startswith("[") and value.endswith("]") and not value.startswith("[["):
        return [_unquote(item.strip()) for item in value[1:-1].split(",") if item.strip()]
    return _unquote(value)


def _unquote(value: str) -> str:
    if len(value) >= _QUOTED_MIN and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
