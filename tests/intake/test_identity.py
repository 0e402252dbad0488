"""Which entry is which, and which texts are nearly the same."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.identity import MIN_FINGERPRINT_WORDS, choose_id_policy, entry_identity, signal_id, simhash
from intake.types import RawEntry

FIRST = RawEntry(guid="g1", link="https://a.org/1", title="One", published=datetime(2026, 1, 1, tzinfo=UTC))
SECOND = RawEntry(guid="g2", link="https://a.org/2", title="Two", published=datetime(2026, 1, 2, tzinfo=UTC))
ENTRIES = st.builds(
    RawEntry, guid=st.text(max_size=3), link=st.text(max_size=9), title=st.text(max_size=5), html=st.text(max_size=9)
)


def _words(count: int, seed: int) -> list[str]:
    return [f"word{random.Random(seed + position).randrange(5000)}" for position in range(count)]


@pytest.mark.parametrize(
    ("entries", "policy"),
    [
        ((FIRST, SECOND), "guid"),
        ((), "guid"),
        ((FIRST, FIRST), "guid"),
        ((FIRST, replace(SECOND, guid="g1")), "link"),
        ((FIRST, replace(SECOND, guid=" ")), "link"),
        ((replace(FIRST, guid=""), replace(SECOND, guid="", link="https://a.org/1")), "hash"),
        ((replace(FIRST, guid=""), replace(SECOND, link="")), "hash"),
    ],
)
def test_a_feed_gets_the_most_trusting_policy_it_does_not_disprove(entries: tuple[RawEntry, ...], policy: str) -> None:
    """Missing or repeated GUIDs lead to links, missing or repeated links to hashes; a true repetition is harmless."""
    assert choose_id_policy(entries, "guid") == policy


@pytest.mark.parametrize("policy", ["link", "hash"])
def test_a_feed_that_fell_back_stays_fallen_back(policy: str) -> None:
    """Good GUIDs in a later document do not bring the old policy back, which would bring every entry in again."""
    assert choose_id_policy((FIRST, SECOND), policy) == policy


def test_an_unknown_policy_counts_as_guid() -> None:
    """A policy written by another version is no error."""
    assert choose_id_policy((FIRST, SECOND), "future") == "guid"
    assert entry_identity(FIRST, "future") == entry_identity(FIRST, "guid")


@given(st.lists(ENTRIES, max_size=6), st.sampled_from(["guid", "link", "hash"]))
def test_choosing_again_changes_nothing(entries: list[RawEntry], current: str) -> None:
    """The chosen policy holds for the document it was chosen from."""
    chosen = choose_id_policy(entries, current)
    assert choose_id_policy(entries, chosen) == chosen


def test_under_the_link_policy_variants_of_the_link_are_one_entry() -> None:
    """Tracking parameters and schemes do not make an entry new."""
    variant = replace(FIRST, link="http://www.a.org/1/?utm_source=rss", guid="new")
    assert entry_identity(variant, "link") == entry_identity(FIRST, "link")
    assert entry_identity(variant, "guid") != entry_identity(FIRST, "guid")


def test_guids_are_case_sensitive() -> None:
    """GUIDs that differ in case name two entries."""
    assert entry_identity(replace(FIRST, guid="G1"), "guid") != entry_identity(FIRST, "guid")


def test_the_hash_ignores_edits_of_a_text_with_title_and_date() -> None:
    """An edited text is the same entry; without a date the text is all there is to tell entries apart."""
    edited = replace(FIRST, html="<p>edited</p>")
    assert entry_identity(edited, "hash") == entry_identity(FIRST, "hash")
    undated = replace(FIRST, published=None)
    assert entry_identity(replace(undated, html="x"), "hash") != entry_identity(undated, "hash")


def test_an_entry_without_the_identifier_uses_the_next_one() -> None:
    """One entry without a GUID is told apart by its link, one without either by its content."""
    assert entry_identity(replace(FIRST, guid=""), "guid") == entry_identity(FIRST, "link")
    assert entry_identity(replace(FIRST, guid="", link=""), "guid").startswith("hash:")


def test_signal_ids_depend_on_source_and_identity() -> None:
    """The same GUID in two feeds is two signals; the id is sixteen hexadecimal digits and never changes."""
    assert signal_id("https://a.org/feed", "guid:1") == "c8d4282a9141de85"
    assert signal_id("https://b.org/feed", "guid:1") != signal_id("https://a.org/feed", "guid:1")


def test_near_duplicates_differ_in_few_bits() -> None:
    """Two changed words of four hundred move few of 64 bits; another text moves about half of them."""
    words = _words(400, seed=1)
    changed = [*words[:100], "novel", *words[101:300], "other", *words[301:]]
    original = simhash(" ".join(words))
    assert (original ^ simhash(" ".join(changed))).bit_count() <= 8
    assert (original ^ simhash(" ".join(_words(400, seed=10_000)))).bit_count() >= 16


def test_short_texts_have_no_fingerprint() -> None:
    """Below the least number of words the fingerprint is 0; with it, it is a number of 64 bits."""
    words = _words(MIN_FINGERPRINT_WORDS, seed=3)
    assert simhash(" ".join(words[1:])) == 0
    assert 0 < simhash(" ".join(words)) < 2**64


def test_link_targets_and_case_do_not_count() -> None:
    """The same text with other links or capitals has the same fingerprint."""
    words = _words(60, seed=4)
    linked = " ".join(["[Linked](https://a.org/x)", *words]).upper()
    assert simhash(linked.replace("HTTPS://A.ORG/X", "https://b.org/y")) == simhash(" ".join(["linked", *words]))


@given(st.text())
def test_no_text_breaks_the_fingerprint(text: str) -> None:
    """Every text has a fingerprint of at most 64 bits, the same each time."""
    assert 0 <= simhash(text) < 2**64
    assert simhash(text) == simhash(text)
