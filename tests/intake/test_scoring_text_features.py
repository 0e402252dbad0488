"""Counting what a Markdown text consists of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intake.scoring.text_features import Language, host_of, read_features, tokenize

NOTE = """# Backups

Because disks fail, see [the manual](https://docs.example.org/backup) and `pg_dump`.

1. Stop the service.
2. Copy 20 files.

- one more thing

```sh
$ sudo systemctl stop app
echo done
```

> Somebody said this.

| a | b |
|---|---|
| 1 | 2 |

![a photo of a disk](https://example.org/disk.jpg)
"""


def test_every_part_of_a_note_is_counted_once() -> None:
    """Headings, items, code, tables, quotes, links and images are told apart."""
    features = read_features(NOTE)
    assert features.headings == 1
    assert (features.list_items, features.ordered_items) == (3, 2)
    assert (features.code_blocks, features.code_lines, features.shell_lines) == (1, 2, 1)
    assert features.inline_code == 1
    assert features.table_rows == 3
    assert features.quoted_words == 3
    assert features.images == 1
    assert features.links == ("https://docs.example.org/backup",)
    assert features.hosts == {"docs.example.org"}
    assert features.language is Language.ENGLISH


def test_code_addresses_and_image_texts_are_not_words() -> None:
    """Only prose counts as prose."""
    tokens = read_features(NOTE).tokens
    assert not {"systemctl", "photo", "https", "jpg"} & set(tokens)
    assert {"disks", "manual", "20"} <= set(tokens)


def test_an_unclosed_fence_runs_to_the_end() -> None:
    """What follows an open fence is code, as every Markdown reader shows it."""
    features = read_features("text\n\n```\na\nb\n")
    assert (features.code_blocks, features.code_lines, features.words) == (1, 2, 1)


def test_a_longer_fence_holds_a_shorter_one() -> None:
    """Three backticks inside a block of four do not end it."""
    features = read_features("````\n```\nx\n```\n````\n\nafter\n")
    assert (features.code_blocks, features.code_lines, features.words) == (1, 3, 1)


def test_an_indented_block_is_code_but_an_indented_list_item_is_not() -> None:
    """Four spaces after a blank line make code, unless a list goes on."""
    assert read_features("text\n\n    make all\n    make test\n").code_lines == 2
    assert read_features("- one\n\n    more about one\n").code_lines == 0


@pytest.mark.parametrize(
    "footer",
    [
        "Subscribe to our newsletter about kubernetes!",
        "The post Kubernetes appeared first on Some Site.",
        "© 2024 Kubernetes Company",
        "Jetzt anmelden: alles über Kubernetes",
    ],
)
def test_boilerplate_is_no_part_of_the_text(footer: str) -> None:
    """Short calls to subscribe and copyright lines are left out."""
    assert "kubernetes" not in read_features(f"A text about gardens.\n\n{footer}\n").tokens


def test_a_long_paragraph_stays_whatever_it_calls_for() -> None:
    """An argument that mentions a newsletter is an argument."""
    features = read_features("word " * 60 + "newsletter\n")
    assert features.words == 61


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The server is not the problem, but the disk that was in it.", Language.ENGLISH),
        ("Der Server ist nicht das Problem, sondern die Platte, die sich darin dreht.", Language.GERMAN),
        ("O servidor não funciona", Language.UNKNOWN),
        ("", Language.UNKNOWN),
    ],
)
def test_the_language_is_guessed_by_stop_words(text: str, language: Language) -> None:
    """Two languages are known, and everything else is undecided."""
    assert read_features(text).language is language


def test_names_of_languages_stay_whole() -> None:
    """`c++` and `c#` are words, while hyphens, dots and slashes separate."""
    assert tokenize("C++ and C#, Node.js, front-end, CI/CD") == [
        "c++", "and", "c#", "node", "js", "front", "end", "ci", "cd",
    ]  # fmt: skip


@pytest.mark.parametrize("url", ["http://[bad", "nonsense", "", "mailto:a@b"])
def test_an_address_without_host_has_an_empty_host(url: str) -> None:
    """Broken addresses are no error."""
    assert host_of(url) == ""


@given(st.text(alphabet=st.sampled_from("a1 \n`~#>|-*.[]()!:/\t&\x00é\u202e"), max_size=400))
def test_any_text_has_sensible_counts(text: str) -> None:
    """No text raises, and no part is larger than the whole."""
    features = read_features(text)
    assert 0 <= features.distinct_share <= 1
    assert features.words + features.numbers == sum(1 for token in features.tokens if token)
    assert features.shell_lines <= features.code_lines
    assert features.ordered_items <= features.list_items


@pytest.mark.parametrize("unit", ["[", "](", "![", "`", "```\n", "| ", "    x\n", "1. ", "http://", "> ", "(c) ", "\t"])
def test_a_long_run_of_openers_is_read_to_its_end(unit: str) -> None:
    """The worst case of a backtracking pattern, at a size at which a quadratic one would never end."""
    features = read_features(unit * (200_000 // len(unit)))
    assert features.words <= 200_000
