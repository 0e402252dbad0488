"""Editing a YAML list of a vault line by line: what a person wrote stays byte for byte."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

import yaml

from config.atomic_write import write_text_atomically
from config.errors import UnreadableConfig

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_DOCUMENT_END = re.compile(r"\.\.\.(?:\s|$)")
_FOREIGN_LINE_ENDS = "\x85\u2028\u2029"
"""Line ends to YAML 1.1, which PyYAML writes as they are and reads back as blanks; they are written escaped instead."""


def append_entries(path: Path, entries: Sequence[Mapping[str, object]], *, example: str) -> None:
    """Add entries at the end of a list; without entries nothing is touched.

    Args:
        path: The file, valid or missing; its folder is created where it does not exist.
        entries: Mappings of plain values.
        example: How an entry looks on a line of its own, for the message.

    Raises:
        UnreadableConfig: The file cannot be edited line by line; nothing is written.
    """
    if not entries:
        return
    text = _read(path)
    sequence = _sequence(path, text, example)
    indent = sequence.start_mark.column if sequence else 0
    plain = [dict(entry) for entry in entries]
    block = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=10_000)
    if any(c in block for c in _FOREIGN_LINE_ENDS):
        block = yaml.safe_dump(plain, sort_keys=False, width=10_000)
    lines = "".join(f"{' ' * indent}{line}\n" for line in block.split("\n")[:-1])
    head, tail = _split_end(text)
    new = head + ("" if not head or head.endswith("\n") else "\n") + lines + tail
    _save(path, new, expected=[*_entries(text), *plain])


def remove_entry(path: Path, position: int, *, example: str) -> None:
    """Take one entry out, with the lines that belong to it alone.

    Args:
        path: The file; valid.
        position: Place in the list, from 0.
        example: See `append_entries`.

    Raises:
        UnreadableConfig: The file cannot be edited line by line; nothing is written.
    """
    text = _read(path)
    sequence = _sequence(path, text, example)
    assert sequence is not None
    lines = text.splitlines(keepends=True)
    starts = [_dash_line(lines, item.start_mark.line, sequence.start_mark.column) for item in sequence.value]
    first = starts[position]
    end = sequence.end_mark.line + bool(sequence.end_mark.column)  # amid a line where the file ends without a break
    last = starts[position + 1] if position + 1 < len(starts) else end
    # Comments and blank lines before the next entry belong to that entry.
    while last > first + 1 and lines[last - 1].strip()[:1] in {"", "#"}:
        last -= 1
    kept = _entries(text)
    del kept[position]
    _save(path, "".join(lines[:first] + lines[last:]), expected=kept)


def _read(path: Path) -> str:
    """Read the text with its own line ends; the file was validated before."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            return handle.read()
    except FileNotFoundError:
        return ""


def _sequence(path: Path, text: str, example: str) -> yaml.SequenceNode | None:
    """Return the list as a node that knows its lines, or None where there is none yet."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        return None
    if not isinstance(node, yaml.SequenceNode) or node.flow_style or "\n---" in text:
        raise UnreadableConfig(f"{path}: write one entry per line, as in {example!r}, so that it can be edited")
    return node


def _dash_line(lines: list[str], line: int, column: int) -> int:
    """Find the line with the dash of an entry whose content may begin on a later line."""
    while lines[line][column : column + 1] != "-":
        line -= 1
    return line


def _split_end(text: str) -> tuple[str, str]:
    """Part a text before a final `...`, after which YAML allows no further entry."""
    lines = text.splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if _DOCUMENT_END.match(line)), len(lines))
    return "".join(lines[:at]), "".join(lines[at:])


def _entries(text: str) -> list[object]:
    return list(yaml.safe_load(text) or [])


def _save(path: Path, text: str, *, expected: list[object]) -> None:
    """Save a text once it is certain that it holds the expected entries and nothing else."""
    try:
        found = _entries(text)
    except (yaml.YAMLError, TypeError):
        found = None
    if found != expected:
        raise UnreadableConfig(f"{path}: cannot be edited line by line; nothing was changed, so edit it by hand")
    path.parent.mkdir(parents=True, exist_ok=True)
    marked = path.is_file() and path.read_bytes().startswith(BOM_UTF8)
    write_text_atomically(path, f"\ufeff{text}" if marked else text)
