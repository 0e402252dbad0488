"""What an index run has to do: the difference between the vault and the index."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.errors import MassDeletion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from retrieval.indexing.walk import FoundFile, Walk
    from retrieval.store.writer import StoredFile

_SMALL_INDEX = 20
"""Files below which a share means nothing: deleting two of five notes is everyday work."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of a run.

    Attributes:
        fresh: Files to read: new, or with another time or size than at the last run.
        gone: Files of the index that are no longer in the vault.
        unchanged: How many files need no look.
        lost: How many of the gone files were not merely moved.
    """

    fresh: tuple[FoundFile, ...]
    gone: tuple[StoredFile, ...]
    unchanged: int
    lost: int


def make_plan(walk: Walk, stored: Mapping[str, StoredFile]) -> Plan:
    """Compare by modification time in nanoseconds and by size; what lies in an unlistable folder is not gone.

    Moving a file keeps both, so a file that is gone counts as lost only where no new file has its time and size.
    """
    fresh = tuple(found for path, found in walk.files.items() if path not in stored or stored[path].stat != found.stat)
    gone = tuple(file for path, file in stored.items() if path not in walk.files and not _is_out_of_sight(path, walk))
    left = Counter((file.stat.mtime_ns, file.stat.size) for file in gone)
    arrived = Counter((f.stat.mtime_ns, f.stat.size) for f in fresh if f.stat.path not in stored)
    return Plan(fresh, gone, len(walk.files) - len(fresh), (left - arrived).total())


def check_deletions(plan: Plan, stored: int, share: float) -> None:
    """Refuse a run that would delete suspiciously much.

    Raises:
        MassDeletion: More than the given share of an index of more than a few files would go.
    """
    if stored > _SMALL_INDEX and plan.lost > share * stored:
        raise MassDeletion(
            f"{plan.lost:,} of {stored:,} indexed files are gone from the vault; if that is right, run: "
            "sluice index --allow-mass-delete"
        )


def _is_out_of_sight(path: str, walk: Walk) -> bool:
    return any(not place or path == place or path.startswith(place + "/") for place in walk.unreadable)
