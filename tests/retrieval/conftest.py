"""A vault, an index and a small real embedding model for the tests of retrieval."""

from __future__ import annotations

import hashlib
import re
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import apsw
import numpy as np
import pytest

from config.settings import IndexSettings, RetrievalSettings
from retrieval.embedding.types import Embedder, Prompts
from retrieval.indexing import index_vault
from retrieval.retriever import Retriever
from retrieval.store.connection import open_for_reading
from retrieval.store.passage_text import unpack_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from retrieval.types import IndexReport

NOW = datetime(2025, 6, 1, 12, 0, tzinfo=UTC)


class WordHashEmbedder:
    """A bag of words in which each word of Latin letters has a direction of its own, derived from its hash."""

    def __init__(self, seen: list[str], name: str = "word-hash", dimension: int = 64) -> None:
        self.seen = seen
        self.name = name
        self.dimension = dimension
        self.fingerprint = f"{name}:{dimension}"
        self.prompts = Prompts()

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, and note down which."""
        self.seen.extend(texts)
        rows = [self.embed_query(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a query: the normalised sum of the directions of its words, zero where it has none."""
        total = np.zeros(self.dimension, np.float32)
        for word in re.findall(r"[a-zäöüß0-9_]+", text.lower()):
            digest = hashlib.blake2b(word.encode(), digest_size=self.dimension).digest()
            total += np.frombuffer(digest, np.uint8).astype(np.float32) - 127.5
        norm = float(np.linalg.norm(total))
        return total / np.float32(norm) if norm else total


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def index_file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "index.db"


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def embedded() -> list[str]:
    """Every text the embedder was asked for, in order."""
    return []


@pytest.fixture
def make_embedder(embedded: list[str]) -> Callable[..., Embedder]:
    """Return a maker of embedders; another name makes another fingerprint."""

    def make(name: str = "word-hash") -> Embedder:
        return WordHashEmbedder(embedded, name)

    return make


@pytest.fixture
def embedder(make_embedder: Callable[..., Embedder]) -> Embedder:
    return make_embedder()


@pytest.fixture
def write_note(vault: Path) -> Callable[[str, str | bytes], Path]:
    """Return a writer of files below the vault."""

    def write(path: str, text: str | bytes) -> Path:
        file = vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    return write


@pytest.fixture
def run_index(vault: Path, index_file: Path, embedder: Embedder) -> Callable[..., IndexReport]:
    """Return an indexer of the vault; keywords are those of `index_vault`, and `settings` and `embedder`."""

    def run(**options: Any) -> IndexReport:  # noqa: ANN401  handed on as they are
        arguments: dict[str, Any] = {"settings": IndexSettings(), "embedder": embedder, "now": NOW} | options
        return index_vault(vault, index_file, **arguments)

    return run


@pytest.fixture
def open_retriever(index_file: Path, embedder: Embedder) -> Iterator[Callable[..., Retriever]]:
    """Return an opener of the index that searches with the embedder of the tests."""
    with ExitStack() as opened:

        def open_index(settings: RetrievalSettings | None = None) -> Retriever:
            connection = open_for_reading(index_file)
            retriever = Retriever(connection, settings or RetrievalSettings(), lambda _model: embedder)
            return opened.enter_context(retriever)

        yield open_index


@pytest.fixture
def read_index(index_file: Path) -> Callable[..., list[tuple[Any, ...]]]:
    """Return a reader of everything an index says about passages, after checking that its parts agree."""

    def read(file: Path = index_file) -> list[tuple[Any, ...]]:
        connection = apsw.Connection(str(file))
        try:
            connection.execute("INSERT INTO postings (postings) VALUES ('integrity-check')")
            postings = {i for (i,) in connection.execute("SELECT rowid FROM postings")}
            chunks = {i for (i,) in connection.execute("SELECT id FROM chunks")}
            vectors = {i for (i,) in connection.execute("SELECT chunk_id FROM vectors")}
            assert postings == chunks
            assert vectors <= chunks
            rows = connection.execute(
                "SELECT path, hash, title, context, date, source, section, first_line, last_line, text, code "
                "FROM files f LEFT JOIN chunks c ON c.file_id = f.id LEFT JOIN vectors v ON v.chunk_id = c.id "
                "ORDER BY path, first_line, last_line, text, section"
            ).fetchall()
            return [(*row[:-2], unpack_text(row[-2]) if isinstance(row[-2], bytes) else None, row[-1]) for row in rows]
        finally:
            connection.close()

    return read
