"""The tables of the index, and what has to be equal for an index to be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.errors import IndexMissing

if TYPE_CHECKING:
    import apsw

    from config.settings import IndexSettings

SCHEMA_VERSION = 4
"""Raised with every change of a table below."""

TEXT_VERSION = 2
"""Raised when frontmatter, chunking, credential filter, word forms or the embedded prompt treat a note differently."""

# The text of a passage is compressed (see `passage_text`): only what is returned is ever read.
# The full-text table keeps no copy of the text, and rows are deleted by their id alone. With external content a
# deletion must present the old text exactly, or the index is silently wrong; this form cannot go wrong that way.
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    mtime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    hash BLOB NOT NULL,
    title TEXT NOT NULL,
    context TEXT NOT NULL,
    date TEXT,
    source TEXT NOT NULL,
    folded_path TEXT NOT NULL,
    type TEXT NOT NULL,
    tags TEXT NOT NULL
);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL REFERENCES files (id),
    section TEXT NOT NULL,
    text BLOB NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL
);
CREATE INDEX chunks_of_file ON chunks (file_id);
CREATE VIRTUAL TABLE postings USING fts5 (
    text, section, context, names,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE);
CREATE VIRTUAL TABLE word_parts USING fts5 (word, content = 'words', content_rowid = 'id', tokenize = 'trigram');
CREATE TABLE vectors (
    chunk_id INTEGER PRIMARY KEY REFERENCES chunks (id),
    prompt_hash BLOB NOT NULL,
    norm REAL NOT NULL,
    code BLOB NOT NULL
);
CREATE TABLE tokens (piece TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE problems (path TEXT NOT NULL, message TEXT NOT NULL, indexed INTEGER NOT NULL, lasting INTEGER NOT NULL);
CREATE INDEX problems_of_file ON problems (path);
"""

POSTINGS_BUFFER_BYTES = 16 * 2**20
"""Postings FTS5 gathers in memory before it writes a segment. Our choice: more than one transaction makes."""

_MODEL_MARK = ", model "

_OBJECTS = ("problems", "tokens", "vectors", "word_parts", "words", "postings", "chunks", "files", "meta")


def create_tables(connection: apsw.Connection) -> None:
    """Drop whatever is there and create empty tables; call it inside a transaction."""
    for name in _OBJECTS:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    connection.execute(TABLES)
    connection.execute("INSERT INTO postings (postings, rank) VALUES ('hashsize', ?)", (POSTINGS_BUFFER_BYTES,))


def fingerprint(settings: IndexSettings, model: str) -> str:
    """Name everything that decides what is stored for a note.

    Args:
        settings: How notes are cut, and how much of one is read.
        model: Fingerprint of the embedding model, or `none`.

    Returns:
        A readable string; an index with another one is rebuilt by itself.
    """
    import hashlib  # noqa: PLC0415  a search compares fingerprints and makes none
    import json  # noqa: PLC0415  same
    from dataclasses import asdict  # noqa: PLC0415  same

    rules = {"max_file_bytes": settings.max_file_bytes, **asdict(settings.chunks)}
    cut = hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:12]
    return f"schema {SCHEMA_VERSION}, text {TEXT_VERSION}, chunks {cut}{_MODEL_MARK}{model}"


def differs_in_model_alone(made_by: str, wanted: str) -> bool:
    """Tell whether two fingerprints agree in everything but the model."""
    return made_by.rpartition(_MODEL_MARK)[0] == wanted.rpartition(_MODEL_MARK)[0]


def has_same_tables(meta: dict[str, str]) -> bool:
    """Tell whether an index with this meta table has the tables of this version."""
    return meta.get("fingerprint", "").startswith(f"schema {SCHEMA_VERSION},")


def read_meta(connection: apsw.Connection) -> dict[str, str]:
    """Return the meta table; empty where the file holds no index."""
    exists = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get
    return dict(connection.execute("SELECT key, value FROM meta")) if exists else {}


def read_finished_meta(connection: apsw.Connection) -> dict[str, str]:
    """Return the meta table of an index that at least one run has finished.

    Raises:
        IndexMissing: There is no such index in the file.
    """
    meta = read_meta(connection)
    if "built" not in meta:
        raise IndexMissing(f"{connection.filename} holds no finished index; build it with: sluice index")
    return meta


def write_meta(connection: apsw.Connection, values: dict[str, str]) -> None:
    """Set keys of the meta table; call it inside a transaction."""
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())


def remove_meta(connection: apsw.Connection, key: str) -> None:
    """Remove a key of the meta table; call it inside a transaction."""
    connection.execute("DELETE FROM meta WHERE key = ?", (key,))
