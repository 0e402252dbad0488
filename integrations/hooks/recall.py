"""Recalling what the vault knows about a prompt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from retrieval import ContextBlock, Retriever, build_context

if TYPE_CHECKING:
    from integrations.workspace import Workspace


def recall(workspace: Workspace, prompt: str, *, max_tokens: int | None = None) -> ContextBlock:
    """Build the context block for a prompt.

    Args:
        workspace: The vault.
        prompt: What the person typed.
        max_tokens: Length of the block; None takes the configured one.

    Raises:
        IndexMissing: Nothing was indexed yet.
        IndexDamaged: The index cannot be trusted.
    """
    settings = workspace.settings.retrieval
    limits = settings.context if max_tokens is None else replace(settings.context, max_tokens=max_tokens)
    with Retriever.open(workspace.vault.index_file, settings) as retriever:
        return build_context(retriever, prompt, limits)
