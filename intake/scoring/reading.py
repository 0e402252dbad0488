"""One signal with everything the four dimensions look at, read once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intake.scoring.forms import Form, recognize_form
from intake.scoring.text_features import TextFeatures, guess_language, read_features, tokenize

if TYPE_CHECKING:
    from intake.scoring.lexicon import Lexicon
    from intake.types import Signal


@dataclass(frozen=True, slots=True)
class Reading:
    """A signal and what was found in it.

    Attributes:
        signal: The signal itself.
        features: Counts of its body.
        form: Article, digest or episode.
        title_hits: How often each term occurs in the title.
        tag_hits: How often each term occurs in the tags of the entry and of its source, and in the source's title.
        body_hits: How often each term occurs in the prose of the body.
    """

    signal: Signal
    features: TextFeatures
    form: Form
    title_hits: Counter[str]
    tag_hits: Counter[str]
    body_hits: Counter[str]

    def count(self, terms: frozenset[str]) -> tuple[int, int]:
        """Return how many of the terms occur in title or body, and how often altogether."""
        found = [(term, count) for term, count in self.body_hits.items() if term in terms]
        found += [(term, count) for term, count in self.title_hits.items() if term in terms]
        return len({term for term, _ in found}), sum(count for _, count in found)


def read_signal(signal: Signal, lexicon: Lexicon) -> Reading:
    """Read a signal once.

    Args:
        signal: A cleaned signal.
        lexicon: All terms that any dimension asks for.
    """
    features = read_features(signal.body)
    title = tokenize(signal.title)
    language = features.language
    tags: list[str] = []
    for text in (*signal.tags, *signal.source.tags, signal.source.title):
        tags += [*tokenize(text), ""]
    return Reading(
        signal=signal,
        features=features,
        form=recognize_form(signal, features),
        title_hits=lexicon.find(title, guess_language(Counter(title)) if features.words == 0 else language),
        tag_hits=lexicon.find(tags, language),
        body_hits=lexicon.find(features.tokens, language),
    )
