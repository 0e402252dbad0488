"""The retriever of article A as a first version is written: what ours is measured against.

One commit at the end, PyYAML's safe loader, `StaticModel.encode` once per file, a vec0 table of float32 vectors,
FTS5 kept by triggers, reciprocal rank fusion of 30 + 30. Where a first version could do either, the faster is taken:
one commit instead of one per file, `ORDER BY bm25()` instead of `rank`, and no search for credentials at all.

    python benchmarks/naive.py index VAULT DB MODEL
    python benchmarks/naive.py update VAULT DB MODEL
    python benchmarks/naive.py query DB MODEL TEXT
    python benchmarks/naive.py warm DB MODEL QUERIES_FILE
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import sqlite_vec
import yaml
from model2vec import StaticModel

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA = """
CREATE TABLE files (path TEXT PRIMARY KEY, mtime_ns INTEGER, size INTEGER, hash TEXT);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, path TEXT, section TEXT, context TEXT, text TEXT);
CREATE INDEX chunks_path ON chunks (path);
CREATE VIRTUAL TABLE fts USING fts5 (
    text, section, context, content = 'chunks', content_rowid = 'id', tokenize = 'porter unicode61'
);
CREATE TRIGGER chunk_added AFTER INSERT ON chunks BEGIN
    INSERT INTO fts (rowid, text, section, context) VALUES (new.id, new.text, new.section, new.context);
END;
CREATE TRIGGER chunk_gone AFTER DELETE ON chunks BEGIN
    INSERT INTO fts (fts, rowid, text, section, context)
    VALUES ('delete', old.id, old.text, old.section, old.context);
END;
CREATE VIRTUAL TABLE vec USING vec0 (embedding float[256] distance_metric=cosine);
"""

RRF_K = 60
CANDIDATES = 30
FRONTMATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)


def connect(path: str) -> apsw.Connection:
    """Open a database with sqlite-vec."""
    connection = apsw.Connection(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.enable_load_extension(True)  # noqa: FBT003  the driver takes it by position
    connection.load_extension(sqlite_vec.loadable_path())
    return connection


def chunks_of(text: str, limit: int = 2000) -> Iterator[tuple[str, str]]:
    """Cut at second-level headings, then hard."""
    for part in re.split(r"(?m)^(?=## )", text):
        heading = part.split("\n", 1)[0].lstrip("# ").strip()
        if len(part.strip()) < 80:  # noqa: PLR2004  article A
            continue
        for start in range(0, len(part), limit):
            yield heading, part[start : start + limit]


def walk(vault: str) -> Iterator[Path]:
    """Find the notes."""
    for folder, folders, names in os.walk(vault):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(".md"))


def index(vault: str, database: str, model_folder: str) -> None:
    """Index a vault from nothing."""
    model = StaticModel.from_pretrained(model_folder, force_download=False)
    connection = connect(database)
    connection.execute(SCHEMA)
    files = count = 0
    with connection:
        for path in walk(vault):
            count += put_file(connection, model, path)
            files += 1
    print(json.dumps({"files": files, "chunks": count}))


def update(vault: str, database: str, model_folder: str) -> None:
    """Take in what has another time or size than at the last run, and drop what is gone."""
    connection = connect(database)
    known = {path: (mtime, size) for path, mtime, size in connection.execute("SELECT path, mtime_ns, size FROM files")}
    model = StaticModel.from_pretrained(model_folder, force_download=False)
    seen = set()
    changed = 0
    with connection:
        for path in walk(vault):
            seen.add(str(path))
            stat = path.stat()
            if known.get(str(path)) != (stat.st_mtime_ns, stat.st_size):
                drop_file(connection, str(path))
                put_file(connection, model, path)
                changed += 1
        for gone in known.keys() - seen:
            drop_file(connection, gone)
            changed += 1
    print(json.dumps({"changed": changed}))


def put_file(connection: apsw.Connection, model: StaticModel, path: Path) -> int:
    """Read and insert a file; return how many chunks it has."""
    text = path.read_text(encoding="utf-8", errors="replace")
    stat = path.stat()
    digest = hashlib.sha256(text.encode()).hexdigest()
    connection.execute("INSERT INTO files VALUES (?, ?, ?, ?)", (str(path), stat.st_mtime_ns, stat.st_size, digest))
    context, body = context_of(text, path)
    pieces = list(chunks_of(body))
    vectors = model.encode([f"{context}\n{section}\n{piece}" for section, piece in pieces]) if pieces else []
    for (section, piece), vector in zip(pieces, vectors, strict=True):
        connection.execute(
            "INSERT INTO chunks (path, section, context, text) VALUES (?, ?, ?, ?)",
            (str(path), section, context, piece),
        )
        row = connection.last_insert_rowid()
        connection.execute("INSERT INTO vec (rowid, embedding) VALUES (?, ?)", (row, vector.tobytes()))
    return len(pieces)


def drop_file(connection: apsw.Connection, path: str) -> None:
    """Delete a file with all that was stored for it."""
    for (row,) in connection.execute("SELECT id FROM chunks WHERE path = ?", (path,)).fetchall():
        connection.execute("DELETE FROM vec WHERE rowid = ?", (row,))
    connection.execute("DELETE FROM chunks WHERE path = ?", (path,))
    connection.execute("DELETE FROM files WHERE path = ?", (path,))


def context_of(text: str, path: Path) -> tuple[str, str]:
    """Return the heading context and the body of a note."""
    found = FRONTMATTER.match(text)
    fields: Any = {}
    if found:
        try:
            fields = yaml.safe_load(found[1]) or {}
        except yaml.YAMLError:
            fields = {}
        text = text[found.end() :]
    title = fields.get("title", path.stem) if isinstance(fields, dict) else path.stem
    return str(title), text


def search(connection: apsw.Connection, model: StaticModel, text: str) -> list[Any]:
    """Fuse thirty keyword and thirty vector results by reciprocal ranks."""
    match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
    keyword = connection.execute(
        "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts, 1, 3, 5) LIMIT ?", (match, CANDIDATES)
    )
    scores: dict[int, float] = {}
    for rank, (row,) in enumerate(keyword, 1):
        scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + rank)
    vector = model.encode([text])[0].tobytes()
    nearest = connection.execute("SELECT rowid FROM vec WHERE embedding MATCH ? AND k = ?", (vector, CANDIDATES))
    for rank, (row,) in enumerate(nearest, 1):
        scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + rank)
    best = sorted(scores, key=lambda row: -scores[row])[:10]
    return [connection.execute("SELECT path, section, text FROM chunks WHERE id = ?", (row,)).get for row in best]


def main(verb: str, *arguments: str) -> None:
    """Run one verb."""
    if verb in {"index", "update"}:
        {"index": index, "update": update}[verb](*arguments)
        return
    database, model_folder, text = arguments
    connection = connect(database)
    model = StaticModel.from_pretrained(model_folder, force_download=False)
    if verb == "query":
        print(json.dumps(search(connection, model, text)))
        return
    queries = Path(text).read_text(encoding="utf-8").splitlines()
    search(connection, model, queries[0])
    times = []
    for query in queries:
        started = time.perf_counter()
        search(connection, model, query)
        times.append(time.perf_counter() - started)
    print(json.dumps(times))


if __name__ == "__main__":
    main(*sys.argv[1:])
