"""German compounds: `Vertrag` and `miet` name parts of `Untermietvertrag`. The vault's own words are the dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.language.folding import fold_word, narrow_umlauts
from retrieval.language.german import german_stem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SHORTEST_PART = 4
"""Letters of a word that may be looked for inside others. Our choice: shorter ones are in everything."""
MOST_EXPANSIONS = 24
"""Compounds that one word of a query may stand for. Our choice."""

_SHORTEST_REST = 3
_CERTAIN_HEAD = 5
"""Letters from which the end of a compound is taken for its head without further proof. Our choice."""
_LINKS = ("", "s", "es", "n", "en", "er", "e")
_PREFIXES = frozenset(
    "ab an auf aus be bei ein ent gegen gesamt haupt hinter mit nach neben ober rueck ruck sonder uber um unter ver "
    "vor weiter wieder zu zwischen zusatz".split()
)


def part_of(word: str) -> str:
    """Return what to look for inside other words, or nothing where a word is too short or no word.

    Args:
        word: As typed.
    """
    folded = narrow_umlauts(fold_word(word))
    if not folded.isalpha() or len(folded) < SHORTEST_PART:
        return ""
    stem = german_stem(word)
    return stem if len(stem) >= SHORTEST_PART and folded.startswith(stem) else folded


def compounds_with(part: str, words: Iterable[str], is_known: Callable[[str], bool]) -> list[str]:
    """Choose the compounds of a part among the words that contain it.

    The part is the head (the end, but for inflection), the first part, or stands inside where what follows is known.

    Args:
        part: See `part_of`.
        words: Folded words that hold the part anywhere.
        is_known: Tells whether a word occurs in the vault.

    Returns:
        At most `MOST_EXPANSIONS` words: heads first, then by length and alphabet.
    """
    ranked: list[tuple[int, int, str]] = []
    for word in words:
        place = _place(part, narrow_umlauts(word), is_known)
        if place is not None:
            ranked.append((place, len(word), word))
    return [word for _, _, word in sorted(ranked)[:MOST_EXPANSIONS]]


def _place(part: str, word: str, is_known: Callable[[str], bool]) -> int | None:
    """Return 0 for a head, 1 for a first part, 2 for an inner part, None for letters that only happen to be there."""
    at = word.rfind(part)
    before, after = word[:at], word[at + len(part) :]
    if at < 0 or german_stem(word) == part:
        return None
    if after in _LINKS:
        if len(before) < _SHORTEST_REST and before not in _PREFIXES:
            return None
        return 0 if len(part) >= _CERTAIN_HEAD or before in _PREFIXES or _any_known(before, is_known) else None
    if not before:
        return 1 if len(after) >= SHORTEST_PART else None
    if len(after) < SHORTEST_PART:
        return None
    inside = (
        before in _PREFIXES
        or is_known(word[at:])
        or any(is_known(after.removeprefix(link)) for link in _LINKS if after.startswith(link))
    )
    return 2 if inside else None


def _any_known(before: str, is_known: Callable[[str], bool]) -> bool:
    return any(is_known(before.removesuffix(link)) for link in _LINKS if before.endswith(link))
