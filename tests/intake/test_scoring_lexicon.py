"""Finding terms in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.scoring.lexicon import Lexicon
from intake.scoring.text_features import Language, tokenize

TERMS = (
    "apple", "database", "race condition", "code", "product", "c++", "c#", "os", "container", "test-driven development",
    "datenbank", "schnittstelle", "sicherheitslücke", "maschinelles lernen", "größe",
)  # fmt: skip
LEXICON = Lexicon(TERMS)


def found(text: str, language: Language = Language.ENGLISH) -> dict[str, int]:
    """The terms of a text and how often they occur."""
    return dict(LEXICON.find(tokenize(text), language))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("two databases", "database"),
        ("Coding at night", "code"),
        ("coded", "code"),
        ("race conditions everywhere", "race condition"),
        ("containers", "container"),
        ("modern C++ rocks", "c++"),
        ("a C# compiler", "c#"),
        ("Test driven development", "test-driven development"),
    ],
)
def test_english_inflection_is_matched(text: str, term: str) -> None:
    """Plurals, -ing and -ed forms and hyphens do not hide a term."""
    assert found(text) == {term: 1}


@pytest.mark.parametrize(
    "text",
    ["pineapple", "productivity", "applesauce", "racecar condition", "race. Condition B", "c", "ossify", "chaos"],
)
def test_a_word_that_only_looks_alike_is_no_match(text: str) -> None:
    """Terms are found at word boundaries, and equal stems of different words do not count."""
    tokens = tokenize(text.replace(".", "")) if "." not in text else ["race", "", "condition"]
    assert dict(LEXICON.find(tokens, Language.ENGLISH)) == {}


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("die Datenbanken", "datenbank"),
        ("mehrere Schnittstellen", "schnittstelle"),
        ("Sicherheitslücken im Kern", "sicherheitslücke"),
        ("maschinelles Lernen", "maschinelles lernen"),
        ("verschiedene Größen", "größe"),
        ("der Datenbankserver", "datenbank"),
        ("eine Kundendatenbank", "datenbank"),
        ("Container", "container"),
    ],
)
def test_german_inflection_and_compounds_are_matched(text: str, term: str) -> None:
    """German endings, umlauts, compounds and English loan words do not hide a term."""
    assert found(text, Language.GERMAN) == {term: 1}


def test_compounds_are_a_german_affair() -> None:
    """In a text that is not known to be German no term is looked for inside a word."""
    assert found("Kundendatenbank", Language.ENGLISH) == {}
    assert found("Kundendatenbank", Language.UNKNOWN) == {}


def test_occurrences_are_counted() -> None:
    """Every occurrence counts, of words and of phrases."""
    assert found("database, databases: a race condition, two race conditions") == {"database": 2, "race condition": 2}


def test_the_nearest_of_two_forms_is_taken() -> None:
    """A word stands for one term, the one that is spelt most like it."""
    lexicon = Lexicon(["market", "marketing"])
    assert dict(lexicon.find(["marketing"], Language.ENGLISH)) == {"marketing": 1}
    assert dict(lexicon.find(["markets"], Language.ENGLISH)) == {"market": 1}


def test_a_word_inside_a_phrase_counts_as_part_of_the_phrase_alone() -> None:
    """The longest term wins; the same word elsewhere still counts by itself."""
    lexicon = Lexicon(["machine learning", "learning", "machine"])
    assert dict(lexicon.find(["machine", "learning"], Language.ENGLISH)) == {"machine learning": 1}
    both = lexicon.find(["machine", "learning", "", "learning"], Language.UNKNOWN)
    assert dict(both) == {"machine learning": 1, "learning": 1}


def test_words_of_a_phrase_differ_by_inflection_only() -> None:
    """Developers are not development, though their stems are equal."""
    lexicon = Lexicon(["software development"])
    assert dict(lexicon.find(["software", "developers"], Language.ENGLISH)) == {}


def test_an_empty_lexicon_finds_nothing() -> None:
    """Terms without letters are ignored, and no terms match nothing."""
    assert dict(Lexicon(["", "--"]).find(["a", "b"], Language.UNKNOWN)) == {}


@given(st.sampled_from(TERMS), st.sampled_from(list(Language)))
def test_every_term_finds_itself(term: str, language: Language) -> None:
    """Whatever the language of the text, a term written as configured is found."""
    if language is not Language.ENGLISH or term.isascii():
        assert term in LEXICON.find(["", *tokenize(term), ""], language)


@given(st.lists(st.sampled_from([*"abc", "race", "condition", "code", "", "datenbank"]), max_size=30))
def test_the_order_of_paragraphs_does_not_matter(tokens: list[str]) -> None:
    """Matching is local: a text found twice has twice the terms."""
    once = LEXICON.find(tokens, Language.UNKNOWN)
    twice = LEXICON.find([*tokens, "", *tokens], Language.UNKNOWN)
    assert {term: 2 * count for term, count in once.items()} == dict(twice)
