"""`sluice search` and `sluice context` without the command line around them: a request in, text out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from integrations.search_target import SearchTarget


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What `sluice search` was asked.

    Attributes:
        query: As typed.
        limit: Most results.
        mode: Name of a `SearchMode`.
        max_tokens: Budget of the texts, or None.
        explain: Whether to say how each result came about.
        as_json: Whether JSON is wanted.
    """

    query: str
    limit: int = 10
    mode: str = "hybrid"
    max_tokens: int | None = None
    explain: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What `sluice context` was asked.

    Attributes:
        prompt: As typed.
        max_tokens: Length of the block, or None for the configured one.
        as_json: Whether JSON is wanted.
    """

    prompt: str
    max_tokens: int | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """What a command prints.

    Attributes:
        data: For standard output, line ends included.
        messages: Lines for standard error.
    """

    data: str = ""
    messages: tuple[str, ...] = ()


def search_output(target: SearchTarget, request: SearchRequest, now: datetime) -> Output:
    """Answer `sluice search`.

    Raises:
        IndexMissing: Nothing was indexed yet.
        IndexDamaged: The index cannot be trusted.
    """
    from integrations.answer_format import answer_as_dict, answer_as_text, printable  # noqa: PLC0415  only here
    from retrieval.answers import SearchMode  # noqa: PLC0415  same
    from retrieval.retriever import Retriever  # noqa: PLC0415  imports SQLite

    with Retriever.open(target.index_file, target.settings) as retriever:
        answer = retriever.search(
            request.query, limit=request.limit, mode=SearchMode(request.mode), max_tokens=request.max_tokens
        )
    if request.as_json:
        return Output(_json_line(answer_as_dict(answer, now=now)))
    messages = [] if answer.results else ["nothing found"]
    if request.mode == SearchMode.HYBRID:
        messages += [f"without the {name} leg: {leg.reason}" for name, leg in answer.legs.items() if not leg.ran]
    lines = answer_as_text(answer, explain=request.explain)
    return Output("".join(f"{printable(line)}\n" for line in lines), tuple(messages))


def context_output(target: SearchTarget, request: ContextRequest) -> Output:
    """Answer `sluice context`.

    Raises:
        IndexMissing: Nothing was indexed yet.
        IndexDamaged: The index cannot be trusted.
    """
    from integrations.hooks.recall import recall  # noqa: PLC0415  imports SQLite

    block = recall(target, request.prompt, max_tokens=request.max_tokens)
    if request.as_json:
        found = {"text": block.text, "paths": [r.path for r in block.results], "omitted": block.omitted}
        return Output(_json_line(found | {"reason": block.reason}))
    return Output(block.text) if block.text else Output(messages=(block.reason,))


def _json_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
