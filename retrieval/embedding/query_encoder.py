"""Embedding a query in plain Python: the sum of the vectors of its word pieces, for BERT's tokenizer.

A process that answers one query has no time to load a model: the index holds the vector of every word piece by name,
and a query needs a dozen of them. A resident process embeds queries by the same code, so that both ask alike.

Source: Devlin et al., BERT, 2018, and its reference tokenizer: clean, space out Chinese characters, strip accents,
    lower-case, split at white space and punctuation, cut words into the longest known pieces.
"""

from __future__ import annotations

import re
from array import array
from math import isfinite
from operator import add
from typing import TYPE_CHECKING

from retrieval.store.vector_search import CODE_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_WORD_CHARS = 100
"""A longer word counts as unknown (BERT)."""

CONTINUATION = "##"
"""Put before every piece of a word but its first (BERT)."""

# Latin, Greek and Cyrillic, punctuation, kana and common Chinese characters: what Unicode says of these has not changed
# for decades, so that every library agrees on it. Of the controls, BERT keeps three as white space.
_UNDERSTOOD = (
    (0x09, 0x0A), (0x0D, 0x0D), (0x20, 0x7E), (0xA0, 0xAC), (0xAE, 0x17F), (0x391, 0x3A1), (0x3A3, 0x3CE),
    (0x400, 0x45F), (0x2010, 0x2015), (0x2018, 0x2026), (0x20AC, 0x20AC), (0x3001, 0x3002), (0x3041, 0x3094),
    (0x30A1, 0x30FA), (0x4E00, 0x9FA5),
)  # fmt: skip
_FIRST_CHINESE, _LAST_CHINESE = "\u4e00", "\u9fff"
_ASCII_PIECE = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class QueryEncoder:
    """Embeds queries by the word pieces an index holds.

    Args:
        vector_of: Returns the vector of a word piece as bytes, or None for an unknown piece.
        number_format: How a vector is packed: `b` for int8, `f` for float32.
        special: Tokens such as `[PAD]` that are no sum of words where a text spells them out.
        prompt: What the model wants to read before a query.
    """

    def __init__(
        self,
        vector_of: Callable[[str], bytes | None],
        number_format: str,
        special: Sequence[str] = (),
        prompt: str = "",
    ) -> None:
        self._vector_of = vector_of
        self._format = number_format
        self._special = tuple(special)
        self._prompt = prompt

    def understands(self, text: str) -> bool:
        """Tell whether a text holds nothing that only the model's own tokenizer should handle."""
        whole = self._prompt + text
        return all(map(_is_understood, set(whole))) and not any(token in whole for token in self._special)

    def encode(self, text: str) -> bytes | None:
        """Embed a query.

        Args:
            text: One that `understands` accepts.

        Returns:
            The int8 code of its vector, or None where the model knows no word of it.
        """
        known: dict[str, list[bytes]] = {}
        total: list[float] = []
        for word in split_words(self._prompt + text):
            if word not in known:
                known[word] = self._pieces(word)
            for row in known[word]:
                numbers = memoryview(row).cast(self._format)  # type: ignore[call-overload]  # one of two formats
                total = list(map(add, total, numbers)) if total else numbers.tolist()
        return _code_of(total)

    def _pieces(self, word: str) -> list[bytes]:
        """Cut a word into the longest known pieces; an unknown rest makes the whole word unknown."""
        if len(word) > MAX_WORD_CHARS:
            return []
        rows: list[bytes] = []
        start = 0
        while start < len(word):
            prefix = CONTINUATION if start else ""
            for end in range(len(word), start, -1):
                row = self._vector_of(prefix + word[start:end])
                if row is not None:
                    rows.append(row)
                    start = end
                    break
            else:
                return []
        return rows


def split_words(text: str) -> Iterator[str]:
    """Cut a text into words and punctuation as BERT does, accents stripped and in lower case.

    Args:
        text: One that `QueryEncoder.understands` accepts.
    """
    if text.isascii():
        yield from _ASCII_PIECE.findall(text.lower())
        return
    from unicodedata import category, normalize  # noqa: PLC0415  a library of its own, which plain English spares

    spaced = "".join(f" {c} " if _FIRST_CHINESE <= c <= _LAST_CHINESE else c for c in text)
    plain = "".join(c for c in normalize("NFD", spaced) if category(c) != "Mn")
    # Character by character: the end of a Greek word is no reason for another sigma.
    lowered = "".join(map(str.lower, plain))
    yield from "".join(f" {c} " if _stands_alone(c, category(c)) else c for c in lowered).split()


def _stands_alone(character: str, category: str) -> bool:
    """Recognise punctuation, for which BERT also takes every ASCII character that is neither letter nor digit."""
    return category.startswith("P") or (character.isascii() and not character.isalnum())


def _is_understood(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _UNDERSTOOD)


def _code_of(total: Sequence[float]) -> bytes | None:
    """Round a vector to its int8 code, as `encode_vectors` does; None for one that has no direction."""
    largest = max(map(abs, total), default=0)
    if not largest or not isfinite(largest):
        return None
    return array("b", [round(number * CODE_MAX / largest) for number in total]).tobytes()
