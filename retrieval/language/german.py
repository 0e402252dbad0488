"""Stems of German words, and telling German text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from retrieval.language.folding import GERMAN_MARK, fold_word, narrow_umlauts

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST_STEM = 3
_LONG_WORD = 5
"""Letters above which a word may lose `-em`, `-er`, `-nd` and `-ern`, `-ung`."""
_GLUED = (("sch", "$"), ("ei", "%"), ("ie", "&"))
_DOUBLED = re.compile(r"(.)\1")
_UNDOUBLED = re.compile(r"(.)\*")
_WORD = re.compile(r"[^\W_]+")

# Words of one language that are none of the other's: `die`, `war`, `an` and `in` tell nothing.
_GERMAN_ONLY = frozenset(
    "aber als auch auf aus bei beim bis bin damit dann das dass dem den denn der des diese dieser dieses durch ein "
    "eine einem einen einer eines er es für fuer gegen hat hatte ich ihm ihn ihr ihre im ist jede kann kein keine "
    "können mein mit muss nach nicht nur oder ohne sehr sein seine sich sie sind so soll über ueber um und uns unter "
    "vom von wann welche welcher welches wenn wer wie wieso werden wird wo wurde wurden zu zum zur zwischen".split()
)
_ENGLISH_ONLY = frozenset(
    "a and are as at be been but by can could did do does for from had has have he how i if is it its my no not of on "
    "or our she should such than that the their them then there these they this those to was we were what when where "
    "which who why will with would you your".split()
)


@lru_cache(maxsize=1 << 17)
def german_stem(word: str) -> str:
    """Return the stem of a German word: folded, without inflection, so that `Verträge` and `Vertrag` meet.

    After CISTEM, without its removal of `ge-` and with that of `-ung`, so that `Kündigung` meets `kündigen`; `ae`,
    `oe` and `ue` count as umlauts.

    Source: Weissweiler and Fraser: Developing a Stemmer for German Based on a Comparative Analysis of Publicly
        Available Stemmers, GSCL 2017.
    """
    folded = narrow_umlauts(fold_word(word))
    if len(folded) <= _SHORTEST_STEM or not folded.isalpha():
        return folded
    if len(folded) > _LONG_WORD + 1:
        folded = folded.removesuffix("en") if folded.endswith("ungen") else folded
        folded = folded.removesuffix("ung")
    for letters, sign in _GLUED:
        folded = folded.replace(letters, sign)
    stem = _without_endings(_DOUBLED.sub(r"\1*", folded))
    stem = _UNDOUBLED.sub(r"\1\1", stem)
    for letters, sign in _GLUED:
        stem = stem.replace(sign, letters)
    return stem


def german_token(word: str) -> str:
    """Return what stands in the postings for a word of German text."""
    return german_stem(word) + GERMAN_MARK


def german_text(text: str) -> str:
    """Return the stems of a German text, in its order, as they are indexed."""
    return " ".join(map(_token_of_lower, _WORD.findall(text.lower())))


def is_german(words: Iterable[str], *, evidence: int = 1) -> bool | None:
    """Tell German from other text by its function words; None where there are too few to tell.

    Args:
        words: In lower case.
        evidence: Function words by which one language must lead for text to count as German. Code holds some by
            chance (`des`, `um`), and the words of a few passages taken for German would seem rare and weigh much.
    """
    found = words if isinstance(words, set | frozenset) else set(words)
    german, english = len(found & _GERMAN_ONLY), len(found & _ENGLISH_ONLY)
    if english > german:
        return False
    return True if german - english >= evidence else None


@lru_cache(maxsize=1 << 17)
def _token_of_lower(word: str) -> str:
    return german_token(word)


def _without_endings(word: str) -> str:
    while len(word) > _SHORTEST_STEM:
        if len(word) > _LONG_WORD and word[-2:] in {"em", "er", "nd"}:
            word = word[:-2]
        elif word[-1] in "esn" or (word[-1] == "t" and len(word) > _SHORTEST_STEM + 1):
            word = word[:-1]
        else:
            break
    return word
