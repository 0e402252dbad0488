"""The only place that writes FTS5 expressions. Whatever a person types, the expression is valid."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from retrieval.query.expressions import all_of, any_name, any_of, exactly, words_of
from retrieval.query.filters import FILTER_KEYS, parse_filter
from retrieval.query.stop_words import stop_words

if TYPE_CHECKING:
    from retrieval.query.filters import Filter

MAX_WORDS = 64
"""Words of a query that are looked for, phrases and exclusions counted apart; a pasted page is cut here.

Every word costs a pass over its postings: a phrase of a thousand common words takes seconds.
"""

MAX_TERMS_AROUND_NAME = 3
"""Terms of a query up to which a name such as `C++` is what it is about. Our choice."""

_PIECE = re.compile(rf'(-?)((?:(?:{FILTER_KEYS}):)?)"([^"]*)"|(\S+)', re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query, taken apart.

    Attributes:
        text: What is looked for, for the vector leg: as typed, without exclusions.
        terms: What the keyword leg looks for; a term may be several words joined by punctuation.
        required: Phrases in double quotes, which every result must hold.
        excluded: Terms that no result may hold.
        filters: Conditions on the notes of the results.
    """

    text: str
    terms: tuple[str, ...]
    required: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()

    @property
    def match(self) -> str:
        """The FTS5 expression of the whole query, or empty where there is nothing to look for."""
        return self.constrain(any_of((*self.terms, *self.required)))

    @property
    def names_match(self) -> str:
        """The FTS5 expression of what holds a name the query is about, or empty.

        In a query of many words a name is one among them: taking it for the subject measured worse.
        """
        if len(self.terms) > MAX_TERMS_AROUND_NAME:
            return ""
        return self.constrain(any_name(self.terms))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the terms, as typed."""
        return tuple(word for term in self.terms for word in words_of(term))

    def constrain(self, wanted: str) -> str:
        """Add to an expression what every result must hold and none may hold; an empty one stays empty."""
        if not wanted:
            return ""
        with_required = f"({wanted}) AND ({self.required_match})" if self.required else wanted
        return f"({with_required}) NOT ({self.excluded_match})" if self.excluded else with_required

    @property
    def required_match(self) -> str:
        """The FTS5 expression of what every result must hold, or empty."""
        return all_of(self.required)

    @property
    def excluded_match(self) -> str:
        """The FTS5 expression of what no result may hold, or empty."""
        return " OR ".join(map(exactly, self.excluded))


def parse_query(text: str) -> ParsedQuery:
    """Take a query apart: words, `"phrases"`, `-exclusions` and filters such as `tag:python`.

    Stop words are dropped unless nothing else is left. What looks like a filter but is none is an ordinary word.
    """
    cleaned = text.encode("utf-8", "replace").decode().replace("\0", " ")
    required: list[str] = []
    excluded: list[str] = []
    terms: list[str] = []
    wanted: list[str] = []
    filters: list[Filter] = []
    for match in _PIECE.finditer(cleaned):
        minus, key, phrase, word = match.groups(default="")
        condition = parse_filter(word or (key and minus + key + phrase))
        if condition:
            filters.append(condition)
        elif minus or _is_exclusion(word):
            excluded.append(phrase or word.lstrip("-"))
        else:
            wanted.append(phrase or word)
            (terms if word else required).append(phrase or word)
    phrases = _with_words(required)
    return ParsedQuery(
        text=" ".join(wanted) if phrases or excluded or filters else cleaned.strip(),
        terms=_content_words(terms, may_be_none=bool(phrases)),
        required=phrases,
        excluded=_with_words(excluded),
        filters=tuple(dict.fromkeys(filters[:MAX_WORDS])),
    )


def _is_exclusion(word: str) -> bool:
    """Tell `-word` from a dash, a double-dashed option and a negative number."""
    return word[:1] == "-" and word[1:2].isalpha()


def _content_words(words: list[str], *, may_be_none: bool) -> tuple[str, ...]:
    bare = [word.strip(".,;:!?()[]{}'\"").lower() for word in words]
    dropped = stop_words(bare)
    content = _with_words([word for word, letters in zip(words, bare, strict=True) if letters not in dropped])
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
