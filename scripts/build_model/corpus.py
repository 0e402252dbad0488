"""The training texts: what the teacher reads, and which short text belongs to which long one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from scripts.build_model import dictionaries
from scripts.build_model.packages import DOCUMENTATION, read_members
from scripts.build_model.passages import passages_of_pages, sampled

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

    from scripts.build_model.dictionaries import Entry
    from scripts.build_model.passages import Passage

_T = TypeVar("_T")

_PASSAGES_PER_PACKAGE = 9000  # no package may drown the others
_PAGES_PER_PACKAGE = 2500
_GCIDE_ENTRIES = 40_000  # of about 130,000, most of them rare words


@dataclass(frozen=True, slots=True)
class Pair:
    """A short text and a long one that answers it.

    Attributes:
        query: Head of an entry or heading of a passage.
        answer: The definition or the passage.
        answer_row: Row of the teacher's vector of the answer.
        query_row: Row of the teacher's vector of the query, or -1 where it was not asked.
    """

    query: str
    answer: str
    answer_row: int
    query_row: int = -1


@dataclass(slots=True)
class Corpus:
    """Everything the model is trained on.

    Attributes:
        texts: What the teacher reads; its vectors have the same order.
        pairs: Queries and answers.
        prose: Rows of `texts` that are passages of documentation.
    """

    texts: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    prose: list[int] = field(default_factory=list)

    def add_entry(self, entry: Entry) -> None:
        """Add a dictionary entry: the teacher reads head and definition together."""
        self.pairs.append(Pair(entry.head, entry.definition, len(self.texts)))
        self.texts.append(f"{entry.head}: {entry.definition}")

    def add_passages(self, passages: list[Passage]) -> None:
        """Add passages, and each distinct heading as a text of its own."""
        heading_rows: dict[str, int] = {}
        for passage in passages:
            row = len(self.texts)
            self.texts.append(passage.text)
            self.prose.append(row)
            if passage.heading:
                if passage.heading not in heading_rows:
                    heading_rows[passage.heading] = len(self.texts)
                    self.texts.append(passage.heading)
                self.pairs.append(Pair(passage.heading, passage.text, row, heading_rows[passage.heading]))


def read_corpus(archives: dict[str, Path], share: float, rng: random.Random) -> Corpus:
    """Read the packages.

    Args:
        archives: Debian packages by name.
        share: Part of each source that is used, above 0 up to 1.
        rng: Draws it.

    Returns:
        Dictionary entries, quotations and passages.
    """
    corpus = Corpus()
    glosses, examples = dictionaries.wordnet(archives["wordnet-base"])
    gcide = dictionaries.dictd(archives["dict-gcide"])
    entries = glosses + rng.sample(gcide, min(_GCIDE_ENTRIES, len(gcide)))
    for name in ("dict-foldoc", "dict-jargon"):
        entries += dictionaries.dictd(archives[name])
    for entry in _draw(entries, share, rng):
        corpus.add_entry(entry)
    quotations = [text for name in ("fortunes", "fortunes-min") for text in dictionaries.fortunes(archives[name])]
    corpus.texts += _draw(examples + quotations, share, rng)
    passages = [passage for name in DOCUMENTATION for passage in _documentation(archives[name], share)]
    rng.shuffle(passages)
    corpus.add_passages(passages)
    return corpus


def _draw(source: list[_T], share: float, rng: random.Random) -> list[_T]:
    return rng.sample(source, max(1, round(share * len(source))))


def _documentation(archive: Path, share: float) -> list[Passage]:
    names = [path for path, _content in read_members(archive, _is_page)]
    one_in = max(1, round(len(names) / (_PAGES_PER_PACKAGE * share)))

    def pages() -> Iterator[bytes]:
        for _path, content in read_members(archive, lambda path: _is_page(path) and sampled(path, one_in)):
            yield content

    return passages_of_pages(pages(), round(_PASSAGES_PER_PACKAGE * share))


def _is_page(path: str) -> bool:
    return path.endswith((".html", ".htm"))
