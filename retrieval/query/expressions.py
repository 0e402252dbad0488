"""FTS5 expressions: every spelling and stem a word of a query has in the postings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from retrieval.language.folding import GERMAN_MARK, cjk_phrase, fold_text, is_cjk, split_scripts, umlaut_spellings
from retrieval.language.german import german_token
from retrieval.language.identifiers import identifiers, split_camel
from retrieval.query.stop_words import ENGLISH_STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W_]+")


def words_of(term: str) -> list[str]:
    """Return the words of a term as typed, runs of Han, kana and Hangul apart from other letters."""
    return [piece for word in _WORD.findall(term) for piece in split_scripts(word)]


def any_of(terms: Iterable[str]) -> str:
    """Return the expression of what holds any word of the terms; the more, the better it ranks.

    Words joined by punctuation count each for itself, and so do the parts of words in camel case.
    """
    return " OR ".join(dict.fromkeys(phrase for term in terms for phrase in _phrases(term)))


def any_name(terms: Iterable[str]) -> str:
    """Return the expression of what holds a name among the terms with its punctuation; empty where none is a name."""
    return " OR ".join(dict.fromkeys(_quote(name) for term in terms for name in identifiers(term)))


def all_of(terms: Iterable[str]) -> str:
    """Return the expression of what holds every term, its words together; empty without terms."""
    return " AND ".join(f"({exactly(term)})" for term in terms)


def exactly(term: str) -> str:
    """Return the expression of what holds a term, its words together.

    A name of a single word, such as `C++`, stands for itself alone: what holds `C` does not hold it.
    """
    names = [_quote(name) for name in identifiers(term)]
    words = words_of(term)
    if names and len(words) == 1:
        return " OR ".join(names)
    if len(words) == 1 and not is_cjk(words[0]):
        return " OR ".join(dict.fromkeys(_spellings(words[0])))
    return " OR ".join(dict.fromkeys((*_together(words), *names)))


def compound_tokens(words: Iterable[str]) -> str:
    """Return the expression of what holds any of some folded words."""
    return " OR ".join(f"{_quote(word)} OR {_quote(german_token(word))}" for word in words)


def _phrases(term: str) -> Iterator[str]:
    words = words_of(term)
    for word in (*words, *split_camel(term)):
        if len(words) == 1 or word.lower() not in ENGLISH_STOP_WORDS:
            yield from _spellings(word)


def _together(words: list[str]) -> Iterator[str]:
    """Yield words as a phrase of text and as one of German stems."""
    yield _quote(" ".join(cjk_phrase(word) if is_cjk(word) else fold_text(word) for word in words))
    yield _quote(" ".join(token for word in words for token in _german_tokens(word)))


def _spellings(word: str) -> Iterator[str]:
    if is_cjk(word):
        # A lone character is the beginning of a pair wherever it is not the last of its run.
        prefix = "*" if len(word) == 1 else ""
        yield _quote(cjk_phrase(word)) + prefix
        if len(word) > 1:
            yield _quote(" ".join(_german_tokens(word)))
        return
    yield _quote(fold_text(word))
    yield _quote(german_token(word))
    yield from map(_quote, umlaut_spellings(word))


def _german_tokens(word: str) -> list[str]:
    if is_cjk(word):
        return [pair + GERMAN_MARK for pair in cjk_phrase(word).split()]
    return [german_token(word)]


def _quote(text: str) -> str:
    """Write text as an FTS5 string: the tokenizer takes it apart, and nothing in it is syntax."""
    return '"' + text.replace('"', '""') + '"'
