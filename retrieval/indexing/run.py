"""An index run: compare the vault with the index, and bring the index up to date."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from retrieval.errors import IndexDamaged
from retrieval.indexing.lock import index_lock
from retrieval.indexing.note_reading import ReadNote, hash_bytes, read_bytes, read_note
from retrieval.indexing.plan import check_deletions, make_plan
from retrieval.indexing.walk import walk_vault
from retrieval.store import schema, writer
from retrieval.store.connection import naming_damage, open_for_writing, remove_index, transaction
from retrieval.store.writer import IndexedChunk, IndexedFile
from retrieval.types import FileProblem, IndexReport

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    import apsw

    from config.settings import IndexSettings
    from retrieval.embedding.types import Embedder
    from retrieval.indexing.plan import Plan
    from retrieval.indexing.walk import FoundFile, Walk
    from retrieval.store.writer import FileStat, StoredFile

BATCH_FILES = 500
"""Files per transaction: what an interrupted run keeps, and how often progress is reported."""

_WITHOUT_VECTORS = "without_vectors"
"""Key of the meta table that tells of passages indexed while the model was unavailable."""

Progress = Callable[[int, int], bool]
"""Called with (files done, files to do) after every batch; returning False ends the run, keeping what is done."""


@dataclass(slots=True)
class _Tally:
    added: int = 0
    updated: int = 0
    deleted: int = 0
    untouched: int = 0
    unread: list[FileProblem] = field(default_factory=list)
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class _Pending:
    """A note that was read and waits for its vectors."""

    stat: FileStat
    note: ReadNote
    previous: StoredFile | None

    def prompts(self) -> Iterator[str]:
        """Compose what is embedded: without its title and section, a passage may not say what it is about."""
        for chunk, text in zip(self.note.chunks, self.note.searchable, strict=True):
            yield "\n".join(part for part in (self.note.meta.title, chunk.section, text) if part)


def index_vault(  # noqa: PLR0913  every argument is one decision of the caller
    root: Path,
    index_file: Path,
    settings: IndexSettings,
    embedder: Embedder | None,
    *,
    now: datetime,
    full: bool = False,
    allow_mass_delete: bool = False,
    progress: Progress = lambda _done, _total: True,
    batch_files: int = BATCH_FILES,
) -> IndexReport:
    """Bring an index up to date with a vault.

    Args:
        root: The vault.
        index_file: The index; created where it does not exist.
        settings: What is indexed, and how notes are cut.
        embedder: Turns passages into vectors. None indexes new passages for keyword search alone: the vectors that an
            index has are kept, and the next run with the model makes up for those that are missing.
        now: Recorded as the time of the run.
        full: Index everything anew; the way out where an index is damaged.
        allow_mass_delete: Delete whatever is gone, however much that is.
        progress: See Progress.
        batch_files: Files per transaction.

    Raises:
        IndexBusy: Another process is indexing.
        IndexDamaged: The file is not a usable database, and `full` is False.
        MassDeletion: More files are gone than settings allow.
    """
    run = _Run(root, settings, embedder, progress, batch_files)
    with index_lock(index_file):
        try:
            return run.execute(index_file, now=now, full=full, allow_mass_delete=allow_mass_delete)
        except IndexDamaged:
            if not full:
                raise
            remove_index(index_file)
        run = _Run(root, settings, embedder, progress, batch_files)
        return run.execute(index_file, now=now, full=full, allow_mass_delete=allow_mass_delete)


@dataclass(slots=True)
class _Run:
    root: Path
    settings: IndexSettings
    embedder: Embedder | None
    progress: Progress
    batch_files: int
    tally: _Tally = field(default_factory=_Tally)
    salvaged: dict[bytes, bytes] = field(default_factory=dict)

    def execute(self, index_file: Path, *, now: datetime, full: bool, allow_mass_delete: bool) -> IndexReport:
        connection = open_for_writing(index_file)
        try:
            with naming_damage(index_file):
                return self._update(connection, now=now, full=full, allow_mass_delete=allow_mass_delete)
        finally:
            connection.close()

    def _update(
        self, connection: apsw.Connection, *, now: datetime, full: bool, allow_mass_delete: bool
    ) -> IndexReport:
        meta = schema.read_meta(connection)
        model = self.embedder.fingerprint if self.embedder else "none"
        wanted = schema.fingerprint(self.settings, model)
        if self.embedder is None and not full and schema.differs_in_model_alone(meta.get("fingerprint", ""), wanted):
            wanted = meta["fingerprint"]
        reason = _rebuild_reason(meta, wanted, full=full)
        walk = walk_vault(self.root, self.settings)
        stored = writer.stored_files(connection) if schema.has_same_tables(meta) else {}
        if not allow_mass_delete:
            check_deletions(make_plan(walk, stored), len(stored), self.settings.mass_delete_share)
        # An index that is made anew is replaced in one transaction: until then, readers have the old one.
        with transaction(connection) if reason and meta else nullcontext():
            if reason:
                with transaction(connection):
                    schema.create_tables(connection)
                    schema.write_meta(connection, {"fingerprint": wanted} | self._keep_model(connection))
                stored = {}
            if self.embedder is not None and _WITHOUT_VECTORS in meta and not reason:
                stored |= _to_be_read_again(stored, writer.files_without_vectors(connection))
            plan = make_plan(walk, stored)
            self._apply(connection, plan, stored)
            self._finish(connection, walk, stored, now)
        return self._report(connection, plan.unchanged, reason)

    def _keep_model(self, connection: apsw.Connection) -> dict[str, str]:
        """Keep the model's word pieces, by which queries are embedded; return what the meta table says of them."""
        if self.embedder is None:
            return {}
        from retrieval.embedding.token_vectors import token_vectors_of  # noqa: PLC0415  imports numpy, not needed for keywords
        from retrieval.store.token_table import write_token_vectors  # noqa: PLC0415  needed only here

        tokens = token_vectors_of(self.embedder)
        return write_token_vectors(connection, tokens) if tokens else {}

    def _apply(self, connection: apsw.Connection, plan: Plan, stored: dict[str, StoredFile]) -> None:
        """Delete what is gone and take in what is new, a batch of files per transaction."""
        with transaction(connection):
            for file in plan.gone:
                self._remove(connection, file)
            writer.forget_problems(connection, (file.stat.path for file in plan.gone))
        self.tally.deleted = len(plan.gone)
        done = 0
        for start in range(0, len(plan.fresh), self.batch_files):
            batch = plan.fresh[start : start + self.batch_files]
            with transaction(connection):
                self._take_in(connection, batch, stored)
            done += len(batch)
            if not self.progress(done, len(plan.fresh)):
                self.tally.interrupted = done < len(plan.fresh)
                return

    def _take_in(self, connection: apsw.Connection, batch: Sequence[FoundFile], stored: dict[str, StoredFile]) -> None:
        read = (self._read(connection, found, stored.get(found.stat.path)) for found in batch)
        pending = [item for item in read if item is not None]
        for item in pending:
            if item.previous is not None:
                self._remove(connection, item.previous)
        writer.insert_files(
            connection,
            [
                IndexedFile(item.stat, item.note.digest, item.note.meta, chunks)
                for item, chunks in zip(pending, self._with_vectors(pending), strict=True)
            ],
        )
        if pending and self.embedder is None:
            schema.write_meta(connection, {_WITHOUT_VECTORS: "1"})
        writer.forget_problems(connection, (item.stat.path for item in pending))
        writer.record_problems(connection, (problem for item in pending for problem in item.note.problems))

    def _read(self, connection: apsw.Connection, found: FoundFile, previous: StoredFile | None) -> _Pending | None:
        """Read a file; None where there is nothing to insert."""
        data = read_bytes(found, self.settings.max_file_bytes)
        if isinstance(data, FileProblem):
            self.tally.unread.append(replace(data, indexed=previous is not None))
            return None
        digest = hash_bytes(data)
        if previous is not None and previous.hash == digest:
            writer.touch_file(connection, previous.id, found.stat)
            self.tally.untouched += 1
            return None
        if previous is None:
            self.tally.added += 1
        else:
            self.tally.updated += 1
        return _Pending(found.stat, read_note(found.stat.path, data, digest, self.settings), previous)

    def _remove(self, connection: apsw.Connection, file: StoredFile) -> None:
        self.salvaged.update(writer.vectors_of_file(connection, file.id))
        writer.delete_file(connection, file.id)

    def _with_vectors(self, pending: Sequence[_Pending]) -> Iterator[list[IndexedChunk]]:
        """Embed what no salvaged vector covers, in one call for the whole batch."""
        prompts = [text for item in pending for text in item.prompts()]
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in prompts]
        codes = self._codes(dict(zip(keys, prompts, strict=True)))
        each_key = iter(keys)
        for item in pending:
            yield [
                IndexedChunk(chunk, text, key, codes.get(key))
                for chunk, text, key in zip(item.note.chunks, item.note.searchable, each_key, strict=False)
            ]

    def _codes(self, prompts: dict[bytes, str]) -> dict[bytes, bytes | None]:
        codes: dict[bytes, bytes | None] = {key: self.salvaged[key] for key in prompts if key in self.salvaged}
        missing = {key: text for key, text in prompts.items() if key not in codes}
        if self.embedder is None or not missing:
            return codes
        from retrieval.store.matrix_search import encode_vectors  # noqa: PLC0415  imports numpy, not needed for keywords

        vectors = self.embedder.embed_documents(list(missing.values()))
        codes.update(zip(missing, encode_vectors(vectors), strict=True))
        return codes

    def _finish(self, connection: apsw.Connection, walk: Walk, stored: dict[str, StoredFile], now: datetime) -> None:
        unseen = stored.keys() & set(walk.unreadable)
        passing = [replace(problem, indexed=problem.path in unseen) for problem in walk.problems]
        with transaction(connection):
            writer.replace_passing_problems(connection, (*passing, *self.tally.unread))
            values = {"built": now.isoformat(), "complete": str(int(not self.tally.interrupted))}
            schema.write_meta(connection, values)
            if self.embedder is not None and not self.tally.interrupted:
                schema.remove_meta(connection, _WITHOUT_VECTORS)

    def _report(self, connection: apsw.Connection, unchanged: int, reason: str) -> IndexReport:
        count = connection.execute
        rows = count("SELECT path, message, indexed FROM problems ORDER BY path, message")
        return IndexReport(
            files=count("SELECT count(*) FROM files").get,
            chunks=count("SELECT count(*) FROM chunks").get,
            added=self.tally.added,
            updated=self.tally.updated,
            deleted=self.tally.deleted,
            unchanged=unchanged + self.tally.untouched,
            problems=tuple(FileProblem(path, message, bool(indexed)) for path, message, indexed in rows),
            reason=reason,
            interrupted=self.tally.interrupted,
        )


def _to_be_read_again(stored: dict[str, StoredFile], paths: set[str]) -> dict[str, StoredFile]:
    """Return stored files as if the vault had other ones."""
    return {
        path: replace(stored[path], hash=b"", stat=replace(stored[path].stat, size=-1))
        for path in paths & stored.keys()
    }


def _rebuild_reason(meta: dict[str, str], wanted: str, *, full: bool) -> str:
    """Say why the old tables cannot be used; empty where they can."""
    if full:
        return "a full index was asked for"
    if not meta:
        return "there was no index"
    if meta.get("fingerprint") != wanted:
        return f"the index was made by other rules ({meta.get('fingerprint')}, now {wanted})"
    return ""
