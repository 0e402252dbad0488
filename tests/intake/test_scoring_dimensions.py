"""What each of the four dimensions rewards, and what must not fool it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from config.domains import load_domains
from config.settings import IntakeSettings
from intake.scoring import Scorer
from intake.types import DimensionName, Signal, SignalId, SourceKind, SourceRef

if TYPE_CHECKING:
    from intake.types import Dimension, ScoreCard

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SCORER = Scorer(load_domains(), IntakeSettings())
PROSE = "The water is cold and the path along the shore is long, so most visitors turn back before noon. "


def signal(title: str = "A walk", body: str = "", **fields: Any) -> Signal:  # noqa: ANN401  any field of a signal
    """A signal of a plain source."""
    source = fields.pop(
        "source", SourceRef(SourceKind.FEED, "https://example.org/feed", "Example", "https://example.org")
    )
    values: dict[str, Any] = {
        "id": SignalId("0" * 16), "source": source, "url": "https://example.org/a", "canonical_url": "", "title": title,
        "author": "", "published": NOW, "date_guessed": False, "captured": NOW, "tags": (), "body": body,
    }  # fmt: skip
    return Signal(**values | fields)


def score(*arguments: str, **fields: Any) -> ScoreCard:  # noqa: ANN401  any field of a signal
    """The card of a signal."""
    return SCORER.score(signal(*arguments, **fields), now=NOW)


def labels(dimension: Dimension) -> str:
    """All reasons in one text."""
    return "\n".join(row.label for row in dimension.evidence)


# Relevance


def test_a_term_in_the_title_says_more_than_one_in_the_body() -> None:
    """The title names the subject."""
    in_title = score("Kubernetes", PROSE * 5).relevance
    in_body = score("A walk", f"{PROSE * 5} Kubernetes.").relevance
    in_tags = score("A walk", PROSE * 5, tags=("kubernetes",)).relevance
    assert in_title.value > in_body.value > in_tags.value > 0
    assert "term 'kubernetes' in the title" in labels(in_title)


def test_one_keyword_at_the_end_of_a_long_text_does_next_to_nothing() -> None:
    """A footer that names a technology does not make a text about walks technical."""
    assert score("A walk", f"{PROSE * 100}\n\nPowered by PostgreSQL.\n").relevance.value < 0.2


def test_a_term_inside_another_word_does_nothing() -> None:
    """No domain is reached by letters in the middle of a word."""
    assert score("Scandalous", "The crust of the scaffold in Javanese.").relevance.value == 0


def test_a_hint_counts_only_in_company() -> None:
    """The word `function` alone marks nothing, but among words of programming it does."""
    alone = score("The function of a walk", PROSE).domains[0]
    together = score("The function of a pointer to a string and an integer", PROSE)
    assert alone.score < 0.1
    assert together.domains[0].name == "development"
    assert "function" in together.domains[0].terms


def test_more_of_the_same_term_saturates() -> None:
    """A word repeated fifty times is no fifty reasons."""
    few = score("A walk", f"{PROSE * 3} {'encryption ' * 4}").relevance.value
    many = score("A walk", f"{PROSE * 3} {'encryption ' * 50}").relevance.value
    assert few < many < 1.3 * few


def test_interest_scales_relevance() -> None:
    """Equally clear texts differ by what the owner cares about."""
    high = score("Encryption, cryptography and ransomware").relevance.value
    medium = score("Astronomy, physics and biology").relevance.value
    assert high > 1.3 * medium > 0


def test_the_best_domain_dominates_and_others_add_a_little() -> None:
    """A second domain adds less than a tenth."""
    one = score("Encryption").relevance.value
    two = score("Encryption typography").relevance.value
    assert one < two < one + 0.1


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Playoffs: pitcher and goalkeeper in the championship", "sport"),
        ("Horoscope and zodiac for software developers", "horoscopes"),
        ("Coupon and promo code: black friday bargain on a laptop", "shopping and adverts"),
        ("Job opening: we are hiring, apply now", "job adverts"),
        ("Apartment for rent, two bedroom", "housing adverts"),
        ("Unfall mit Vollsperrung: drei Verletzte", "local news and weather"),
    ],
)
def test_gravel_takes_away_and_says_so(title: str, kind: str) -> None:
    """Subjects of no interest are negative evidence of their own."""
    relevance = score(title).relevance
    assert relevance.value < 0.35
    assert any(row.label.startswith(f"{kind}: ") and row.amount < 0 for row in relevance.evidence)


def test_an_episode_without_text_is_less_relevant_than_an_article() -> None:
    """An audio file with a short text has nothing to read."""
    body = "We talk about encryption and privacy."
    episode = score("Encryption", body, media_types=("audio/mpeg",))
    assert episode.relevance.value < score("Encryption", body).relevance.value - 0.2
    assert "episode, not an article" in labels(episode.relevance)


# Actionability


def test_code_commands_and_steps_are_actionable() -> None:
    """Each kind of instruction adds."""
    plain = PROSE * 3
    values = [
        score("A walk", body).actionability.value
        for body in (
            plain,
            f"{plain}\n\n1. Start\n2. Turn\n3. Return\n",
            f"{plain}\n\n1. Start\n2. Turn\n3. Return\n\n```sh\nmake all\ngit push\n```\n",
        )
    ]
    assert values[0] < 0.05
    assert values == sorted(set(values))


def test_marketing_imperatives_take_away() -> None:
    """To buy, sign up and subscribe is nothing a reader can do with the knowledge."""
    body = "Install the tool and run it. " * 6
    pushed = f"{body} Buy now! Book a demo. Start your free trial, hurry, act now and join us."
    assert score("A tool", pushed).actionability.value < score("A tool", body).actionability.value / 2


def test_a_how_to_in_the_title_is_named() -> None:
    """The promise of instructions is a reason with the words it is made in."""
    assert "'how to' in the title" in labels(score("How to prune trees").actionability)
    assert "'anleitung' in the title" in labels(score("Anleitung zum Baumschnitt").actionability)


def test_verbs_of_a_digest_are_not_instructions() -> None:
    """A weekly report tells what others added and fixed."""
    body = "Added a parser, fixed the build, removed a flag, updated the config. " * 10
    assert score("Report, week 12", body).actionability.value < score("Report", body).actionability.value


# Depth


def test_depth_ignores_title_tags_and_source() -> None:
    """Only the body counts."""
    body = PROSE * 10
    rich = score(
        "Because of this, therefore: a thorough analysis", body, tags=("research", "analysis", "deep"), author="Ada",
        source=SourceRef(SourceKind.FEED, "k", "Journal of Research", "https://docs.example.edu", ("science",)),
    )  # fmt: skip
    assert rich.depth == score("x", body).depth


def test_depth_grows_with_length_and_saturates() -> None:
    """Twice the words are more, but not twice as much."""
    values = [score("x", PROSE * n).depth.value for n in (1, 10, 40, 80, 160)]
    assert values == sorted(set(values))
    assert values[4] - values[3] < values[3] - values[2] < values[2] - values[1]


@pytest.mark.parametrize(
    "addition",
    [
        "```c\nint x;\nint y;\nreturn x;\n```\n",
        "## One\n\n## Two\n\n## Three\n",
        "It took 12 of 40 runs in 2019, 17 of 40 in 2020 and 31 of 40 in 2021.\n",
        "See [a](https://a.example/1), [b](https://b.example/2) and [c](https://c.example/3).\n",
        "However, this holds because it must; therefore, for example, it does not hold there.\n",
    ],
)
def test_support_makes_a_text_deeper(addition: str) -> None:
    """Code, structure, data, references and argument each count."""
    body = f"{PROSE * 15}\n\n"
    words = len(addition.split())
    assert score("x", body + addition).depth.value > score("x", body + "path " * words).depth.value


def test_boilerplate_and_quotes_are_no_depth() -> None:
    """What others wrote and what the site appends is not the text's own explanation."""
    body = PROSE * 3
    quoted = f"{body}\n\n> {PROSE * 10}\n"
    appended = f"{body}\n\nSubscribe to our newsletter for more stories like this one.\n"
    assert score("x", quoted).depth.value <= score("x", body).depth.value + 0.02
    assert score("x", appended).depth.value == score("x", body).depth.value


def test_a_list_of_links_is_shallow() -> None:
    """Forty link texts are not forty sentences."""
    links = "\n".join(f"- [the long title of story number {n}](https://a.example/{n})" for n in range(40))
    assert score("x", links).depth.value < score("x", PROSE * 16).depth.value - 0.1


# Authority


def test_the_owners_table_decides_for_hosts_it_names() -> None:
    """A configured host has its reputation, subdomains included, whatever else is seen."""
    scorer = Scorer(load_domains(), IntakeSettings(source_authority={"www.Example.org": 0.9, "bad.example": 0.1}))
    good = scorer.score(signal(url="https://blog.example.org/x", body=PROSE), now=NOW).authority
    bad = scorer.score(signal(url="http://bad.example/x", body=PROSE * 20, author="Ada Example"), now=NOW).authority
    elsewhere = SourceRef(SourceKind.FEED, "https://notexample.org/feed", "", "https://notexample.org")
    other = scorer.score(signal(url="https://notexample.org/x", body=PROSE, source=elsewhere), now=NOW).authority
    assert (good.value, bad.value) == (0.9, 0.1)
    assert "your table gives example.org 0.9" in labels(good)
    assert "your table" not in labels(other)


def test_a_primary_source_is_trusted_more_than_one_that_passes_on() -> None:
    """An entry on its source's own site speaks for itself."""
    own = score("A walk", PROSE * 10)
    foreign = score("A walk", PROSE * 10, url="https://elsewhere.example/a")
    assert own.authority.value > foreign.authority.value
    assert "passed on from elsewhere.example" in labels(foreign.authority)


@pytest.mark.parametrize(
    "url",
    ["https://cs.example.edu/a", "https://www.example.ac.uk/a", "https://example.gov/a", "https://docs.example.org/a"],
)
def test_institutions_are_known_by_their_addresses(url: str) -> None:
    """Universities, authorities and documentation have addresses of a kind."""
    source = SourceRef(SourceKind.FEED, url, "", url)
    plain = SourceRef(SourceKind.FEED, "https://example.org", "", "https://example.org")
    institution = score("x", PROSE * 5, url=url, source=source).authority.value
    assert institution > score("x", PROSE * 5, url="https://example.org/a", source=plain).authority.value


def test_a_name_without_a_text_is_capped() -> None:
    """The best address earns little while it says nothing."""
    url = "https://research.example.edu/a"
    source = SourceRef(SourceKind.FEED, url, "Research", url)
    stub = score("We introduce a result", "", url=url, source=source, author="Ada Example").authority
    full = score("We introduce a result", PROSE * 20, url=url, source=source, author="Ada Example").authority
    assert stub.value <= 0.6 < full.value
    assert "a name without a text" in labels(stub)


def test_adverts_cost_trust() -> None:
    """Promotion and affiliate links make a source doubtful."""
    body = PROSE * 5
    pushed = f"{body} This post contains affiliate links, sponsored, a coupon and a discount. Buy now and act now."
    assert score("x", pushed).authority.value < score("x", body).authority.value - 0.15


def test_the_site_itself_is_no_named_author() -> None:
    """An author called admin, or like the site, is nobody."""
    assert "a named author" not in labels(score("x", PROSE, author="admin").authority)
    assert "a named author" not in labels(score("x", PROSE, author="Example").authority)
    assert "a named author" in labels(score("x", PROSE, author="Ada Lovelace").authority)


def test_every_dimension_can_be_asked_for_by_name() -> None:
    """The card gives its parts by the names in the settings."""
    card = score("Encryption", PROSE)
    assert [card.dimension(name) for name in DimensionName] == [
        card.relevance, card.actionability, card.depth, card.authority,
    ]  # fmt: skip
