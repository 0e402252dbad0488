"""Routing: one decision for every score, the same every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.settings import RoutingSettings
from intake.types import DomainMatch
from vault_router.routing import route, runner_up
from vault_router.types import Dropped, Queued, Routed

if TYPE_CHECKING:
    from collections.abc import Callable

    from config.domains import Domain
    from intake.types import ScoreCard

SETTINGS = RoutingSettings(keep_threshold=0.55, review_threshold=0.40)


@pytest.mark.parametrize(
    ("composite", "expected"),
    [(1.0, Routed), (0.55, Routed), (0.549, Queued), (0.40, Queued), (0.399, Dropped), (0.0, Dropped)],
)
def test_the_two_thresholds_belong_to_the_better_outcome(
    composite: float, expected: type, make_card: Callable[..., ScoreCard], domains: tuple[Domain, ...]
) -> None:
    """A score equal to a threshold has reached it."""
    routing = route(make_card(composite, ai=0.9, web=0.2), domains, SETTINGS)

    assert isinstance(routing, expected)
    assert routing.domain == "ai"


def test_a_dropped_signal_says_by_how_much_it_failed(
    make_card: Callable[..., ScoreCard], domains: tuple[Domain, ...]
) -> None:
    """The reason of a drop names the score and the threshold."""
    routing = route(make_card(0.123, ai=0.9), domains, SETTINGS)

    assert routing == Dropped("ai", "composite 0.123 lies below the review threshold 0.4")


def test_a_near_tie_names_its_runner_up(make_card: Callable[..., ScoreCard], domains: tuple[Domain, ...]) -> None:
    """A second domain with four fifths of the best score is named; one with less is not."""
    assert route(make_card(0.7, ai=0.5, web=0.4), domains, SETTINGS) == Routed("ai", "web")
    assert route(make_card(0.7, ai=0.5, web=0.39), domains, SETTINGS) == Routed("ai", None)
    assert route(make_card(0.5, ai=0.5, web=0.4), domains, SETTINGS) == Queued("ai", "web")


def test_a_signal_that_fits_no_domain_is_never_routed(
    make_card: Callable[..., ScoreCard], domains: tuple[Domain, ...]
) -> None:
    """Without any match the best signal waits for a person, in the domain the owner cares for most."""
    assert route(make_card(0.9, ai=0.0, web=0.0), domains, SETTINGS) == Queued("web", None)
    dropped = route(make_card(0.1, ai=0.0, web=0.0), domains, SETTINGS)
    assert dropped == Dropped("", "composite 0.100 lies below the review threshold 0.4")


def test_a_muted_domain_keeps_nothing(make_card: Callable[..., ScoreCard], domains: tuple[Domain, ...]) -> None:
    """An interest of 0 drops the best score."""
    assert route(make_card(1.0, gossip=0.9, ai=0.8), domains, SETTINGS) == Dropped(
        "gossip", "the domain gossip has an interest of 0"
    )


def test_a_match_whose_domain_is_gone_is_passed_over(
    make_card: Callable[..., ScoreCard], domains: tuple[Domain, ...]
) -> None:
    """A card scored before domains.yaml was changed goes to the best domain that is still there."""
    assert route(make_card(0.7, removed=0.9, web=0.3, ai=0.1), domains, SETTINGS) == Routed("web", None)


def test_a_domain_chosen_against_the_best_match_has_no_runner_up() -> None:
    """A person who corrected the domain is not answered with a tag of the wrong one."""
    matches = (DomainMatch("ai", 0.9), DomainMatch("web", 0.85))

    assert runner_up(matches, "ai") == "web"
    assert runner_up(matches, "web") is None


@given(
    composite=st.floats(0, 1),
    scores=st.dictionaries(st.sampled_from(["ai", "web", "gossip", "unknown"]), st.floats(0, 1), min_size=1),
    thresholds=st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted),
)
def test_routing_is_total_and_deterministic(
    composite: float,
    scores: dict[str, float],
    thresholds: list[float],
    make_card: Callable[..., ScoreCard],
    domains: tuple[Domain, ...],
) -> None:
    """Every card has one routing, to a matching domain or for review, and the thresholds decide how far it comes."""
    settings = RoutingSettings(review_threshold=thresholds[0], keep_threshold=thresholds[1])
    card = make_card(composite, **scores)

    routing = route(card, domains, settings)

    assert routing == route(card, domains, settings)
    names = {domain.name for domain in domains}
    assert routing.domain in names or (isinstance(routing, Dropped) and not any(scores.get(name) for name in names))
    match routing:
        case Routed(domain, second):
            assert composite >= settings.keep_threshold
            assert scores[domain] > 0
            assert second is None or 0 < scores[second] <= scores[domain]
        case Queued():
            assert composite >= settings.review_threshold
        case Dropped(domain):
            assert composite < settings.review_threshold or domain == "gossip"
