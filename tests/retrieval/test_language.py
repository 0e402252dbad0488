"""Spellings, stems, compounds and names, as words and through a real index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.language.compounds import MOST_EXPANSIONS, compounds_with, part_of
from retrieval.language.folding import fold_text, fold_word, umlaut_spellings
from retrieval.language.german import german_stem, is_german
from retrieval.language.identifiers import LONGEST, identifiers, split_camel
from retrieval.language.postings import make_postings
from retrieval.types import SearchMode

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from retrieval.retriever import Retriever

GERMAN = "Der Satz ist auf Deutsch und nennt das Wort {}, mehr nicht."
ENGLISH = "This sentence is in English and it has the word {} and no other."
BARE = "{} {}"

SPELLINGS = (
    ("Müller", "Muller", "Mueller"),
    ("Straße", "Strasse", "STRASSE", "STRAẞE"),
    ("Österreich", "Oesterreich", "Osterreich"),
)

NAMES = {
    "_rrf_fuse": "call rrf and then fuse it; rrf fuse, rrf fuse",
    "requestAnimationFrame": "a request for an animation with one more frame: animation request frame",
    "C++": "C is a language; C has pointers, C, C, and C again",
    "C#": "C sharp is a note; C is a note",
    "38.101": "38 pages and 101 lines, 101 of 38, 38",
    "state-of-the-art": "the art of the state; the state and its art",
    ".NET": "a net is a net, the net of nets",
    "std::vector": "a vector has a std deviation; vector, std",
    "v2.3.1": "v2 has 3 parts and 1 more; v2, 3, 1",
    "foo/bar.py": "foo and bar are py names; bar foo py",
}


@pytest.fixture
def find(
    write_note: Callable[..., Path], run_index: Callable[..., object], open_retriever: Callable[..., Retriever]
) -> Callable[..., Callable[[str], list[str]]]:
    """Return a maker of a keyword search over notes given as name and text."""

    def make(notes: dict[str, str]) -> Callable[[str], list[str]]:
        for name, text in notes.items():
            write_note(f"{name}.md", text)
        run_index()
        retriever = open_retriever()

        def search(query: str) -> list[str]:
            answer = retriever.search(query, mode=SearchMode.KEYWORD, limit=50)
            paths = (path for result in answer.results for path in (result.path, *result.also_in))
            return [path.removesuffix(".md") for path in paths]

        return search

    return make


@pytest.mark.parametrize("sentence", [GERMAN, ENGLISH], ids=["german", "english"])
@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda each: each[0])
def test_every_spelling_finds_every_other(
    find: Callable[..., Callable[[str], list[str]]], sentence: str, spellings: tuple[str, ...]
) -> None:
    """Umlauts, digraphs, bare vowels and sharp s meet in text of either language, shown as they were written."""
    notes = {f"n{number}": sentence.format(spelling) for number, spelling in enumerate(spellings)}
    search = find(notes | {"other": sentence.format("Baum")})
    for spelling in spellings:
        assert set(search(spelling)) == set(notes), spelling


@pytest.mark.parametrize(
    "form", ["Der {} ist kurz und wurde mit ihm gemacht, sagt er.", "{}"], ids=["sentence", "title alone"]
)
def test_a_part_finds_its_compounds(find: Callable[..., Callable[[str], list[str]]], form: str) -> None:
    """A head, a first part and an inner part find a compound; the word itself comes first, strangers not at all."""
    words = ("Mietvertrag", "Untermietvertrag", "Vertrag", "Termiten", "Ertrag")
    search = find({word: form.format(word) for word in words})
    assert set(search("miet")) == {"Mietvertrag", "Untermietvertrag"}
    assert search("Vertrag")[0] == "Vertrag"
    assert set(search("Verträge")) == {"Vertrag", "Mietvertrag", "Untermietvertrag"}
    assert search('Vertrag -"Mietvertrag"') == ["Vertrag", "Untermietvertrag"]


def test_an_english_question_looks_for_no_compounds(find: Callable[..., Callable[[str], list[str]]]) -> None:
    """`action` is no part of `transaction` to someone who asks in English."""
    search = find({"a": "The transaction is done and it was not seen.", "b": "The action is done and it was seen."})
    assert search("what is the action") == ["b"]
    assert search("action") == ["b"]


def test_inflected_german_words_meet(find: Callable[..., Callable[[str], list[str]]]) -> None:
    """Stems of German text are German, and English words keep their English stems."""
    search = find({"d": GERMAN.format("Kündigung"), "e": ENGLISH.format("rotating")})
    assert search("kündigen") == search("Kuendigungen") == ["d"]
    assert search("rotated") == ["e"]


@pytest.mark.parametrize("name", list(NAMES))
def test_a_name_finds_what_it_names_first(find: Callable[..., Callable[[str], list[str]]], name: str) -> None:
    """Notes that hold the same letters and digits come behind the one that holds the name."""
    notes = {f"near{number}": text for number, text in enumerate(NAMES.values())}
    named = {f"about{number}": f"A note about `{each}`, and other things." for number, each in enumerate(NAMES)}
    search = find(notes | named)
    assert search(name)[0] == f"about{list(NAMES).index(name)}"
    assert search(f"how to use {name}?")[0] == f"about{list(NAMES).index(name)}"


def test_parts_of_names_are_words(find: Callable[..., Callable[[str], list[str]]]) -> None:
    """Plain words find what code writes in one."""
    search = find({"camel": "window.requestAnimationFrame(draw)", "snake": "def read_note_signal(): ..."})
    assert search("animation frame") == ["camel"]
    assert search("signal of a note") == ["snake"]


def test_an_excluded_name_excludes_no_more_than_the_name(find: Callable[..., Callable[[str], list[str]]]) -> None:
    """`-C++` keeps what is about C."""
    search = find({"c": "pointers in C", "cpp": "pointers in C++"})
    assert search("pointers -C++") == ["c"]


@pytest.mark.parametrize("query", ["検索", "索エ", "エンジン", "ンとは", "検", "は", "ｴﾝｼﾞﾝ"])
def test_text_without_spaces_is_found_by_any_run_of_it(
    find: Callable[..., Callable[[str], list[str]]], query: str
) -> None:
    """Han and kana are found inside a sentence, half-width kana too."""
    search = find({"ja": "全文検索エンジンとは", "other": "東京都庁", "ko": "한국어 문장"})
    assert search(query) == ["ja"]


def test_german_is_told_by_its_function_words() -> None:
    """Where there are as many of neither, nothing is claimed."""
    assert is_german("wie kündige ich den vertrag".split()) is True
    assert is_german("how do i rotate the keys".split()) is False
    assert is_german(["mietvertrag"]) is None


def test_names_lose_the_punctuation_of_their_sentence() -> None:
    """Quotes, brackets and full stops around a name are none of it; a plain word is no name."""
    plain = identifiers("C++ .NET foo/bar.py")
    assert identifiers("(`C++`), `.NET`! see foo/bar.py.") == plain
    assert len(plain) == 3
    assert identifiers("the end. #tag ...so - (this)") == []
    assert split_camel("readHTTPResponse2") == ("read", "HTTP", "Response", "2")
    assert split_camel("Plain WORD 2025") == ()


def test_compounds_are_few() -> None:
    """A part of very many words stands for the best of them."""
    words = [f"{chr(97 + i // 26)}{chr(97 + i % 26)}kvertrag" for i in range(300)]
    assert len(compounds_with(part_of("Vertrag"), words, lambda _: False)) == MOST_EXPANSIONS


@given(text=st.text(max_size=80))
def test_preparing_any_text_is_repeatable_and_total(text: str) -> None:
    """No text raises, and the same text gives the same postings whatever was prepared before."""
    first = make_postings(text, [(text, text)])
    assert make_postings(text, [(text, text)]) == first
    assert all(len(name) <= 2 * LONGEST for name in first[0].names.split())
    fold_text(text)


@given(word=st.text(max_size=30))
def test_folding_is_idempotent_and_spellings_differ(word: str) -> None:
    """A folded word stays as it is, and a word is no other spelling of itself."""
    folded = fold_word(word)
    assert fold_word(folded) == folded
    assert folded not in umlaut_spellings(word)
    assert len(german_stem(word)) <= len(folded)
