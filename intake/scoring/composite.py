"""The scorer: four dimensions, one composite, every reason kept."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING

from intake.scoring.actionability import ActionabilityRule
from intake.scoring.authority import AuthorityRule
from intake.scoring.cues import (
    ANNOUNCEMENT,
    ARGUMENT,
    CHANGE,
    GRAVEL,
    HOW_TO,
    INSTRUCTION,
    OWN_WORK,
    PROMOTION,
    SECOND_HAND,
    TECHNIQUE,
)
from intake.scoring.depth import DepthRule
from intake.scoring.evidence import DECIMALS
from intake.scoring.lexicon import Lexicon
from intake.scoring.reading import read_signal
from intake.scoring.relevance import RelevanceRule
from intake.types import ScoreCard

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from config.domains import Domain
    from config.settings import IntakeSettings
    from intake.types import Signal

RULES = "2"
"""Raised with every change of the code or the cue words that can change a score."""

_CUES = (
    ANNOUNCEMENT, ARGUMENT, CHANGE, HOW_TO, INSTRUCTION, OWN_WORK, PROMOTION, SECOND_HAND, TECHNIQUE, *GRAVEL.values(),
)  # fmt: skip


class Scorer:
    """Scores signals for one vault; compiled once, then pure.

    Args:
        domains: The vault's domains, at least one.
        settings: Weights of the dimensions and reputation of sources.

    Attributes:
        rules: Version of the rules and a hash of the domains and settings used, such as `1-4be0a1c2`.
    """

    def __init__(self, domains: Sequence[Domain], settings: IntakeSettings) -> None:
        self._lexicon = Lexicon(
            [term for domain in domains for term in domain.terms],
            [term for cues in _CUES for term in cues],
        )
        self._weights = settings.weights
        self._relevance = RelevanceRule(domains)
        self._actionability = ActionabilityRule()
        self._depth = DepthRule()
        self._authority = AuthorityRule(settings.source_authority)
        self.rules = _rules_version(domains, settings)

    def score(self, signal: Signal, *, now: datetime) -> ScoreCard:  # noqa: ARG002  callers replay with a fixed clock
        """Score a signal.

        Args:
            signal: A cleaned signal.
            now: Aware time of scoring. No rule of this version looks at the clock; callers hand it over all the
                same, so that a rule about age can come without a change of theirs.

        Returns:
            The same card for the same signal, whenever and however often it is asked for.
        """
        reading = read_signal(signal, self._lexicon)
        relevance, domains = self._relevance.rate(reading)
        actionability = self._actionability.rate(reading)
        depth = self._depth.rate(reading)
        authority = self._authority.rate(reading)
        weights = self._weights
        composite = (
            weights.relevance * relevance.value
            + weights.actionability * actionability.value
            + weights.depth * depth.value
            + weights.authority * authority.value
        )
        return ScoreCard(
            relevance=relevance,
            actionability=actionability,
            depth=depth,
            authority=authority,
            composite=round(min(1.0, composite), DECIMALS),
            domains=domains,
            rules=self.rules,
        )


def _rules_version(domains: Sequence[Domain], settings: IntakeSettings) -> str:
    used = (
        [(domain.name, domain.interest, sorted(domain.terms.items())) for domain in domains],
        sorted(asdict(settings.weights).items()),
        sorted(settings.source_authority.items()),
    )
    return f"{RULES}-{hashlib.sha256(repr(used).encode()).hexdigest()[:8]}"
