"""The whole scorer: sums, determinism, versions, and the texts it was made for."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.domains import load_domains
from config.settings import IntakeSettings, RoutingSettings, WeightSettings
from intake.scoring import RULES, Scorer
from intake.types import DimensionName, Signal, SignalId, SourceKind, SourceRef

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DOMAINS = load_domains()
SCORER = Scorer(DOMAINS, IntakeSettings())
ROUTING = RoutingSettings()

FLOWER_TAGS = tuple("photography flowers nature design art color research science knowledge beauty".split())
FLOWER = "A poppy in the morning light.\nShot with my old lens, and I love the red.\n"

HOW_TO_EN = """PostgreSQL databases need a backup that was restored at least once. This guide shows how to set one up.

1. Create a role for the backup and write its password to `~/.pgpass`.
2. Dump the database every night with `pg_dump`.
3. Copy the dump to a second server.
4. Check once a month that it can be restored.

```sh
$ pg_dump --format=custom --file=/backup/shop.dump shop
$ rsync -a /backup/ backup@second:/backup/
$ pg_restore --create --dbname=postgres /backup/shop.dump
```

A dump is consistent because PostgreSQL reads it in one transaction. However, it does not hold the roles of the
cluster; therefore save them as well, with `pg_dumpall --roles-only`. For large databases a dump takes hours, so use
a base backup and archive the write-ahead log instead. Set `archive_mode = on` in the configuration and restart the
server. You can then restore the database to any moment of the last days.
"""

HOW_TO_DE = """PostgreSQL-Datenbanken brauchen eine Datensicherung, die mindestens einmal wiederhergestellt wurde. Diese
Anleitung zeigt, wie man sie einrichtet.

1. Eine Rolle für die Sicherung anlegen und ihr Passwort in `~/.pgpass` schreiben.
2. Die Datenbank jede Nacht mit `pg_dump` sichern.
3. Die Sicherungskopie auf einen zweiten Server kopieren.
4. Einmal im Monat prüfen, ob die Wiederherstellung gelingt.

```sh
$ pg_dump --format=custom --file=/backup/shop.dump shop
$ rsync -a /backup/ backup@second:/backup/
$ pg_restore --create --dbname=postgres /backup/shop.dump
```

Die Sicherung ist in sich stimmig, weil PostgreSQL sie in einer Transaktion liest. Allerdings enthält sie die Rollen
nicht; deshalb sollte man auch diese sichern, mit `pg_dumpall --roles-only`. Bei großen Datenbanken dauert das
Stunden, daher nimmt man dort eine Basissicherung und archiviert das Protokoll. Dazu in der Konfiguration
`archive_mode = on` einstellen und den Server neu starten. Danach kann man die Datenbank auf jeden Zeitpunkt der
letzten Tage zurücksetzen.
"""

MARKETING = """Supercharge your backups with the revolutionary, industry-leading cloud database backup platform! Our
award-winning PostgreSQL solution is trusted by thousands of companies and takes your business to the next level.

Sign up today and start your free trial. Book a demo, contact sales, and get started today. Don't miss this limited
offer: use the promo code BACKUP for a discount of 20 %. Buy now, hurry, and unlock the power of seamless, world-class
data protection. Click here to learn more, subscribe, and join us!
"""


def signal(title: str, body: str, tags: tuple[str, ...] = ()) -> Signal:
    """A signal of a plain blog."""
    return Signal(
        id=SignalId("0" * 16),
        source=SourceRef(SourceKind.FEED, "https://blog.example/feed", "A blog", "https://blog.example/"),
        url="https://blog.example/post", canonical_url="https://blog.example/post", title=title, author="Ada Example",
        published=NOW, date_guessed=False, captured=NOW, tags=tags, body=body,
    )  # fmt: skip


texts = st.text(
    alphabet=st.sampled_from([*"abc \n#`*-1.[]()>|", "ä", "\x00", "\u202e"]), max_size=120
) | st.sampled_from([FLOWER, HOW_TO_EN, HOW_TO_DE, MARKETING, HOW_TO_EN * 30, "buy now coupon soccer " * 40])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["How to use git", "Coupon: buy now", "x", "Fußball"]) | texts, texts)
def test_evidence_adds_up_to_every_value(title: str, body: str) -> None:
    """Values lie between 0 and 1, are the sums of their reasons, and the strongest reason comes first."""
    card = SCORER.score(signal(title, body), now=NOW)
    for name in DimensionName:
        dimension = card.dimension(name)
        amounts = [row.amount for row in dimension.evidence]
        assert 0.0 <= dimension.value <= 1.0
        assert math.isclose(math.fsum(amounts), dimension.value, abs_tol=1e-6)
        assert [abs(amount) for amount in amounts] == sorted(map(abs, amounts), reverse=True)
        assert all(amounts)
    assert 0.0 <= card.composite <= 1.0
    assert sorted(match.name for match in card.domains) == sorted(domain.name for domain in DOMAINS)
    assert [match.score for match in card.domains] == sorted((m.score for m in card.domains), reverse=True)


def test_the_composite_is_the_weighted_sum_of_the_four() -> None:
    """With the published weights by default, and with others where they are set."""
    post = signal("How to back up PostgreSQL", HOW_TO_EN)
    card = SCORER.score(post, now=NOW)
    four = (card.relevance.value, card.actionability.value, card.depth.value, card.authority.value)
    expected = sum(weight * value for weight, value in zip((0.35, 0.30, 0.20, 0.15), four, strict=True))
    assert card.composite == pytest.approx(expected, abs=1e-4)
    only_depth = IntakeSettings(weights=WeightSettings(relevance=0, actionability=0, depth=1, authority=0))
    assert Scorer(DOMAINS, only_depth).score(post, now=NOW).composite == card.depth.value


def test_a_card_is_the_same_whenever_and_wherever_it_is_made() -> None:
    """Another scorer, another hour and other signals in between change nothing."""
    post = signal("How to back up PostgreSQL", HOW_TO_EN)
    first = SCORER.score(post, now=NOW)
    SCORER.score(signal("Etwas anderes", HOW_TO_DE), now=NOW)
    assert SCORER.score(post, now=NOW + timedelta(days=400)) == first
    assert Scorer(load_domains(), IntakeSettings()).score(post, now=NOW) == first


def test_the_version_of_the_rules_names_everything_that_can_change_a_score() -> None:
    """Another interest, term, weight or reputation makes another version; the same configuration makes the same."""
    versions = [
        Scorer(DOMAINS, IntakeSettings()).rules,
        Scorer((replace(DOMAINS[0], interest=0.1), *DOMAINS[1:]), IntakeSettings()).rules,
        Scorer((replace(DOMAINS[0], terms={"ai": 0.5}), *DOMAINS[1:]), IntakeSettings()).rules,
        Scorer(DOMAINS[1:], IntakeSettings()).rules,
        Scorer(DOMAINS, IntakeSettings(source_authority={"a.example": 0.5})).rules,
        Scorer(DOMAINS, IntakeSettings(weights=WeightSettings(relevance=0.3, depth=0.25))).rules,
    ]
    assert len(set(versions)) == len(versions)
    assert all(version.startswith(f"{RULES}-") for version in versions)
    assert Scorer(load_domains(), IntakeSettings()).rules == versions[0]


def test_domains_tie_in_the_order_of_configuration() -> None:
    """A text about nothing gives every domain 0, in the order they were configured."""
    card = SCORER.score(signal("x", ""), now=NOW)
    assert [match.name for match in card.domains] == [domain.name for domain in DOMAINS]
    assert card.relevance.value == 0


def test_a_well_tagged_photo_of_a_flower_is_shallow_and_dropped() -> None:
    """Ten tags make a two-line post no deeper, and it does not reach review."""
    bare = SCORER.score(signal("Poppy", FLOWER), now=NOW)
    tagged = SCORER.score(signal("Poppy", FLOWER, FLOWER_TAGS), now=NOW)
    assert tagged.depth.value < 0.2
    assert tagged.depth.value <= bare.depth.value
    assert tagged.composite < ROUTING.review_threshold


def test_a_how_to_is_written_and_a_marketing_text_is_not() -> None:
    """Of two texts on one subject the one with substance wins, clearly."""
    how_to = SCORER.score(signal("How to back up PostgreSQL", HOW_TO_EN), now=NOW)
    marketing = SCORER.score(signal("PostgreSQL backup made easy", MARKETING), now=NOW)
    assert how_to.composite >= ROUTING.keep_threshold
    assert marketing.composite < ROUTING.review_threshold
    assert marketing.actionability.value < 0.1 < how_to.actionability.value


def test_a_german_text_scores_like_its_english_twin() -> None:
    """The same how-to in two languages has nearly the same scores and lands in the same place."""
    english = SCORER.score(signal("How to back up PostgreSQL databases", HOW_TO_EN), now=NOW)
    german = SCORER.score(signal("PostgreSQL-Datenbanken sichern: eine Anleitung", HOW_TO_DE), now=NOW)
    assert german.relevance.value == pytest.approx(english.relevance.value, abs=0.15)
    assert german.composite == pytest.approx(english.composite, abs=0.1)
    assert german.domains[0].name == english.domains[0].name == "data"
    assert german.composite >= ROUTING.keep_threshold


@pytest.mark.parametrize(
    ("announcing", "plain"),
    [
        ("Announcing PostgreSQL backups", "PostgreSQL backups"),
        ("Ankündigung: PostgreSQL sichern", "PostgreSQL sichern"),
    ],
)
def test_a_title_that_only_announces_lowers_what_can_be_done(announcing: str, plain: str) -> None:
    """The same text under a title of news is less actionable, and says why."""
    news, other = (SCORER.score(signal(title, HOW_TO_EN), now=NOW) for title in (announcing, plain))
    assert news.actionability.value < other.actionability.value
    assert news.composite < other.composite
    assert any("in the title" in row.label and row.amount < 0 for row in news.actionability.evidence)


@pytest.mark.parametrize(
    "body",
    [
        (
            "We are looking for a PostgreSQL engineer. Join our team and apply today. Send your resume; five years of "
            "experience with Linux, Docker and Python are required. We are an equal opportunity employer.\n"
        ),
        (
            "Wir suchen einen Entwickler für PostgreSQL in Vollzeit. Berufserfahrung mit Linux, Docker und Python ist "
            "erwünscht. Jetzt bewerben, Bewerbungsunterlagen bitte per Mail.\n"
        ),
    ],
)
def test_a_job_advert_is_dropped_whatever_it_asks_for(body: str) -> None:
    """Technical terms of the requirements do not bring an advert into the queue, in English or German."""
    card = SCORER.score(signal("PostgreSQL Engineer", body), now=NOW)
    assert card.composite < ROUTING.review_threshold
    assert any("job adverts" in row.label for row in card.relevance.evidence)
