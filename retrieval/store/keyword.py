"""The keyword leg: BM25 over the postings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    from config.retrieval_settings import KeywordSettings

# FTS5 sorts by `rank` only after computing it twice; ordering by the function is about twice as fast.
_SEARCH = """
SELECT rowid, -bm25(postings, ?, ?, ?) AS score FROM postings
WHERE postings MATCH ? ORDER BY score DESC, rowid LIMIT ?
"""


def keyword_search(
    connection: apsw.Connection, match: str, weights: KeywordSettings, limit: int
) -> tuple[list[tuple[int, float]], str]:
    """Find the chunks that match an FTS5 expression best.

    Args:
        connection: An open index.
        match: Expression built by `retrieval.query.parsing`; empty finds nothing.
        weights: BM25 weights of the columns.
        limit: Most results.

    Returns:
        (chunk id, BM25) pairs, best first, and why there are none where the expression could not be evaluated.

    Source: BM25 as FTS5 computes it (k1 = 1.2, b = 0.75); FTS5 returns it negated.
    """
    if not match:
        return [], ""
    columns = (weights.text_weight, weights.section_weight, weights.context_weight)
    try:
        rows: list[Any] = connection.execute(_SEARCH, (*columns, match, limit)).fetchall()
    except apsw.SQLError as err:
        return [], f"the keyword index refused the query ({err})"
    return [(chunk_id, score) for chunk_id, score in rows], ""


def ids_matching(connection: apsw.Connection, match: str) -> frozenset[int]:
    """Return every chunk that matches an FTS5 expression; none for the empty one."""
    if not match:
        return frozenset()
    rows = connection.execute("SELECT rowid FROM postings WHERE postings MATCH ?", (match,))
    return frozenset(chunk_id for (chunk_id,) in rows)
