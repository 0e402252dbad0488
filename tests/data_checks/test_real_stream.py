"""The main job on real input: 165 real feeds, from a server to an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.command import Sluice

pytestmark = pytest.mark.data

CONTENT_TYPES = {".json": "application/feed+json", ".atom": "application/atom+xml"}


@pytest.fixture
def feed_urls(real_feeds: Path, serve: Callable[[dict[str, tuple[str, bytes]]], list[str]]) -> list[str]:
    """Addresses of the real feeds on a loopback server."""
    files = sorted(real_feeds.rglob("*.*"))
    return serve(
        {
            f"/{number:03}{path.suffix}": (CONTENT_TYPES.get(path.suffix, "application/xml"), path.read_bytes())
            for number, path in enumerate(files)
        }
    )


def frontmatter(note: Path) -> dict[str, Any]:
    """Read the YAML block of a note the product wrote."""
    fields = yaml.safe_load(note.read_text(encoding="utf-8").split("---\n")[1])
    assert isinstance(fields, dict)
    return fields


def test_165_real_feeds_become_notes_that_search_finds(sluice: Sluice, feed_urls: list[str]) -> None:
    """One run takes in every real feed, a second writes nothing twice, and search finds the right subject."""
    assert len(feed_urls) == 165
    assert sluice.run("feeds", "add", "--local", *feed_urls).returncode == 0

    first = sluice.json("ingest")
    assert first["feeds"] == 165
    assert first["failed"] == len({row["subject"] for row in first["problems"] if row["subject"] in feed_urls})
    assert first["failed"] <= 5, first["problems"]
    assert first["new"] > 2000
    assert first["written"] + first["queued"] + first["dropped"] == first["new"]
    assert first["written"] >= 20

    notes = {path.relative_to(sluice.vault).as_posix(): path.read_bytes() for path in sluice.vault.rglob("*.md")}
    assert len(notes) == first["written"]
    identities = [frontmatter(sluice.vault / path)["sluice_id"] for path in notes]
    assert len(set(identities)) == len(identities)

    second = sluice.json("ingest")
    assert (second["new"], second["written"], second["queued"], second["dropped"]) == (0, 0, 0, 0)
    assert second["unchanged"] >= 155
    assert {p.relative_to(sluice.vault).as_posix(): p.read_bytes() for p in sluice.vault.rglob("*.md")} == notes

    index = sluice.json("index")
    assert index["files"] == len(notes)
    assert index["problems"] == []
    for title, path in [
        (frontmatter(sluice.vault / path)["title"], path) for path in sorted(notes)[:: len(notes) // 10]
    ]:
        found = [result["path"] for result in sluice.json("search", "-n", "5", title)["results"]]
        assert path in found, f"{title!r} does not find its own note"


def test_a_question_about_a_subject_finds_notes_of_that_subject(sluice: Sluice, feed_urls: list[str]) -> None:
    """Asked about programming, the vault fed by real feeds answers from the folders where that belongs."""
    sluice.run("feeds", "add", "--local", *feed_urls)
    sluice.json("ingest")
    sluice.json("index")
    results = sluice.json("search", "how do programming language compilers optimise code")["results"]
    folders = [result["path"].split("/")[0] for result in results[:5]]
    technical = {"AI", "Development", "Web", "Infrastructure", "Hardware", "Security", "Data", "Science"}
    assert sum(folder in technical for folder in folders) >= 4, folders
