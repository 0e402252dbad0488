"""What each feed has been worth: the real command on a real vault."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.command import Sluice


def feed(title: str, texts: list[str]) -> tuple[str, bytes]:
    """A JSON feed with one item per text."""
    items = [{"id": str(n), "title": f"{title} {n}", "content_html": text} for n, text in enumerate(texts)]
    document = {"version": "https://jsonfeed.org/version/1.1", "title": title, "items": items}
    return "application/feed+json", json.dumps(document).encode()


def test_a_feed_that_never_brought_a_note_is_named(
    sluice: Sluice, serve: Callable[[dict[str, tuple[str, bytes]]], list[str]]
) -> None:
    """The shares of kept, queued and dropped add up, and twenty worthless signals or a dead server are told apart."""
    adverts = [f"<p>Buy now: mug number {n}, {'very ' * n} cheap.</p>" for n in range(20)]
    chatty, young = serve({"/a": feed("Mugs", adverts), "/b": feed("Cats", ["<p>A cat.</p>"])})
    dead = "http://127.0.0.1:9/feed"
    sluice.run("feeds", "add", "--local", chatty, young, dead)
    sluice.json("ingest")

    rows = {row["url"]: row for row in sluice.json("feeds", "health")}
    assert list(rows) == [chatty, young, dead]
    assert rows[chatty]["dropped"] + rows[chatty]["duplicates"] == 20
    assert (rows[chatty]["kept"], rows[chatty]["queued"], rows[chatty]["title"]) == (0, 0, "Mugs")
    assert rows[chatty]["suggestion"] == "none of 20 signals became a note: consider removing it"
    assert (rows[young]["dropped"], rows[young]["suggestion"], rows[young]["last_status"]) == (1, "", 200)
    assert (rows[dead]["failures"], rows[dead]["suggestion"]) == (1, "")
    assert rows[dead]["last_error"]

    lines = sluice.run("feeds", "health").stdout.splitlines()
    assert len(lines) == 3
    assert lines[0].split()[:6] == ["0", "kept", "0", "queued", "20", "dropped"]
