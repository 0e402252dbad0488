"""The word pieces of the embedding model, kept in the index so that a query can be embedded without loading a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from retrieval.embedding.query_encoder import QueryEncoder

if TYPE_CHECKING:
    from collections.abc import Mapping

    import apsw

    from retrieval.embedding.token_vectors import TokenVectors

_META_KEY = "query_encoder"
_VECTOR = "SELECT vector FROM tokens WHERE piece = ?"


def write_token_vectors(connection: apsw.Connection, tokens: TokenVectors) -> dict[str, str]:
    """Store word pieces in an empty table; call it inside a transaction.

    Returns:
        What has to be in the meta table beside them.
    """
    connection.executemany("INSERT INTO tokens VALUES (?, ?)", sorted(tokens.rows))
    described = {"number_format": tokens.number_format, "special": tokens.special, "prompt": tokens.prompt}
    return {_META_KEY: json.dumps(described)}


def query_encoder(connection: apsw.Connection, meta: Mapping[str, str]) -> QueryEncoder | None:
    """Return what embeds queries by the word pieces of an index, or None where it holds none."""
    if _META_KEY not in meta:
        return None

    def vector_of(piece: str) -> bytes | None:
        vector: bytes | None = connection.execute(_VECTOR, (piece,)).get
        return vector

    return QueryEncoder(vector_of, **json.loads(meta[_META_KEY]))
