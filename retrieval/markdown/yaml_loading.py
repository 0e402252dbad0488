"""Reading YAML that anybody may have written: every failure is a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime  # noqa: TC003  the latter two are what a caller gets back

import yaml

MAX_YAML_CHARS = 64 * 1024
"""Characters of YAML that are parsed. Our choice: a thousand times what a note's properties need."""

_TAG = "tag:yaml.org,2002:"
_PLAIN_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")

# What PyYAML's constructors let through besides its own errors when a tagged value has the wrong form,
# e.g. `!!int ''` (IndexError), `!!bool x` (KeyError), `!!binary ä` (ValueError).
_CONSTRUCTION_ERRORS = (ValueError, TypeError, AttributeError, LookupError, OverflowError, RecursionError)


@dataclass(frozen=True, slots=True)
class YamlProblem:
    """Why a piece of YAML could not be read.

    Attributes:
        message: What is wrong.
        line: Line of the YAML it was noticed on, from 1, or None where that is not known.
    """

    message: str
    line: int | None = None


class _NoteLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Safe loading where a value changes its type only if nothing of what was written is lost.

    YAML 1.1 turns `no` into False, `1.10` into 1.1, `12:30` into 750 and `007` into 7. In a note these are a
    word, a version, a time and a name, so they stay text; `true`, `42`, `0.5` and dates are read as such.
    """


def _integer(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int | str:
    text = str(loader.construct_scalar(node))
    return int(text) if _PLAIN_INTEGER.fullmatch(text) else text


def _decimal(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float | str:
    text = str(loader.construct_scalar(node))
    try:
        value = float(text)
    except ValueError:
        return text
    return value if repr(value) == text else text


def _timestamp(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> date | datetime | str:
    try:
        return loader.construct_yaml_timestamp(node)
    except _CONSTRUCTION_ERRORS:
        return str(loader.construct_scalar(node))


def _resolvers() -> dict[str, list[tuple[str, re.Pattern[str]]]]:
    kept: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items():
        dropped = {f"{_TAG}value", f"{_TAG}merge"}
        if first in "yYnNoO":
            dropped.add(f"{_TAG}bool")
        kept[first] = [rule for rule in rules if rule[0] not in dropped]
    return kept


_NoteLoader.yaml_implicit_resolvers = _resolvers()
_NoteLoader.add_constructor(f"{_TAG}int", _integer)
_NoteLoader.add_constructor(f"{_TAG}float", _decimal)
_NoteLoader.add_constructor(f"{_TAG}timestamp", _timestamp)


def load_yaml(text: str) -> object | YamlProblem:
    """Parse one YAML document.

    Args:
        text: Any text; above `MAX_YAML_CHARS` it is refused unread.

    Returns:
        The value, None for an empty document, or what is wrong. Documents with aliases are refused: their
        expansion has no bound, and no note needs them.
    """
    if len(text) > MAX_YAML_CHARS:
        return YamlProblem(f"is longer than {MAX_YAML_CHARS:,} characters")
    try:
        if "*" in text and "&" in text and (line := _first_alias(text)) is not None:
            return YamlProblem("aliases (*name) are not expanded", line)
        return yaml.load(text, Loader=_NoteLoader)  # type: ignore[no-any-return]  # noqa: S506  a SafeLoader
    except yaml.MarkedYAMLError as err:
        mark = err.problem_mark or err.context_mark
        return YamlProblem(str(err.problem or err.context), mark.line + 1 if mark else None)
    except yaml.reader.ReaderError as err:
        before = text.encode("utf-8", "surrogatepass")[: err.position]
        return YamlProblem("holds a character YAML does not allow", before.count(b"\n") + 1)
    except (yaml.YAMLError, *_CONSTRUCTION_ERRORS) as err:
        return YamlProblem(f"holds a value that cannot be read ({type(err).__name__})")


def _first_alias(text: str) -> int | None:
    for event in yaml.parse(text, Loader=_NoteLoader):
        if isinstance(event, yaml.AliasEvent):
            return event.start_mark.line + 1 if event.start_mark else 1
    return None
