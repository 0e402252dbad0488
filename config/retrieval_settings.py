"""The settings of retrieval: what a search needs, and all that it has to import.

Plain frozen dataclasses, so that a process that was handed validated values needs nothing but the standard
library to hold them. `config.loading` validates files against the same annotations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from config.ranges import Count, Folders, Name, NotNegative, Range, Share

STRICT: dict[str, Any] = {"extra": "forbid"}


def setting(default: Any, doc: str) -> Any:  # noqa: ANN401  a dataclass default takes the type of its field
    """Declare a setting: its default and the line that documents it."""
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How a note is cut into chunks."""

    __pydantic_config__: ClassVar = STRICT

    max_chars: Annotated[int, Range(ge=200)] = setting(2000, "characters above which a section is cut further")
    min_chars: Annotated[int, Range(ge=0)] = setting(30, "characters below which a section is dropped")
    overlap_chars: Annotated[int, Range(ge=0)] = setting(150, "characters repeated where a section had to be cut")
    skip_sections: tuple[str, ...] = setting(
        (
            "related", "see also", "links", "references",
            "verwandt", "verwandtes", "siehe auch", "verweise", "weblinks", "einzelnachweise",
        ),
        "headings, in lower case, whose sections hold no text of their own",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What is indexed."""

    __pydantic_config__: ClassVar = STRICT

    include: Folders = setting((), "folders to index, relative to the vault; empty means all")
    exclude: Folders = setting((), "folders never indexed; wins over include")
    max_file_bytes: Count = setting(5_000_000, "bytes of a file that are indexed; the rest is named as a problem")
    mass_delete_share: Share = setting(0.20, "share of the index a run may delete without being told to")
    chunks: ChunkSettings = field(default_factory=ChunkSettings)


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model turns text into vectors."""

    __pydantic_config__: ClassVar = STRICT

    model: Name = setting("bundled", "bundled, a model2vec folder, or a hub id such as minishlab/potion-base-8M")


class FusionMethod(StrEnum):
    """How the two legs of a search become one list."""

    CONVEX = "convex"  # scores: (1 - a) * scaled BM25 + a * scaled cosine
    RRF = "rrf"  # ranks: sum of weight / (k + rank)


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """How keyword and vector results become one list."""

    __pydantic_config__: ClassVar = STRICT

    method: FusionMethod = setting(FusionMethod.CONVEX, "convex (scores) or rrf (ranks)")
    vector_share: Share = setting(0.4, "convex: weight of the cosine; BM25 has the rest")
    rrf_k: NotNegative = setting(60.0, "rrf: the constant added to every rank")
    rrf_keyword_weight: NotNegative = setting(1.0, "rrf: weight of the keyword leg; 0 switches it off")
    rrf_vector_weight: NotNegative = setting(1.0, "rrf: weight of the vector leg; 0 switches it off")
    candidates: Count = setting(100, "results each leg hands to the fusion")


@dataclass(frozen=True, slots=True)
class KeywordSettings:
    """BM25 weights of the indexed columns, and what parts of compounds weigh."""

    __pydantic_config__: ClassVar = STRICT

    text_weight: NotNegative = setting(1.0, "weight of the chunk's text")
    section_weight: NotNegative = setting(1.0, "weight of the section heading")
    context_weight: NotNegative = setting(1.0, "weight of title, type and tags")
    name_boost: NotNegative = setting(
        1.0, "what holding the very name (C++, _rrf_fuse) of a short query adds, in parts of the best score"
    )
    compound_weight: Share = setting(0.15, "weight of German compounds holding a word of the query; 0: none")


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """What a coding agent is handed."""

    __pydantic_config__: ClassVar = STRICT

    max_tokens: Count = setting(500, "length of a context block, in estimated tokens")
    max_results: Count = setting(5, "passages in a context block")
    min_cosine: Share = setting(0.35, "cosine below which a passage needs matching words to be handed out")
    min_prompt_words: Count = setting(3, "prompts with fewer words recall nothing")


class RollUp(StrEnum):
    """How the passages of a file become the score of the file."""

    BEST = "best"  # the best passage alone
    WEIGHTED = "weighted"  # best + 0.3 second + 0.1 third


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """From the vault to a result."""

    __pydantic_config__: ClassVar = STRICT

    rollup: RollUp = setting(
        RollUp.BEST, "how passages rank a file: best, or weighted (1, 0.3 and 0.1 of the three best)"
    )
    max_per_file: Annotated[int, Range(ge=0)] = setting(2, "most passages of one file in an answer; 0 sets no limit")
    index: IndexSettings = field(default_factory=IndexSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    keyword: KeywordSettings = field(default_factory=KeywordSettings)
    fusion: FusionSettings = field(default_factory=FusionSettings)
    context: ContextSettings = field(default_factory=ContextSettings)
