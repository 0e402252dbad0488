"""How the text of a passage is stored: compressed, for it is read only where it is returned."""

from __future__ import annotations

import zlib

from retrieval.errors import IndexDamaged

_LEVEL = 1
"""Of zlib: halves notes at some 60 MB/s; higher levels take several times as long for a tenth less."""


def pack_text(text: str) -> bytes:
    """Return what is stored for a text."""
    return zlib.compress(text.encode(), _LEVEL)


def unpack_text(stored: bytes) -> str:
    """Return the text again.

    Raises:
        IndexDamaged: The bytes are not what `pack_text` returned.
    """
    try:
        return zlib.decompress(stored).decode()
    except (zlib.error, UnicodeDecodeError) as err:
        raise IndexDamaged(
            f"a passage of the index cannot be read ({err}); rebuild it with: sluice index --full"
        ) from err
