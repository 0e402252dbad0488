"""The settings tree: every key with its default, its range and one line of documentation.

Plain frozen dataclasses, so that a process that was handed validated values needs nothing but the standard
library to hold them. `config.loading` validates files against the same annotations.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from config.ranges import Count, Name, NotNegative, Positive, Range, Share
from config.retrieval_settings import (
    STRICT,
    ChunkSettings,
    ContextSettings,
    EmbeddingSettings,
    FusionMethod,
    FusionSettings,
    IndexSettings,
    KeywordSettings,
    RetrievalSettings,
    setting,
)

__all__ = [
    "ChunkSettings",
    "ContextSettings",
    "EmbeddingSettings",
    "FetchSettings",
    "FusionMethod",
    "FusionSettings",
    "IndexSettings",
    "IntakeSettings",
    "KeywordSettings",
    "RetrievalSettings",
    "RoutingSettings",
    "ScheduleSettings",
    "Settings",
    "WeightSettings",
]


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """How feeds are fetched."""

    __pydantic_config__: ClassVar = STRICT

    timeout_s: Positive = setting(10.0, "seconds a connection may stay silent")
    deadline_s: Positive = setting(30.0, "seconds one feed may take altogether, redirects included")
    max_bytes: Count = setting(5_000_000, "largest body accepted, in bytes after decompression")
    max_redirects: Annotated[int, Range(ge=0, le=20)] = setting(5, "redirects followed for one feed")
    per_host_delay_s: NotNegative = setting(1.0, "seconds between two requests to one public host")
    concurrency: Annotated[int, Range(ge=1, le=64)] = setting(8, "hosts fetched from at the same time")
    user_agent: Name = setting("vaultsluice/0.1 (personal feed reader)", "User-Agent header sent to every host")


@dataclass(frozen=True, slots=True)
class WeightSettings:
    """What each dimension of a score weighs; the four sum to 1."""

    __pydantic_config__: ClassVar = STRICT

    relevance: Share = setting(0.35, "nearness to the owner's interests")
    actionability: Share = setting(0.30, "whether something can be done with it")
    depth: Share = setting(0.20, "how much the text itself explains")
    authority: Share = setting(0.15, "how far the source can be trusted")


@dataclass(frozen=True, slots=True)
class IntakeSettings:
    """From a source to a score."""

    __pydantic_config__: ClassVar = STRICT

    drop_folder: Name = setting("_Capture", "folder of the vault whose files are taken in")
    max_entries_per_feed: Count = setting(500, "entries read from one fetch, newest first")
    source_authority: dict[str, Share] = field(
        default_factory=dict,
        metadata={"doc": "reputation of sources by host name, e.g. {lwn.net: 0.9}"},
    )
    weights: WeightSettings = field(default_factory=WeightSettings)
    fetch: FetchSettings = field(default_factory=FetchSettings)


@dataclass(frozen=True, slots=True)
class RoutingSettings:
    """What happens to a scored signal."""

    __pydantic_config__: ClassVar = STRICT

    keep_threshold: Share = setting(0.55, "composite score from which a signal becomes a note")
    review_threshold: Share = setting(0.40, "composite score from which a signal waits for review")
    max_name_bytes: Annotated[int, Range(ge=40, le=240)] = setting(200, "longest file name, in bytes of UTF-8")


@dataclass(frozen=True, slots=True)
class ScheduleSettings:
    """When `sluice run` does what."""

    __pydantic_config__: ClassVar = STRICT

    ingest_every_min: Positive = setting(60.0, "minutes between two ingest runs; an index run follows each")
    index_every_min: Positive = setting(15.0, "minutes between two index runs of their own")
    job_deadline_min: Positive = setting(30.0, "minutes after which a run is reported as stuck")
    misfire_grace_h: Positive = setting(12.0, "hours after which a missed run is given up")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, as read from VAULT/.sluice/sluice.yaml over the defaults."""

    __pydantic_config__: ClassVar = STRICT

    intake: IntakeSettings = field(default_factory=IntakeSettings)
    routing: RoutingSettings = field(default_factory=RoutingSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    schedule: ScheduleSettings = field(default_factory=ScheduleSettings)
