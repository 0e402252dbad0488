"""The settings tree: every key with its default, its range and one line of documentation.

Plain frozen dataclasses, so that a process that was handed validated values needs nothing but the standard
library to hold them. `config.loading` validates files against the same annotations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, Interval, MinLen

Share = Annotated[float, Interval(ge=0.0, le=1.0)]
"""A number from 0 to 1."""
Positive = Annotated[float, Interval(gt=0.0)]
Count = Annotated[int, Ge(1)]
Folders = tuple[Annotated[str, MinLen(1)], ...]

_STRICT: dict[str, Any] = {"extra": "forbid"}


def _setting(default: Any, doc: str) -> Any:  # noqa: ANN401  a dataclass default takes the type of its field
    """Declare a setting: its default and the line that documents it."""
    return field(default=default, metadata={"doc": doc})


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How feeds are fetched."""

    __pydantic_config__: ClassVar = _STRICT

    timeout_s: Positive = _setting(10.0, "seconds a connection may stay silent")
    deadline_s: Positive = _setting(30.0, "seconds one feed may take altogether, redirects included")
    max_bytes: Count = _setting(5_000_000, "largest body accepted, in bytes after decompression")
    max_redirects: Annotated[int, Interval(ge=0, le=20)] = _setting(5, "redirects followed for one feed")
    per_host_delay_s: Annotated[float, Ge(0.0)] = _setting(1.0, "seconds between two requests to one public host")
    concurrency: Annotated[int, Interval(ge=1, le=64)] = _setting(8, "hosts fetched from at the same time")
    user_agent: Annotated[str, MinLen(1)] = _setting(
        "vaultsluice/0.1 (personal feed reader)", "User-Agent header sent to every host"
    )


@dataclass(frozen=True, slots=True)
class WeightSettings:
    """What each dimension of a score weighs; the four sum to 1."""

    __pydantic_config__: ClassVar = _STRICT

    relevance: Share = _setting(0.35, "nearness to the owner's interests")
    actionability: Share = _setting(0.30, "whether something can be done with it")
    depth: Share = _setting(0.20, "how much the text itself explains")
    authority: Share = _setting(0.15, "how far the source can be trusted")


@dataclass(frozen=True, slots=True)
class IntakeSettings:
    """From a source to a score."""

    __pydantic_config__: ClassVar = _STRICT

    drop_folder: Annotated[str, MinLen(1)] = _setting("_Capture", "folder of the vault whose files are taken in")
    max_entries_per_feed: Count = _setting(500, "entries read from one fetch, newest first")
    source_authority: dict[str, Share] = field(
        default_factory=dict,
        metadata={"doc": "reputation of sources by host name, e.g. {lwn.net: 0.9}"},
    )
    weights: WeightSettings = field(default_factory=WeightSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)


@dataclass(frozen=True, slots=True)
class RoutingSettings:
    """What happens to a scored signal."""

    __pydantic_config__: ClassVar = _STRICT

    keep_threshold: Share = _setting(0.55, "composite score from which a signal becomes a note")
    review_threshold: Share = _setting(0.40, "composite score from which a signal waits for review")
    max_name_bytes: Annotated[int, Interval(ge=40, le=240)] = _setting(200, "longest file name, in bytes of UTF-8")


@dataclass(frozen=True, slots=True)
class ChunkSettings:
    """How a note is cut into chunks."""

    __pydantic_config__: ClassVar = _STRICT

    max_chars: Annotated[int, Ge(200)] = _setting(2000, "characters above which a section is cut further")
    min_chars: Annotated[int, Ge(0)] = _setting(30, "characters below which a section is dropped")
    overlap_chars: Annotated[int, Ge(0)] = _setting(150, "characters repeated where a section had to be cut")
    skip_sections: tuple[str, ...] = _setting(
        (
            "related", "see also", "links", "references",
            "verwandt", "verwandtes", "siehe auch", "verweise", "weblinks", "einzelnachweise",
        ),
        "headings, in lower case, whose sections hold no text of their own",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What is indexed."""

    __pydantic_config__: ClassVar = _STRICT

    include: Folders = _setting((), "folders to index, relative to the vault; empty means all")
    exclude: Folders = _setting((), "folders never indexed; wins over include")
    max_file_bytes: Count = _setting(5_000_000, "bytes of a file that are indexed; the rest is named as a problem")
    mass_delete_share: Share = _setting(0.20, "share of the index a run may delete without being told to")
    chunks: ChunkSettings = field(default_factory=ChunkSettings)


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model turns text into vectors."""

    __pydantic_config__: ClassVar = _STRICT

    model: Annotated[str, MinLen(1)] = _setting(
        "bundled", "bundled, a model2vec folder, or a hub id such as minishlab/potion-base-8M"
    )


class FusionMethod(StrEnum):
    """How the two legs of a search become one list."""

    CONVEX = "convex"  # scores: (1 - a) * scaled BM25 + a * scaled cosine
    RRF = "rrf"  # ranks: sum of weight / (k + rank)


@dataclass(frozen=True, slots=True)
class FusionSettings:
    """How keyword and vector results become one list."""

    __pydantic_config__: ClassVar = _STRICT

    method: FusionMethod = _setting(FusionMethod.CONVEX, "convex (scores) or rrf (ranks)")
    vector_share: Share = _setting(0.4, "convex: weight of the cosine; BM25 has the rest")
    rrf_k: Annotated[float, Ge(0.0)] = _setting(60.0, "rrf: the constant added to every rank")
    rrf_keyword_weight: Annotated[float, Ge(0.0)] = _setting(1.0, "rrf: weight of the keyword leg; 0 switches it off")
    rrf_vector_weight: Annotated[float, Ge(0.0)] = _setting(1.0, "rrf: weight of the vector leg; 0 switches it off")
    candidates: Count = _setting(100, "results each leg hands to the fusion")


@dataclass(frozen=True, slots=True)
class KeywordSettings:
    """BM25 weights of the indexed columns, and what parts of compounds weigh."""

    __pydantic_config__: ClassVar = _STRICT

    text_weight: Annotated[float, Ge(0.0)] = _setting(1.0, "weight of the chunk's text")
    section_weight: Annotated[float, Ge(0.0)] = _setting(1.0, "weight of the section heading")
    context_weight: Annotated[float, Ge(0.0)] = _setting(1.0, "weight of title, type and tags")
    name_boost: Annotated[float, Ge(0.0)] = _setting(
        1.0, "what holding the very name (C++, _rrf_fuse) of a short query adds, in parts of the best score"
    )
    compound_weight: Share = _setting(
        0.15, "weight of German compounds that hold a word of the query; 0: not looked for"
    )


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """What a coding agent is handed."""

    __pydantic_config__: ClassVar = _STRICT

    max_tokens: Count = _setting(500, "length of a context block, in estimated tokens")
    max_results: Count = _setting(5, "passages in a context block")
    min_cosine: Share = _setting(0.35, "cosine below which a passage needs matching words to be handed out")
    min_prompt_words: Count = _setting(3, "prompts with fewer words recall nothing")


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """From the vault to a result."""

    __pydantic_config__: ClassVar = _STRICT

    index: IndexSettings = field(default_factory=IndexSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    keyword: KeywordSettings = field(default_factory=KeywordSettings)
    fusion: FusionSettings = field(default_factory=FusionSettings)
    context: ContextSettings = field(default_factory=ContextSettings)


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """When `sluice run` does what."""

    __pydantic_config__: ClassVar = _STRICT

    ingest_every_min: Positive = _setting(60.0, "minutes between two ingest runs; an index run follows each")
    index_every_min: Positive = _setting(15.0, "minutes between two index runs of their own")
    job_deadline_min: Positive = _setting(30.0, "minutes after which a run is reported as stuck")
    misfire_grace_h: Positive = _setting(12.0, "hours after which a missed run is given up")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, as read from VAULT/.sluice/sluice.yaml over the defaults."""

    __pydantic_config__: ClassVar = _STRICT

    intake: IntakeSettings = field(default_factory=IntakeSettings)
    routing: RoutingSettings = field(default_factory=RoutingSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    schedule: ScheduleSettings = field(default_factory=ScheduleSettings)
