"""From the bytes of a file to what is stored: decode, redact, read, cut."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from retrieval.credentials import redact
from retrieval.markdown.chunking import chunk_note
from retrieval.markdown.frontmatter import parse_frontmatter
from retrieval.markdown.note_meta import read_meta
from retrieval.markdown.structured_text import searchable_text
from retrieval.types import FileProblem

if TYPE_CHECKING:
    from config.settings import IndexSettings
    from retrieval.indexing.walk import FoundFile
    from retrieval.types import Chunk, NoteMeta


@dataclass(frozen=True, slots=True)
class ReadNote:
    """A note as it will be stored.

    Attributes:
        digest: SHA-256 of the bytes that were read.
        meta: Title, tags and the like, credentials redacted.
        chunks: Passages, credentials redacted.
        searchable: Per chunk, what is indexed and embedded for it: its text with JSON and YAML flattened.
        problems: What was wrong with the file.
    """

    digest: bytes
    meta: NoteMeta
    chunks: tuple[Chunk, ...]
    searchable: tuple[str, ...]
    problems: tuple[FileProblem, ...]


def read_bytes(found: FoundFile, limit: int) -> bytes | FileProblem:
    """Read a file; a failure is a value, for one unreadable file must not stop the others.

    Args:
        found: The file.
        limit: Bytes that are indexed; one more is read, which tells that there are more.
    """
    try:
        descriptor = os.open(found.location, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as handle:
            return handle.read(limit + 1)
    except OSError as err:
        return FileProblem(found.stat.path, f"cannot be read ({err.strerror})", indexed=False)


def hash_bytes(data: bytes) -> bytes:
    """Return the SHA-256 of a file's bytes."""
    return hashlib.sha256(data).digest()


def read_note(path: str, data: bytes, digest: bytes, settings: IndexSettings) -> ReadNote:
    """Turn the bytes of a note into chunks; whatever the bytes are, as much as possible is read.

    Args:
        path: Relative to the vault.
        data: The bytes on disk, as `read_bytes` returns them.
        digest: Their hash.
        settings: Size limit and chunking.
    """
    problems: list[FileProblem] = []
    text = _decode(path, data, settings.max_file_bytes, problems)
    # Redacted before anything is cut or shortened, for half a credential is not recognised as one.
    clean = redact(text)
    front = parse_frontmatter(clean.text)
    # A marker may break YAML that was sound: what is reported is the state of the file itself.
    problem = parse_frontmatter(text).problem if clean.names else front.problem
    if problem:
        problems.append(FileProblem(path, redact(f"frontmatter: {problem}").text))
    chunks = chunk_note(front.body, first_line=front.body_line, settings=settings.chunks)
    return ReadNote(
        digest,
        _storable_meta(read_meta(front, path), clean.text),
        tuple(chunks),
        tuple(map(_searchable, chunks)),
        tuple(problems),
    )


def _decode(path: str, data: bytes, limit: int, problems: list[FileProblem]) -> str:
    cut = len(data) > limit
    if cut:
        problems.append(FileProblem(path, f"only its first {limit:,} bytes are indexed"))
        data = data[:limit]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        text = data.decode("utf-8-sig", errors="replace")
        if not (cut and err.reason == "unexpected end of data"):
            problems.append(FileProblem(path, "is not valid UTF-8; undecodable bytes are indexed as U+FFFD"))
    if "\0" in text:
        problems.append(FileProblem(path, "holds NUL characters, as binary files do; they are indexed as spaces"))
        text = text.replace("\0", " ")
    return text


def _storable(text: str) -> str:
    """Replace what SQLite takes no text with: lone surrogates, which escapes in JSON and YAML can write."""
    return text.encode("utf-8", "replace").decode()


def _searchable(chunk: Chunk) -> str:
    text = searchable_text(chunk.text)
    return text if text is chunk.text else _storable(text)


def _storable_meta(meta: NoteMeta, clean_text: str) -> NoteMeta:
    """Redact once more what YAML may have put together out of escapes and folded lines.

    What stands in the redacted text of the note as it is was not put together.
    """
    if all(part in clean_text for part in (meta.title, meta.type, *meta.tags, *meta.aliases, meta.source)):
        return meta
    together = "\n".join((meta.title, meta.type, *meta.tags, *meta.aliases, meta.source))
    if _storable(together) == together and not redact(together).names:
        return meta

    def clean(text: str) -> str:
        return redact(_storable(text)).text

    return replace(
        meta,
        title=clean(meta.title),
        type=clean(meta.type),
        tags=tuple(map(clean, meta.tags)),
        aliases=tuple(map(clean, meta.aliases)),
        source=clean(meta.source),
    )
