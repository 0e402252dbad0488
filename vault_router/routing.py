"""The decision: which of the domains a signal belongs to, and whether it is kept, queued or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vault_router.types import Dropped, Queued, Routed, Routing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from config.domains import Domain
    from config.settings import RoutingSettings
    from intake.types import DomainMatch, ScoreCard

NEAR_TIE_SHARE = 0.8
"""Share of the best domain's score from which the second best counts as nearly as good. Our choice."""


def route(card: ScoreCard, domains: Sequence[Domain], settings: RoutingSettings) -> Routing:
    """Decide what happens to a scored signal; total, and the same for the same arguments.

    The domain is the best match. Where no domain matches at all, a signal is queued at best, in the favourite domain:
    no folder speaks for it, so a person has to. One that is dropped without a match has no domain. A signal whose
    domain has an interest of 0 is dropped whatever its score: that is what 0 promises.

    Args:
        card: The score; matches of domains that are no longer configured are passed over.
        domains: The configured domains, at least one.
        settings: The two thresholds.
    """
    by_name = {domain.name: domain for domain in domains}
    matches = tuple(match for match in card.domains if match.name in by_name and match.score > 0.0)
    domain = by_name[matches[0].name] if matches else favourite(domains)
    if domain.interest <= 0.0:
        return Dropped(domain.name, f"the domain {domain.name} has an interest of 0")
    second = runner_up(matches, domain.name)
    if card.composite >= settings.keep_threshold and matches:
        return Routed(domain.name, second)
    if card.composite >= settings.review_threshold:
        return Queued(domain.name, second)
    return Dropped(
        domain.name if matches else "",
        f"composite {card.composite:.3f} lies below the review threshold {settings.review_threshold:g}",
    )


def favourite(domains: Sequence[Domain]) -> Domain:
    """Return the domain the owner cares for most, the first of several; at least one must be given."""
    return max(domains, key=lambda candidate: candidate.interest)


def runner_up(matches: Sequence[DomainMatch], domain: str) -> str | None:
    """Name the domain that fits nearly as well as the chosen one.

    Args:
        matches: Best first.
        domain: The chosen domain. Where a person chose another than the best, the others were judged wrong.

    Returns:
        The second best, if it has at least `NEAR_TIE_SHARE` of the best one's score, else None.
    """
    if len(matches) < 2 or matches[0].name != domain:  # noqa: PLR2004  a second needs two
        return None
    best, second = matches[0].score, matches[1].score
    return matches[1].name if second > 0.0 and second >= NEAR_TIE_SHARE * best else None
