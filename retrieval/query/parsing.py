"""The only place that writes FTS5 expressions. Whatever a person types, the expression is valid."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.query.stop_words import STOP_WORDS

MAX_WORDS = 64
"""Words of a query that are looked for, phrases and exclusions counted apart; a pasted page is cut here.

Every word costs a pass over its postings: a phrase of a thousand common words takes seconds.
"""

_PIECE = re.compile(r'(-?)"([^"]*)"|(\S+)')
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query, taken apart.

    Attributes:
        text: What is looked for, for the vector leg: as typed, without exclusions.
        terms: What the keyword leg looks for; several words in one term must stand together.
        required: Phrases in double quotes, which every result must hold.
        excluded: Terms that no result may hold.
    """

    text: str
    terms: tuple[str, ...]
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def match(self) -> str:
        """The FTS5 expression of the whole query, or empty where there is nothing to look for."""
        wanted = _any_of((*self.terms, *self.required))
        if not wanted:
            return ""
        with_required = f"({wanted}) AND ({self.required_match})" if self.required else wanted
        return f"({with_required}) NOT ({self.excluded_match})" if self.excluded else with_required

    @property
    def required_match(self) -> str:
        """The FTS5 expression of what every result must hold, or empty."""
        return " AND ".join(map(_quote, self.required))

    @property
    def excluded_match(self) -> str:
        """The FTS5 expression of what no result may hold, or empty."""
        return _any_of(self.excluded)


def parse_query(text: str) -> ParsedQuery:
    """Take a query apart: words, `"phrases"` and `-exclusions`.

    A word with punctuation inside, such as `state-of-the-art`, `38.101` or `_rrf_fuse`, is one term whose parts must
    stand together. Stop words are dropped unless nothing else is left.
    """
    cleaned = text.encode("utf-8", "replace").decode().replace("\0", " ")
    required: list[str] = []
    excluded: list[str] = []
    terms: list[str] = []
    wanted: list[str] = []
    for match in _PIECE.finditer(cleaned):
        minus, phrase, word = match.groups(default="")
        if minus or _is_exclusion(word):
            excluded.append(phrase or word.lstrip("-"))
            continue
        wanted.append(phrase or word)
        (terms if word else required).append(phrase or word)
    phrases = _with_words(required)
    return ParsedQuery(
        text=" ".join(wanted) if phrases or excluded else cleaned.strip(),
        terms=_content_words(terms, may_be_none=bool(phrases)),
        required=phrases,
        excluded=_with_words(excluded),
    )


def _is_exclusion(word: str) -> bool:
    """Tell `-word` from a dash, a double-dashed option and a negative number."""
    return word[:1] == "-" and word[1:2].isalpha()


def _content_words(words: list[str], *, may_be_none: bool) -> tuple[str, ...]:
    content = _with_words([word for word in words if word.strip(".,;:!?()[]{}'\"").lower() not in STOP_WORDS])
    return content if content or may_be_none else _with_words(words)


def _with_words(terms: list[str]) -> tuple[str, ...]:
    """Drop repetitions and what holds no letter or digit, and stop after so many words."""
    kept: list[str] = []
    left = MAX_WORDS
    for term in dict.fromkeys(terms):
        words = list(_WORD.finditer(term))
        if words and left:
            kept.append(term if len(words) <= left else term[: words[left - 1].end()])
            left -= min(left, len(words))
    return tuple(kept)


def _any_of(terms: tuple[str, ...]) -> str:
    return " OR ".join(map(_quote, terms))


def _quote(term: str) -> str:
    """Write a term as an FTS5 string: the tokenizer takes it apart, and nothing in it is syntax."""
    return '"' + term.replace('"', '""') + '"'
