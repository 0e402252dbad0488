"""Reading YAML and validating it against the settings tree, once, at the edge."""

from __future__ import annotations

import difflib
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, get_type_hints

from config.errors import InvalidSettings, UnreadableConfig
from config.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pydantic import TypeAdapter, ValidationError


def read_yaml(path: Path) -> object:
    """Parse a YAML file with the safe loader.

    Returns:
        The document, or None where the file does not exist or is empty.

    Raises:
        UnreadableConfig: The file cannot be read, is not UTF-8 or is not YAML.
    """
    import yaml  # noqa: PLC0415  costs 14 ms, and most commands have no YAML to read

    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as err:
        raise UnreadableConfig(f"{path}: cannot be read ({err}); fix its permissions or encoding") from err
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load(text, Loader=loader)  # noqa: S506  both are safe loaders, the first in C
    except (yaml.YAMLError, RecursionError, ValueError) as err:
        problem = str(err).replace("\n", " ")
        raise UnreadableConfig(f"{path}: not valid YAML ({problem}); correct the line it names") from err


def load_settings(path: Path, tuned: Path | None = None) -> Settings:
    """Read a settings file over tuned weights over the defaults.

    Args:
        path: Usually VAULT/.sluice/sluice.yaml; a missing file means all defaults.
        tuned: Usually VAULT/.sluice/tuned.yaml, which `sluice tune --apply` writes; where both files name a key, the
            person's own word in `path` holds.

    Raises:
        UnreadableConfig: A file is not readable YAML.
        InvalidSettings: A key is unknown, or a value has the wrong type or lies outside its range.
    """
    found = read_mapping(tuned) if tuned else {}
    if tuned and found:
        parse_settings(found, origin=str(tuned))
    data = merge(found, read_mapping(path))
    return parse_settings(data, origin=str(path)) if data else Settings()


def read_mapping(path: Path) -> dict[str, object]:
    """Parse a YAML file of `key: value` lines; a missing or empty one has none.

    Raises:
        UnreadableConfig: The file is not readable YAML.
        InvalidSettings: It holds something other than a mapping.
    """
    data = read_yaml(path)
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise InvalidSettings(f"{path}: expected 'key: value' lines, found {type(data).__name__}")
    return data


def merge(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Lay one nested mapping over another; what is above holds wherever both name a key."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both_nested = isinstance(under, dict) and isinstance(value, dict)
        merged[key] = merge(under, value) if both_nested else value  # type: ignore[arg-type]
    return merged


def parse_settings(data: Mapping[str, object], *, origin: str) -> Settings:
    """Validate a mapping against the settings tree.

    Args:
        data: Nested mapping as YAML gives it; missing keys take their defaults.
        origin: What to call the mapping in an error, such as its file name.

    Raises:
        InvalidSettings: With one line per fault: the key, the value and what is allowed.
    """
    from pydantic import ValidationError  # noqa: PLC0415  costs 40 ms, needed only where a file exists

    try:
        settings = _adapter().validate_python(dict(data))
    except ValidationError as err:
        raise InvalidSettings("\n".join(_fault_lines(err, origin))) from err
    _check_cross_rules(settings, origin)
    return settings


@cache
def _adapter() -> TypeAdapter[Settings]:
    from pydantic import TypeAdapter  # noqa: PLC0415  see parse_settings

    return TypeAdapter(Settings)


def _fault_lines(error: ValidationError, origin: str) -> list[str]:
    lines = []
    for fault in error.errors():
        key = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "unexpected_keyword_argument":
            lines.append(f"{origin}: unknown key {key!r}{_suggestion(fault['loc'])}")
        else:
            lines.append(f"{origin}: {key} is {fault['input']!r}: {fault['msg'].lower()}")
    return lines


def _suggestion(location: tuple[Any, ...]) -> str:
    """Name the nearest known key beside an unknown one."""
    node: Any = Settings
    for part in location[:-1]:
        node = get_type_hints(node).get(str(part), node)
    names = [f.name for f in fields(node)] if is_dataclass(node) else []
    near = difflib.get_close_matches(str(location[-1]), names, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; known here: {', '.join(names)}"


def _check_cross_rules(settings: Settings, origin: str) -> None:
    routing, weights, chunks = settings.routing, settings.intake.weights, settings.retrieval.index.chunks
    if routing.review_threshold > routing.keep_threshold:
        raise InvalidSettings(
            f"{origin}: routing.review_threshold {routing.review_threshold} lies above "
            f"routing.keep_threshold {routing.keep_threshold}; lower one or raise the other"
        )
    if chunks.overlap_chars * 2 > chunks.max_chars:
        raise InvalidSettings(
            f"{origin}: retrieval.index.chunks.overlap_chars {chunks.overlap_chars} is more than half of "
            f"max_chars {chunks.max_chars}; lower it, or passages would mostly repeat each other"
        )
    total = weights.relevance + weights.actionability + weights.depth + weights.authority
    if abs(total - 1.0) > 1e-6:  # noqa: PLR2004  rounding of decimal fractions
        raise InvalidSettings(f"{origin}: intake.weights sum to {total:g}; make them sum to 1")
