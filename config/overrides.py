"""Single settings named on a command line or changed by tuning: `fusion.vector_share=0.3`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from config.errors import InvalidSettings
from config.loading import merge, parse_settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from config.settings import RetrievalSettings, Settings

_PREFIX = "retrieval."


def override_retrieval(settings: Settings, assignments: Iterable[str]) -> RetrievalSettings:
    """Return the settings of retrieval with some keys changed, validated like a file.

    Args:
        settings: What holds otherwise.
        assignments: `KEY=VALUE` each, the key below `retrieval.`, the value as in YAML.

    Raises:
        InvalidSettings: A key is unknown, a value is not allowed, or the text is not `KEY=VALUE`.
    """
    data: dict[str, object] = asdict(settings)
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals or not key.strip():
            raise InvalidSettings(f"{assignment!r} is not KEY=VALUE, as in fusion.vector_share=0.3")
        data = merge(data, nested(_PREFIX + key.strip().removeprefix(_PREFIX), _yaml_value(value)))
    return parse_settings(data, origin="given here").retrieval


def nested(key: str, value: object) -> dict[str, object]:
    """Turn `a.b.c` and a value into `{a: {b: {c: value}}}`."""
    head, _, rest = key.partition(".")
    return {head: nested(rest, value) if rest else value}


def names_key(data: object, key: str) -> bool:
    """Tell whether a nested mapping holds a dotted key."""
    for part in key.split("."):
        if not isinstance(data, dict) or part not in data:
            return False
        data = data[part]
    return True


def _yaml_value(text: str) -> object:
    import yaml  # noqa: PLC0415  see config.loading.read_yaml

    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as err:
        raise InvalidSettings(f"{text!r} is not a YAML value") from err
