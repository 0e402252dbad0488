"""VAULT/.sluice/tuned.yaml: the weights that tuning found, in a file of their own.

Tuning never edits `sluice.yaml`: what a person wrote there stays, and holds where both files name a key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from config.atomic_write import write_text_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_HEAD = "# Written by `sluice tune --apply`; taken back by `sluice tune --rollback`. sluice.yaml overrules it.\n"


def write_tuned(path: Path, weights: Mapping[str, object]) -> None:
    """Replace the tuned weights; none at all remove the file.

    Args:
        path: The file; its folder is created where it does not exist.
        weights: Nested mapping as in `sluice.yaml`.
    """
    import yaml  # noqa: PLC0415  see config.loading.read_yaml

    if not weights:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text_atomically(path, _HEAD + yaml.safe_dump(dict(weights), sort_keys=True, allow_unicode=True))
