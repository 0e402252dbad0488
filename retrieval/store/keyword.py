"""The keyword leg: BM25 over the postings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import apsw

from retrieval.query.expressions import compound_tokens
from retrieval.store.filtering import chunks_passing
from retrieval.store.vocabulary import find_compounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.retrieval_settings import KeywordSettings
    from retrieval.query.filters import Filter
    from retrieval.query.parsing import ParsedQuery

# FTS5 sorts by `rank` only after computing it twice; ordering by the function is about twice as fast.
_SEARCH = """
SELECT rowid, -bm25(postings, ?, ?, ?, ?) AS score FROM postings
WHERE postings MATCH ? {} ORDER BY score DESC, rowid LIMIT ?
"""
# The plus sign keeps SQLite from asking the full-text table once for every chunk that passes.
_FILTERED = "AND +rowid IN ({})"


def search_keywords(
    connection: apsw.Connection, parsed: ParsedQuery, weights: KeywordSettings, limit: int
) -> tuple[list[tuple[int, float]], str]:
    """Find the chunks that hold the words of a query best; names go first, compounds count in part.

    Args:
        connection: An open index.
        parsed: The query.
        weights: BM25 weights of the columns, and what names and compounds add.
        limit: Most results.

    Returns:
        See `keyword_search`.
    """
    words, refusal = keyword_search(connection, parsed.match, weights, limit, parsed.filters)
    if refusal:
        return words, refusal
    scores = dict(words)
    best = words[0][1] if words else 1.0
    named, _ = keyword_search(connection, parsed.names_match, weights, limit, parsed.filters)
    for chunk_id, _ in named:
        scores[chunk_id] = scores.get(chunk_id, 0.0) + weights.name_boost * best
    if weights.compound_weight:
        compounds = compound_tokens(find_compounds(connection, parsed.words))
        found, _ = keyword_search(connection, parsed.constrain(compounds), weights, limit, parsed.filters)
        for chunk_id, score in found:
            scores[chunk_id] = scores.get(chunk_id, 0.0) + weights.compound_weight * score
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit], ""


def keyword_search(
    connection: apsw.Connection,
    match: str,
    weights: KeywordSettings,
    limit: int,
    filters: Sequence[Filter] = (),
) -> tuple[list[tuple[int, float]], str]:
    """Find the chunks that match an FTS5 expression best.

    Args:
        connection: An open index.
        match: Expression built by `retrieval.query.expressions`; empty finds nothing.
        weights: BM25 weights of the columns.
        limit: Most results.
        filters: Conditions on their notes; they act before the choice of the best.

    Returns:
        (chunk id, BM25) pairs, best first, and why there are none where the expression could not be evaluated.

    Source: BM25 as FTS5 computes it (k1 = 1.2, b = 0.75); FTS5 returns it negated.
    """
    if not match:
        return [], ""
    columns = (weights.text_weight, weights.section_weight, weights.context_weight, 1.0)
    passing, values = chunks_passing(filters) if filters else ("", [])
    search = _SEARCH.format(_FILTERED.format(passing) if filters else "")
    try:
        rows: list[Any] = connection.execute(search, (*columns, match, *values, limit)).fetchall()
    except apsw.SQLError as err:
        return [], f"the keyword index refused the query ({err})"
    return [(chunk_id, score) for chunk_id, score in rows], ""


def ids_matching(connection: apsw.Connection, match: str) -> frozenset[int]:
    """Return every chunk that matches an FTS5 expression; none for the empty one."""
    if not match:
        return frozenset()
    rows = connection.execute("SELECT rowid FROM postings WHERE postings MATCH ?", (match,))
    return frozenset(chunk_id for (chunk_id,) in rows)
