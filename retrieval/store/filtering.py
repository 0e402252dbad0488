"""Filters as SQL: which chunks may be found at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from retrieval.query.filters import Filter

# `instr` compares letters as they are: nothing in a value is a wildcard. Values and columns are case-folded.
_CONDITIONS = {
    "tag": "(instr(f.tags, char(10) || :v || char(10)) OR instr(f.tags, char(10) || :v || '/'))",
    "path": "instr(f.folded_path, :v)",
    "type": "f.type = :v",
    "domain": "(instr('/' || f.folded_path, '/' || :v || '/') OR instr(f.tags, char(10) || :v || char(10)))",
    "after": "coalesce(substr(f.date, 1, 10) >= :v, 0)",
    "before": "coalesce(substr(f.date, 1, 10) < :v, 0)",
}


def chunks_passing(filters: Sequence[Filter]) -> tuple[str, list[str]]:
    """Return a SELECT of the ids of the chunks whose notes meet every filter, and its parameters.

    A note without a date is neither after nor before any day.
    """
    conditions: list[str] = []
    values: list[str] = []
    for each in filters:
        condition = _CONDITIONS[each.kind]
        values.extend([each.value] * condition.count(":v"))
        conditions.append(f"{'NOT ' if each.excluded else ''}({condition.replace(':v', '?')})")
    where = " AND ".join(conditions) or "1"
    return f"SELECT c.id FROM chunks c JOIN files f ON f.id = c.file_id WHERE {where}", values  # noqa: S608  fixed texts


def ids_passing(connection: apsw.Connection, filters: Sequence[Filter]) -> frozenset[int]:
    """Return the ids of the chunks whose notes meet every filter."""
    return frozenset(chunk_id for (chunk_id,) in connection.execute(*chunks_passing(filters)))
