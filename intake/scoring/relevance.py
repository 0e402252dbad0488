"""Relevance: how near a signal is to the owner's interests, and to which domain it belongs."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from intake.scoring.cues import GRAVEL, Gravel
from intake.scoring.evidence import build_dimension
from intake.scoring.forms import Form
from intake.types import DomainMatch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.domains import Domain
    from intake.scoring.reading import Reading
    from intake.types import Dimension

TITLE_SHARE = 1.0
"""What a term in the title counts, as a share of its weight; the title says what the text is about."""

TAG_SHARE = 0.35
"""What a term in the tags or the name of the source counts: said about the text, not by it."""

BODY_SHARE = 1.0
"""What a term counts that fills the body; a single mention counts far less, see `_body_share`."""

HALF_COUNT = 0.7
"""Mentions in a very short body at which a term counts half."""

WORDS_PER_MENTION = 400.0
"""Words of body for which one more mention is expected of a term that the text is about."""

HINT_WEIGHT = 0.5
"""Terms of at most this weight are ambiguous and count only in company."""

HINT_COMPANY = 2.0
"""Other terms of the domain that make a hint count fully."""

EVIDENCE_SCALE = 1.1
"""Sum of shares at which a domain scores 1 - 1/e; one certain term in the title and one or two in the body."""

OTHERS_SHARE = 0.15
"""What the domains beside the best add of the room above it."""

GRAVEL_PENALTY = 0.6
"""What unmistakable gravel takes away."""

GRAVEL_TERM_WEIGHT = 0.6
"""Weight of a gravel term: two of them say more than one, as a hint and its company do."""

FORM_PENALTY = {Form.ARTICLE: 0.0, Form.DIGEST: 0.20, Form.EPISODE: 0.35}
"""What a digest loses, as its terms belong to many things, and an episode, as there is nothing to read."""


@dataclass(frozen=True, slots=True)
class _Found:
    """One matched term of one domain."""

    label: str
    term: str
    amount: float


class RelevanceRule:
    """The terms of all domains, turned around: from a term to the domains it marks.

    Args:
        domains: In the order of configuration.
    """

    def __init__(self, domains: Sequence[Domain]) -> None:
        self._domains = tuple(domains)
        self._marks: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for index, domain in enumerate(self._domains):
            for term, weight in domain.terms.items():
                self._marks[term].append((index, weight))
        self._gravel = {term: kind for kind, terms in GRAVEL.items() for term in terms}

    def rate(self, reading: Reading) -> tuple[Dimension, tuple[DomainMatch, ...]]:
        """Rate a signal.

        Returns:
            Relevance, and one match per domain, best first.
        """
        found = self._find(reading)
        scores = [_saturate(math.fsum(item.amount for item in items)) for items in found]
        rows = self._interest_rows(found, scores)
        rows += self._gravel_rows(reading)
        order = sorted(range(len(scores)), key=lambda index: (-round(scores[index], 6), index))
        matches = tuple(
            DomainMatch(
                self._domains[index].name,
                round(scores[index], 4),
                tuple(dict.fromkeys(item.term for item in sorted(found[index], key=lambda item: -item.amount))),
            )
            for index in order
        )
        return build_dimension(rows), matches

    def _find(self, reading: Reading) -> list[list[_Found]]:
        """Collect the matched terms of each domain, hints reduced where they stand alone."""
        found: list[list[_Found]] = [[] for _ in self._domains]
        for term, share, label in _placed(reading):
            for index, weight in self._marks.get(term, ()):
                found[index].append(_Found(label, term, weight * share))
        for index, items in enumerate(found):
            weights = self._domains[index].terms
            company = min(1.0, (len({item.term for item in items}) - 1) / HINT_COMPANY)
            found[index] = [
                item if weights[item.term] > HINT_WEIGHT else _Found(item.label, item.term, item.amount * company)
                for item in items
            ]
        return found

    def _interest_rows(self, found: list[list[_Found]], scores: list[float]) -> list[tuple[str, float]]:
        interests = [score * domain.interest for score, domain in zip(scores, self._domains, strict=True)]
        if not any(interests):
            return []
        best = max(range(len(interests)), key=lambda index: (interests[index], -index))
        total = math.fsum(item.amount for item in found[best])
        rows = [(item.label, interests[best] * item.amount / total) for item in found[best]]
        for index, interest in enumerate(interests):
            if index != best and interest > 0.0:
                share = OTHERS_SHARE * interest * (1.0 - interests[best]) * scores[index]
                rows.append((f"also near to {self._domains[index].name}", share))
        return rows

    def _gravel_rows(self, reading: Reading) -> list[tuple[str, float]]:
        amounts: dict[Gravel, float] = defaultdict(float)
        distinct: dict[Gravel, set[str]] = defaultdict(set)
        for term, share, _ in _placed(reading):
            kind = self._gravel.get(term)
            if kind is not None:
                amounts[kind] += GRAVEL_TERM_WEIGHT * share
                distinct[kind].add(term)
        rows = []
        for kind, amount in amounts.items():
            company = min(1.0, len(distinct[kind]) / HINT_COMPANY)
            names = ", ".join(sorted(distinct[kind])[:3])
            rows.append((f"{kind}: {names}", -GRAVEL_PENALTY * _saturate(amount) * company))
        rows.append((f"{reading.form}, not an article", -FORM_PENALTY[reading.form]))
        return rows


def _placed(reading: Reading) -> list[tuple[str, float, str]]:
    """List the matched terms with the share their place gives them, and a label that names the place."""
    words = reading.features.words
    placed = [(term, TITLE_SHARE, f"term '{term}' in the title") for term in reading.title_hits]
    placed += [(term, TAG_SHARE, f"term '{term}' in tags or source name") for term in reading.tag_hits]
    for term, count in reading.body_hits.items():
        times = "" if count == 1 else f" {count} times"
        placed.append((term, BODY_SHARE * _body_share(count, words), f"term '{term}'{times} in the text"))
    return placed


def _body_share(count: int, words: int) -> float:
    """Let mentions saturate, the later the longer the text, so that one word in a footer weighs nothing."""
    return count / (count + HALF_COUNT + words / WORDS_PER_MENTION)


def _saturate(amount: float) -> float:
    return 1.0 - math.exp(-amount / EVIDENCE_SCALE)
