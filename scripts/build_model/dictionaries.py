"""Entries of dictionaries and quotations, each a short text about one thing."""

from __future__ import annotations

import gzip
import re
import string
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from scripts.build_model.packages import read_members

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_WORDS = 110
"""Longer entries are cut: the teacher reads about this much."""

_MIN_WORDS = 3
_DICTD_DIGITS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"
_BRACKETS = re.compile(r"\[[^\[\]]*\]|\\[^\\]*\\|<[^<>]*>|\(\d{4}-\d\d-\d\d\)")
_QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True, slots=True)
class Entry:
    """One definition.

    Attributes:
        head: The word or words it is about.
        definition: What they mean, in one line.
    """

    head: str
    definition: str


def wordnet(archive: Path) -> tuple[list[Entry], list[str]]:
    """Read WordNet.

    Args:
        archive: The Debian package `wordnet-base`.

    Returns:
        A gloss for every set of synonyms, and the example sentences.

    Source:
        wndb(5WN): `offset lex_filenum ss_type w_cnt word lex_id [word lex_id ...] ... | gloss`.
    """
    entries: list[Entry] = []
    examples: list[str] = []
    for _path, data in read_members(archive, lambda path: PurePosixPath(path).stem == "data"):
        for line in data.decode("utf-8", "replace").splitlines():
            if line.startswith(" "):  # the licence at the top
                continue
            fields, _bar, gloss = line.partition(" | ")
            parts = fields.split(" ")
            words = parts[4 : 4 + 2 * int(parts[3], 16) : 2]
            definition = gloss.split('; "')[0].strip()
            examples += [example for example in _QUOTED.findall(gloss) if len(example.split()) > _MIN_WORDS]
            entries.append(Entry(", ".join(words).replace("_", " "), definition))
    return entries, examples


def dictd(archive: Path) -> list[Entry]:
    """Read a dictionary in the format of the dict server.

    Args:
        archive: A Debian package `dict-*`.

    Returns:
        Its entries, without etymologies, pronunciations and marks of cross-references.

    Source:
        dictd(8): the index has `word TAB offset TAB length`, both numbers in base 64; the text is gzipped.
    """
    files = dict(read_members(archive, lambda path: path.endswith((".index", ".dict.dz"))))
    index = next(data for path, data in files.items() if path.endswith(".index"))
    text = gzip.decompress(next(data for path, data in files.items() if path.endswith(".dict.dz")))
    return entries_of(index, text)


def entries_of(index: bytes, text: bytes) -> list[Entry]:
    """Cut the text of a dict server's dictionary into entries.

    Args:
        index: Lines of `word TAB offset TAB length`, both numbers in base 64.
        text: What the offsets count in, uncompressed.

    Returns:
        One entry for each place the index points at, under the first word that does, short ones left out.
    """
    entries: dict[int, Entry] = {}
    for line in index.decode("utf-8", "replace").splitlines():
        word, offset, length = line.split("\t")[:3]
        start = _base64_number(offset)
        if start not in entries and not word.startswith("00"):
            raw = text[start : start + _base64_number(length)].decode("utf-8", "replace")
            entries[start] = Entry(word, _plain(raw))
    return [entry for entry in entries.values() if len(entry.definition.split()) >= _MIN_WORDS]


def fortunes(archive: Path) -> Iterator[str]:
    """Read collections of quotations.

    Args:
        archive: The Debian package `fortunes` or `fortunes-min`.

    Yields:
        Quotations of at least eight words.
    """

    def is_collection(path: str) -> bool:
        return "/games/fortunes/" in path and not PurePosixPath(path).suffix

    for _path, data in read_members(archive, is_collection):
        for quotation in data.decode("utf-8", "replace").split("\n%\n"):
            words = quotation.split()
            if 8 <= len(words) <= MAX_WORDS:  # noqa: PLR2004  shorter ones are signs and drawings
                yield " ".join(words)


def _base64_number(digits: str) -> int:
    number = 0
    for digit in digits:
        number = number * 64 + _DICTD_DIGITS.index(digit)
    return number


def _plain(raw: str) -> str:
    _head, _break, body = raw.partition("\n")
    words = _BRACKETS.sub(" ", body).replace("{", "").replace("}", "").split()
    return " ".join(words[:MAX_WORDS])
