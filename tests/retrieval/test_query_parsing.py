"""Parsing of queries, against a real full-text table."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.settings import KeywordSettings
from retrieval.language.postings import make_postings
from retrieval.query.parsing import MAX_WORDS, parse_query
from retrieval.store import schema
from retrieval.store.keyword import ids_matching, search_keywords

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENTS = (
    "a state of the art retriever",
    "the art of the state",
    "section 38.101 of POL-358 about agentic-os and C++",
    "don't rotate the keys",
    "Müller wohnt in der Straße",
    "call _rrf_fuse(x) or NOT AND NEAR",
)

AWKWARD = [
    "don't", "38.101", "POL-358", "agentic-os", "C++", "(x", '"', '""', '"""', "NOT", "AND", "OR", "-band", "*", "a*",
    "NEAR(", "NEAR(a b, 2)", "col:x", "text:x", "{text section}: x", "^x", "", " ", "\0", "a\0b", "\ud800", "a\udfffb",
    '"\ud800"', "-", "--", "---", "-\0", '-"', '-"x', '"x" -"y', "_", "__", '"_" -"_"', "ß", "\u0301", "e\u0301", "²",
    "🙂", "x" * 100_000, "x " * 50_000, "a-" * 50_000, '"' * 99_999, '"a" ' * 25_000, "-b " * 33_000,
    '"' + "a b " * 25_000 + '"', "\u202e\u200b", "'; DROP TABLE postings; --", "a AND", "(", ")", "+", "a + b", ":",
]  # fmt: skip


@pytest.fixture(scope="module")
def table() -> Iterator[apsw.Connection]:
    """Postings of the documents above, numbered from 1."""
    connection = apsw.Connection(":memory:")
    schema.create_tables(connection)
    prepared = [make_postings("", [("", text)])[0] for text in DOCUMENTS]
    rows = [(number, row.text, row.names) for number, row in enumerate(prepared, 1)]
    connection.executemany("INSERT INTO postings (rowid, text, section, context, names) VALUES (?, ?, '', '', ?)", rows)
    yield connection
    connection.close()


def _find(table: apsw.Connection, query: str) -> list[int]:
    found, refusal = search_keywords(table, parse_query(query), KeywordSettings(), 100)
    assert refusal == ""
    return [chunk_id for chunk_id, _ in found]


def _ask_everything(table: apsw.Connection, query: str) -> None:
    """Evaluate every expression the two legs build from a query."""
    parsed = parse_query(query)
    _find(table, query)
    ids_matching(table, parsed.required_match)
    ids_matching(table, parsed.excluded_match)
    parsed.text.encode()


@pytest.mark.parametrize("query", AWKWARD, ids=lambda query: ascii(query[:20]))
def test_an_awkward_query_is_never_refused(table: apsw.Connection, query: str) -> None:
    """Punctuation, operators, quotes, NUL, surrogates and size are all just text."""
    _ask_everything(table, query)


@settings(max_examples=400)
@given(query=st.text(st.characters(), max_size=60))
def test_any_text_is_a_valid_query(table: apsw.Connection, query: str) -> None:
    """No text, surrogates included, makes an expression that the table refuses."""
    _ask_everything(table, query)


@settings(max_examples=400)
@given(query=st.text(st.sampled_from("ab -\"'*()^:+{}~NEARORNOT_.,\0\ud800ä"), max_size=40))
def test_any_mixture_of_syntax_is_a_valid_query(table: apsw.Connection, query: str) -> None:
    """Characters that mean something to FTS5 mean nothing when a person types them."""
    _ask_everything(table, query)


def test_ten_thousand_random_byte_strings_are_valid_queries(table: apsw.Connection) -> None:
    """What a terminal hands over, decoded as file names are, is valid too."""
    chance = random.Random(20250601)
    for _ in range(10_000):
        data = chance.randbytes(chance.randrange(40))
        _ask_everything(table, data.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("state-of-the-art", [1, 2]),
        ("38.101", [3]),
        ("POL-358", [3]),
        ("agentic-os", [3]),
        ("C++", [3]),
        ("don't", [4]),
        ("_rrf_fuse", [6]),
        ("muller", [5]),
        ("the rotating keys", [4]),
        ('"art of the state"', [2]),
        ('"state of the art"', [1]),
        ("art -retriever", [2]),
        ('art -"state of the art"', [2]),
        ('state "art of"', [2]),
        ("-art", []),
        ("--art", [1, 2]),
        ("-38.101", [3]),
        ("NOT", [6]),
    ],
)
def test_a_query_finds_its_documents(table: apsw.Connection, query: str, expected: list[int]) -> None:
    """Words with punctuation stand together, phrases are required, exclusions exclude."""
    assert sorted(_find(table, query)) == expected


def test_stop_words_are_dropped_unless_nothing_else_is_left() -> None:
    """A question keeps what it asks about; a query of stop words alone keeps them all."""
    assert parse_query("how do I rotate the keys?").terms == ("rotate", "keys?")
    assert parse_query("who are you?").terms == ("who", "are", "you?")
    assert parse_query('the "backup keys"').terms == ()
    assert parse_query('the "..."').terms == ("the",)


def test_the_vector_leg_is_not_told_what_is_excluded() -> None:
    """An excluded word would pull the vector towards what is not wanted; an ordinary query stays as typed."""
    assert parse_query("  how do I  rotate? ").text == "how do I  rotate?"
    assert parse_query('python -java "thread pool" -"old api"').text == "python thread pool"
    assert parse_query("-java").text == ""


def test_a_pasted_page_is_cut_after_so_many_words() -> None:
    """Neither many terms nor one term of many parts makes an expression without bound."""
    assert len(parse_query(" ".join(f"word{i}" for i in range(5000))).terms) == MAX_WORDS
    (term,) = parse_query("-".join(f"part{i}" for i in range(5000))[1:]).terms
    assert term.endswith(f"part{MAX_WORDS - 1}")
    assert parse_query("same " * 5000).terms == ("same",)
