"""One spelling for what is written in several ways: `ß`, umlauts, full-width letters, and scripts without spaces."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

GERMAN_MARK = "\ue001"
"""Ends every German stem in the postings, so that no English word is taken for one.

A private-use character: the tokenizer of FTS5 counts it as a letter, and its English stemmer leaves such words alone.
"""

_LETTER_PAIRS = (
    ("ß", "ss"), ("ẞ", "SS"), ("æ", "ae"), ("Æ", "AE"), ("œ", "oe"), ("Œ", "OE"), ("ø", "o"), ("Ø", "O"),
)  # fmt: skip
_MARKS = re.compile("[\u0300-\u036f]+")
# Kana, Han and Hangul: what is written without spaces, or glues its particles on.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_CJK_PIECES = re.compile(f"([{_CJK}]+)")
_UMLAUT_VOWELS = "aou"
_DIGRAPH = re.compile("(?<![aeiouq])([aou])e")
_LONG_ENOUGH = 5
"""Letters from which a plain vowel may stand for an umlaut: below, `pot` would find `poet`. Our choice."""


def fold_text(text: str) -> str:
    """Return a text in the spelling that is indexed; case and diacritics are left to FTS5.

    NFKC (full-width and half-width forms, ligatures), `ß` as `ss`, and runs of Han, kana and Hangul as overlapping
    pairs, each run ending with its last character, so that a run of any length is a phrase.

    Source: Unicode Standard Annex #15 (normalisation); bigrams as in Lucene's CJKBigramFilter.
    """
    if text.isascii():
        return text
    folded = _write_out(unicodedata.normalize("NFKC", text))
    return _CJK_RUN.sub(_as_pairs, folded)


def fold_word(word: str) -> str:
    """Return a word in lower case without diacritics, `ß` as `ss`."""
    if word.isascii():
        return word.lower()
    lower = _write_out(unicodedata.normalize("NFKC", word).lower())
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", lower)))


def cjk_phrase(run: str) -> str:
    """Return what finds a run of Han, kana or Hangul inside any longer one: its pairs, without the last character."""
    return " ".join(run[at : at + 2] for at in range(len(run) - 1)) or run


def is_cjk(text: str) -> bool:
    """Tell whether all of a text is Han, kana or Hangul."""
    return _CJK_RUN.fullmatch(text) is not None


def split_scripts(word: str) -> list[str]:
    """Return a word in pieces: runs of Han, kana or Hangul, and what stands between them."""
    if word.isascii():
        return [word]
    return [piece for piece in _CJK_PIECES.split(unicodedata.normalize("NFKC", word)) if piece]


@lru_cache(maxsize=4096)
def umlaut_spellings(word: str) -> tuple[str, ...]:
    """Return the other spellings of a word, for text that no German stem covers: `Müller`, `Mueller`, `Muller`.

    Args:
        word: One word as typed.

    Returns:
        Folded spellings without the one FTS5 makes of the word itself; each differs in one vowel from it, or in all.
    """
    plain = fold_word(word)
    lower = unicodedata.normalize("NFC", word.lower())
    written = fold_word(lower.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue"))
    if written != plain:
        return (written,)
    if len(plain) < _LONG_ENOUGH or not plain.isascii():
        return ()
    narrowed = narrow_umlauts(plain)
    if narrowed != plain:
        # `values` and `valus` have one English stem, which must not count twice.
        return (narrowed,) if narrowed.rstrip("es") != plain.rstrip("es") else ()
    return tuple(
        f"{plain[: at + 1]}e{plain[at + 1 :]}"
        for at, letter in enumerate(plain[:-1])
        if letter in _UMLAUT_VOWELS and plain[at + 1] not in "aeiou" and plain[at - 1 : at] not in (*"aeiouq",)
    )


def narrow_umlauts(word: str) -> str:
    """Return a folded word with `ae`, `oe` and `ue` as one vowel, where they may stand for an umlaut.

    Not after a vowel or `q` (`neue`, `Quelle`). Source: the German2 variant of the Snowball stemmer.
    """
    return _DIGRAPH.sub(r"\1", word)


def _write_out(text: str) -> str:
    # Much faster than str.translate on long texts.
    for letter, pair in _LETTER_PAIRS:
        text = text.replace(letter, pair)
    return text


def _as_pairs(run: re.Match[str]) -> str:
    text = run.group()
    return f" {' '.join(text[at : at + 2] for at in range(len(text)))} "
