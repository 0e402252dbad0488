"""Finding many terms in a text at once: by stem, at word boundaries, phrases as phrases."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from operator import eq
from typing import TYPE_CHECKING, TypeAlias

import snowballstemmer

from intake.scoring.text_features import Language, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

CACHED_WORDS = 60_000
"""Words whose stems are remembered per lexicon; a year of feeds in two languages has about as many."""

_ENDING = 3
_BEGINNINGS = range(3, 9)
"""Inflection changes at most the last three letters of a word once umlauts are folded, and adds few. What begins like
no term up to there, compared over three to eight letters, or is much longer, needs no stem; this spares nine of ten
calls of the stemmer."""

_LONGER = 4
"""Letters by which an inflected word may be longer than the term (`Schnittstelle`, `Schnittstellen`)."""

_COMPOUND_PART = 6
"""Letters a term needs to be found inside a German compound (`Datenbank` in `Datenbankserver`)."""

_MIN_STEMMED = 4
"""Shorter words are compared as they are: `os`, `ki`, `cve`."""

_INFLECTIONS = frozenset(("", "s", "es", "e", "ed", "d", "ing", "er", "ers", "r", "rs", "y", "ies", "ied"))
"""Endings in which an English word may differ from a term. Equal stems alone join `product` and `productivity`,
`universe` and `university`, `animal` and `animation`."""

_FOLD = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})
_STEMMERS = {Language.ENGLISH: "english", Language.GERMAN: "german"}


_Terms: TypeAlias = "dict[str, tuple[str, ...]]"
"""Terms and their words."""

_Followers: TypeAlias = "dict[str, list[tuple[tuple[str, ...], tuple[str, ...], str]]]"
"""Phrases by their second stem: all stems, all words, and the term."""


class Lexicon:
    """A fixed set of terms that can be looked for in texts.

    Args:
        families: Words and phrases in any case, in groups that are asked about for different reasons. Within a
            family the longest term wins: a word inside a phrase that was found counts as part of the phrase alone.
            Terms without a letter or digit are ignored.
    """

    def __init__(self, *families: Collection[str]) -> None:
        split = {term: tuple(tokenize(term)) for family in families for term in family}
        sets = [frozenset(family) for family in families]
        self._english = _StemIndex(Language.ENGLISH, split, sets)
        self._german = _StemIndex(Language.GERMAN, split, sets)

    def find(self, tokens: Sequence[str], language: Language) -> Counter[str]:
        """Count how often each term occurs.

        Args:
            tokens: Lower-case words in order, as `tokenize` gives them; an empty string ends a phrase.
            language: Whose stems to compare; both where it is unknown. German text is compared by English stems
                too, as its technical words often are English.

        Returns:
            Only the terms that occur.
        """
        counts = Counter(tokens)
        found = self._english.find(tokens, counts)
        if language is not Language.ENGLISH:
            found |= self._german.find(tokens, counts, compounds=language is Language.GERMAN)
        return found


class _StemIndex:
    """The terms by their stems in one language."""

    def __init__(self, language: Language, split: _Terms, families: list[frozenset[str]]) -> None:
        self._stem = _cached_stemmer(language, {word for words in split.values() for word in words})
        self._inflects = _inflects_english if language is Language.ENGLISH else _inflects_german
        self._singles: dict[str, list[tuple[str, str]]] = {}
        self._phrases: dict[str, _Followers] = {}
        for term, words in split.items():
            stems = tuple(map(self._stem, words))
            if len(stems) == 1:
                self._singles.setdefault(stems[0], []).append((words[0], term))
            elif stems:
                followers = self._phrases.setdefault(stems[0], {})
                followers.setdefault(stems[1], []).append((stems, words, term))
        self._parts = {
            term: [part for part in map(self._nearest, words) if any({term, part} <= family for family in families)]
            for term, words in split.items()
            if len(words) > 1
        }
        self._resolve = lru_cache(CACHED_WORDS)(self._resolve_word)

    def find(self, tokens: Sequence[str], counts: Counter[str], *, compounds: bool = False) -> Counter[str]:
        found: Counter[str] = Counter()
        openers: dict[str, _Followers] = {}
        for word, count in counts.items():
            term, followers = self._resolve(word, compounds)
            if term:
                found[term] += count
            if followers:
                openers[word] = followers
        if openers:
            phrases = self._find_phrases(tokens, openers)
            self._take_parts_out(found, phrases)
            found += phrases
        return found

    def _find_phrases(self, tokens: Sequence[str], openers: dict[str, _Followers]) -> Counter[str]:
        stem = self._stem
        found: Counter[str] = Counter()
        for position, word in enumerate(tokens[:-1]):
            if word not in openers:
                continue
            for stems, forms, term in openers[word].get(stem(tokens[position + 1]), ()):
                words = tokens[position : position + len(stems)]
                same = len(words) == len(stems) and all(map(eq, map(stem, words), stems))
                if same and all(map(self._inflects, words, forms)):
                    found[term] += 1
        return found

    def _take_parts_out(self, found: Counter[str], phrases: Counter[str]) -> None:
        """Let a word inside a phrase count as part of the phrase alone."""
        for phrase, count in phrases.items():
            for part in self._parts[phrase]:
                found[part] -= count

    def _resolve_word(self, word: str, compounds: bool) -> tuple[str, _Followers]:  # noqa: FBT001  lru_cache
        """Return the one term a word stands for, or an empty string, and the phrases it opens."""
        stem = self._stem(word)
        term = self._nearest(word) or (self._part(stem) if compounds else "")
        return term, self._phrases.get(stem, {})

    def _nearest(self, word: str) -> str:
        """Return the term of one word that is an inflection of this one and spelt most like it."""
        candidates = self._singles.get(self._stem(word), ())
        near = [(-_common_prefix(word, form), form, term) for form, term in candidates if self._inflects(word, form)]
        return min(near)[2] if near else ""

    def _part(self, stem: str) -> str:
        """Find the longest term that a compound begins or ends with."""
        for length in range(len(stem) - 3, _COMPOUND_PART - 1, -1):
            terms = self._singles.get(stem[:length]) or self._singles.get(stem[-length:])
            if terms:
                return terms[0][1]
        return ""


def _common_prefix(left: str, right: str) -> int:
    return next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _inflects_english(word: str, form: str) -> bool:
    """Tell whether two words of one stem differ by inflection only, a doubled consonant included."""
    shared = _common_prefix(word, form)
    return all(_is_ending(shared, text) for text in (word, form))


def _is_ending(shared: int, text: str) -> bool:
    ending = text[shared:]
    return ending in _INFLECTIONS or (shared > 0 and ending[0] == text[shared - 1] and ending[1:] in _INFLECTIONS)


def _inflects_german(word: str, form: str) -> bool:
    """Accept every two words of one stem: the German stemmer removes little else than inflection."""
    return bool(word and form)


def _fold(word: str) -> str:
    return word.translate(_FOLD)


@lru_cache(10_000)
def _stem_term(language: Language, word: str) -> str:
    """Stem a word of a term; the default terms are the same for every lexicon and take a third of a second."""
    stem: str = snowballstemmer.stemmer(_STEMMERS[language]).stemWord(word)
    return stem


def _cached_stemmer(language: Language, words: set[str]) -> Callable[[str], str]:
    """Return a stemmer that leaves alone what begins like none of the words."""
    stem_word = snowballstemmer.stemmer(_STEMMERS[language]).stemWord
    known = {word: _stem_term(language, word) for word in map(_fold, words) if len(word) >= _MIN_STEMMED}
    longest: dict[str, int] = {}
    for word in known:
        beginning = word[: min(max(len(word) - _ENDING, _BEGINNINGS[0]), _BEGINNINGS[-1])]
        longest[beginning] = max(longest.get(beginning, 0), len(word) + _LONGER)

    def stem(word: str) -> str:
        folded = word if word.isascii() else _fold(word)
        if folded in known:
            return known[folded]
        length = len(folded)
        if length < _MIN_STEMMED or not any(length <= longest.get(folded[:n], 0) for n in _BEGINNINGS):
            return folded
        stemmed: str = stem_word(folded)
        return stemmed

    return lru_cache(CACHED_WORDS)(stem)
