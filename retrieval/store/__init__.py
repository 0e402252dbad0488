"""The index: one SQLite file with files, chunks, an FTS5 table and vectors."""
