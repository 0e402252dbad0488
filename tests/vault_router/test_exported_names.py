"""The public surface of the router."""

from __future__ import annotations

import vault_router


def test_the_public_names_are_sorted_and_there() -> None:
    """`__all__` and the module agree."""
    assert vault_router.__all__ == sorted(vault_router.__all__)
    assert all(hasattr(vault_router, name) for name in vault_router.__all__)
