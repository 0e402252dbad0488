"""Which entry is which: identities that heal by themselves, and fingerprints of texts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.identity import (
    GUID_POLICY,
    HASH_POLICY,
    ID_POLICIES,
    LINK_POLICY,
    MIN_FINGERPRINT_WORDS,
    choose_id_policy,
    entry_identity,
    signal_id,
    simhash,
)
from intake.types import RawEntry

WORDS = "".join(random.Random(7).choices("abcdefghij ", k=6_000)).split()
ENTRIES = st.builds(
    RawEntry,
    guid=st.sampled_from(["", "1", "2", " 1 "]),
    link=st.sampled_from(["", "https://a.example/1", "https://a.example/2", "http://www.a.example/1/"]),
    title=st.sampled_from(["", "One", "Two"]),
    html=st.sampled_from(["", "<p>x", "<p>y"]),
)


def entry(number: int, **fields: str) -> RawEntry:
    """An entry that differs from others in everything, unless told otherwise."""
    plain = {"guid": f"id-{number}", "link": f"https://a.example/{number}", "title": f"Title {number}"}
    return RawEntry(**{**plain, **fields})  # type: ignore[arg-type]


def distance(one: str, other: str) -> int:
    """Bits in which two fingerprints differ."""
    return (simhash(one) ^ simhash(other)).bit_count()


def test_a_feed_with_honest_guids_is_told_apart_by_them() -> None:
    """As long as nothing speaks against it, the identifier of the feed counts."""
    assert choose_id_policy([entry(1), entry(2)], GUID_POLICY) == GUID_POLICY
    assert choose_id_policy([], GUID_POLICY) == GUID_POLICY
    assert choose_id_policy([entry(1), entry(1)], GUID_POLICY) == GUID_POLICY


@pytest.mark.parametrize(
    "entries",
    [[entry(1, guid="same"), entry(2, guid="same")], [entry(1, guid=""), entry(2)], [entry(1, guid="  ")]],
)
def test_a_guid_that_is_missing_or_shared_makes_links_tell_entries_apart(entries: list[RawEntry]) -> None:
    """One document that disproves the identifiers is enough."""
    assert choose_id_policy(entries, GUID_POLICY) == LINK_POLICY


def test_links_that_are_missing_or_shared_leave_the_content() -> None:
    """Where every entry links to the home page, title, date and text tell them apart."""
    shared = [entry(n, guid="", link="https://a.example/") for n in (1, 2)]
    assert choose_id_policy(shared, GUID_POLICY) == HASH_POLICY
    assert choose_id_policy([entry(1, guid="", link="")], GUID_POLICY) == HASH_POLICY
    assert len({entry_identity(e, HASH_POLICY) for e in shared}) == 2


def test_a_feed_never_returns_to_a_policy_it_disproved() -> None:
    """An identity that changed back would bring every old entry in again."""
    honest = [entry(1), entry(2)]
    assert choose_id_policy(honest, LINK_POLICY) == LINK_POLICY
    assert choose_id_policy(honest, HASH_POLICY) == HASH_POLICY
    assert choose_id_policy(honest, "something else") == GUID_POLICY


@given(st.lists(ENTRIES, max_size=5), st.sampled_from(ID_POLICIES))
def test_the_policy_only_moves_to_less_trust_and_then_stays(entries: list[RawEntry], current: str) -> None:
    """The policy is never more trusting than before, and the same document confirms it."""
    chosen = choose_id_policy(entries, current)
    assert ID_POLICIES.index(chosen) >= ID_POLICIES.index(current)
    assert choose_id_policy(entries, chosen) == chosen


@given(ENTRIES, st.sampled_from([*ID_POLICIES, "unknown"]))
def test_every_entry_has_an_identity_under_every_policy(single: RawEntry, policy: str) -> None:
    """What an entry lacks is replaced by the next best, so that no identity is empty."""
    identity = entry_identity(single, policy)
    kind, _, value = identity.partition(":")
    assert kind in ID_POLICIES
    assert value
    assert entry_identity(single, policy) == identity


def test_an_identity_outlives_what_feeds_change() -> None:
    """A moved site and an edited text do not make an old entry a new one."""
    before = RawEntry(guid="7", link="http://www.a.example/1?utm_source=rss", title="A  title", html="<p>x")
    after = RawEntry(guid="7", link="https://a.example/1/", title="A title", html="<p>y")
    assert entry_identity(before, GUID_POLICY) == entry_identity(after, GUID_POLICY)
    assert entry_identity(before, LINK_POLICY) == entry_identity(after, LINK_POLICY)


def test_ids_differ_between_sources_and_identities() -> None:
    """The same identity in two feeds is two signals, and the parts cannot be shifted into each other."""
    ids = {
        signal_id("a", "b"),
        signal_id("a", "c"),
        signal_id("ab", ""),
        signal_id("", "ab"),
        signal_id("a\ud800", "b"),
    }
    assert len(ids) == 5
    assert all(len(one) == 16 and set(one) <= set("0123456789abcdef") for one in ids)


def test_texts_that_hardly_differ_have_near_fingerprints() -> None:
    """A changed word, other white space, case and link targets move few bits; another text moves half of them."""
    text = " ".join(WORDS[:400])
    edited = " ".join([*WORDS[:200], "changed", *WORDS[201:400]])
    other = " ".join(WORDS[500:900])
    assert distance(text, edited) <= 4
    assert distance(text, text.upper().replace(" ", "\n")) == 0
    assert distance(f"{text} [x](https://a.example/1)", f"{text} [x](https://a.example/2)") == 0
    assert distance(text, other) >= 12


def test_short_texts_have_no_fingerprint() -> None:
    """Two short texts agree too easily, so none of them counts as a repetition."""
    assert simhash(" ".join(WORDS[: MIN_FINGERPRINT_WORDS - 1])) == 0
    assert simhash(" ".join(WORDS[:MIN_FINGERPRINT_WORDS])) != 0
    assert simhash("") == 0


@given(st.text(max_size=400))
def test_any_text_has_a_fingerprint_of_64_bits(text: str) -> None:
    """Fingerprints never raise and fit the ledger."""
    assert 0 <= simhash(text) < 1 << 64
