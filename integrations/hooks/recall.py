"""Recalling what the vault knows about a prompt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval.context import build_context
from retrieval.retriever import Retriever

if TYPE_CHECKING:
    from integrations.search_target import SearchTarget
    from retrieval.context import ContextBlock


def recall(target: SearchTarget, prompt: str, *, max_tokens: int | None = None) -> ContextBlock:
    """Build the context block for a prompt.

    Args:
        target: The index.
        prompt: What the person typed.
        max_tokens: Length of the block; None takes the configured one.

    Raises:
        IndexMissing: Nothing was indexed yet.
        IndexDamaged: The index cannot be trusted.
    """
    settings = target.settings
    limits = settings.context if max_tokens is None else replace(settings.context, max_tokens=max_tokens)
    with Retriever.open(target.index_file, settings) as retriever:
        return build_context(retriever, prompt, limits)
