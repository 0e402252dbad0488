"""Answers as JSON and as text: what the command line prints and, later, HTTP and MCP return."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from retrieval.types import Answer, SearchResult

_EXCERPT_CHARS = 240
_ROUNDED_TO = 6
"""Digits of a score in JSON: more would differ between processors."""


def answer_as_dict(answer: Answer, *, now: datetime) -> dict[str, object]:
    """Return an answer as `sluice search --json` prints it.

    Args:
        answer: What the retriever returned.
        now: For the age of the index.
    """
    return {
        "query": answer.query,
        "legs": {name: {"ran": leg.ran, "hits": leg.hits, "reason": leg.reason} for name, leg in answer.legs.items()},
        "fusion": answer.fusion,
        "index": {"age_s": max(0, round((now - answer.index_built).total_seconds()))},
        "omitted": answer.omitted,
        "results": [_result_as_dict(result) for result in answer.results],
    }


def answer_as_text(answer: Answer, *, explain: bool) -> Iterator[str]:
    """Yield the lines that `sluice search` prints for people.

    Args:
        answer: What the retriever returned.
        explain: Whether to say how each result came about.
    """
    if explain:
        yield f"fusion: {answer.fusion}"
        for name, leg in answer.legs.items():
            yield f"{name} leg: {f'{leg.hits} candidates' if leg.ran else leg.reason}"
    for number, result in enumerate(answer.results, 1):
        section = f" > {result.section}" if result.section else ""
        yield f"{number}. {result.title}{section}"
        yield f"   {result.path}:{result.lines[0]}-{result.lines[1]}"
        if explain:
            yield f"   score {result.score:.4f}; {_explain(result)}"
        yield f"   {_excerpt(result.text)}"
    if answer.omitted:
        yield f"({answer.omitted} more did not fit the token budget)"


def printable(line: str) -> str:
    """Make control characters visible: a note or feed must not drive the terminal."""
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in line)


def _result_as_dict(result: SearchResult) -> dict[str, object]:
    return {
        "path": result.path,
        "title": result.title,
        "section": result.section,
        "lines": list(result.lines),
        "text": result.text,
        "score": round(result.score, _ROUNDED_TO),
        "keyword_rank": result.keyword_rank,
        "vector_rank": result.vector_rank,
        "bm25": _rounded(result.bm25),
        "cosine": _rounded(result.cosine),
        "date": result.date.isoformat() if result.date else None,
        "source": result.source,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _ROUNDED_TO)


def _explain(result: SearchResult) -> str:
    keyword = vector = "none"
    if result.bm25 is not None:
        keyword = f"rank {result.keyword_rank}, BM25 {result.bm25:.2f}"
    if result.cosine is not None:
        place = f"rank {result.vector_rank}" if result.vector_rank else "not among the nearest"
        vector = f"{place}, cosine {result.cosine:.3f}"
    return f"keyword: {keyword}; vector: {vector}"


def _excerpt(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _EXCERPT_CHARS else flat[:_EXCERPT_CHARS].rsplit(" ", 1)[0] + " …"
