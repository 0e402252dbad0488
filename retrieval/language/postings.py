"""What the keyword leg indexes for a passage: the same words in one spelling. The passage shown stays as it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from retrieval.language.folding import fold_text, fold_word
from retrieval.language.german import german_text, is_german
from retrieval.language.identifiers import camel_parts, name_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SHORTEST_COMPOUND = 8
"""Letters of a word that may be a compound of two. Our choice."""
_EVIDENCE = 2
"""German function words a passage needs more than English ones. Our choice."""
LONGEST_COMPOUND = 48
"""Letters above which a word is data rather than a compound. Our choice."""

_AROUND = ".,;:!?()[]{}<>\"'`*_-–—„“”‚‘’«»|#/"  # noqa: RUF001  quotation marks and dashes as they are printed


_SENTENCE = ",;:!?()[]{}<>\"'`*"


@dataclass(frozen=True, slots=True)
class Postings:
    """The columns of the full-text table for one passage.

    Attributes:
        text: The passage; parts of words in camel case are added.
        section: Its heading.
        context: Title, type and tags of its note.
        names: Identifiers, see `retrieval.language.identifiers`.
        compounds: Folded long words that may be German compounds; none where the passage is in another language.
    """

    text: str
    section: str
    context: str
    names: str
    compounds: frozenset[str]


def make_postings(context: str, passages: Sequence[tuple[str, str]]) -> list[Postings]:
    """Prepare the passages of one note.

    German passages are indexed as German stems; all others are left to the English stemmer of FTS5. A passage without
    function words (a list, a table) counts as in the language of its note.

    Args:
        context: Title, type and tags of the note.
        passages: Section and text of each.
    """
    runs = [set(f"{context} {section} {text}".split()) for section, text in passages]
    lower = [{run.lower() for run in each} for each in runs]
    languages: list[bool | None] = [is_german(each, evidence=_EVIDENCE) for each in lower]
    if None in languages:
        of_note = is_german(set().union(*lower), evidence=_EVIDENCE)
        languages = [of_note if language is None else language for language in languages]
    return [
        _postings(context, section, text, own, german=language)
        for (section, text), own, language in zip(passages, runs, languages, strict=True)
    ]


def _postings(context: str, section: str, text: str, runs: set[str], *, german: bool | None) -> Postings:
    marked = {run for run in runs if not _is_plain(run)}
    is_stemmed = german is True
    names = name_tokens(marked)
    # Where the language does not show, a passage with names in it is likely code, whose words are no compounds.
    may_hold_compounds = is_stemmed or (german is None and not names)
    return Postings(
        text=_column(text, marked, german=is_stemmed),
        section=_column(section, section.split(), german=is_stemmed),
        context=_column(context, context.split(), german=is_stemmed),
        names=names,
        compounds=_compounds(runs) if may_hold_compounds else frozenset(),
    )


@lru_cache(maxsize=1 << 16)
def _is_plain(run: str) -> bool:
    """Tell, cheaply, a word in small letters with the punctuation of its sentence: no name, nothing in camel case."""
    bare = run if run.isalpha() else run.strip(_SENTENCE).rstrip(".")
    return bare.isalpha() and (bare[1:].islower() or len(bare) == 1)


def _column(text: str, runs: Iterable[str], *, german: bool) -> str:
    parts = camel_parts(runs)
    folded = fold_text(f"{text} {parts}" if parts else text)
    return german_text(folded) if german else folded


def _compounds(runs: set[str]) -> frozenset[str]:
    bare = (run.strip(_AROUND) for run in runs if len(run) >= SHORTEST_COMPOUND)
    folded = (fold_word(word) for word in bare if word.isalpha())
    return frozenset(word for word in folded if SHORTEST_COMPOUND <= len(word) <= LONGEST_COMPOUND)
