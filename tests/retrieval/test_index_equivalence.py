"""Whatever the history of an index, it equals one that is made afresh."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.settings import IndexSettings
from retrieval.indexing import index_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from retrieval.embedding.types import Embedder

NAMES = ("a.md", "b.md", "folder/a.md", "folder/c.md", "Größe.md")
TEXTS = (
    "",
    "# One\n\nThe text of the first note, long enough to be kept.\n",
    "# One\n\nThe text of the first note, long enough to be kept.\n\n## More\n\nA second section, kept as well.\n",
    "---\ntitle: Named\ntags: [x]\n---\n\nA note whose title stands in its frontmatter.\n",
    "---\ntitle: [broken\n---\n\nA note whose frontmatter cannot be read as it stands.\n",
    "\0\ufffd binary\0 content with a few words of text in it\n",
    "## Long\n\n" + "One sentence after another fills this section until it is cut. " * 60,
)

edits = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("delete"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("move"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("touch"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("index"), st.none(), st.integers(1, 3)),
    st.tuples(st.just("stop"), st.none(), st.integers(1, 2)),
)


def _apply(root: Path, edit: tuple[str, Any, Any], moment: int) -> None:
    kind, name, argument = edit
    file = root / name
    if kind == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(argument, encoding="utf-8")
        os.utime(file, ns=(moment, moment))
    elif file.exists() and kind == "delete":
        file.unlink()
    elif file.exists() and kind == "touch":
        os.utime(file, ns=(moment, moment))
    elif file.exists() and kind == "move":
        (root / argument).parent.mkdir(exist_ok=True)
        file.replace(root / argument)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(history=st.lists(edits, max_size=14))
def test_any_history_of_edits_ends_like_a_fresh_index(
    embedder: Embedder,
    now: datetime,
    read_index: Callable[..., list[tuple[Any, ...]]],
    history: list[tuple[str, Any, Any]],
) -> None:
    """After writes, deletions, moves, touches, full and interrupted runs, the rows are those of a new index."""
    clock = count(1_700_000_000_000_000_000, 1_000)
    with TemporaryDirectory() as folder:
        root, lived, fresh = Path(folder) / "vault", Path(folder) / "lived.db", Path(folder) / "fresh.db"
        root.mkdir()

        def run(file: Path, batch: int, *, go_on: bool = True) -> Any:  # noqa: ANN401  a report
            return index_vault(
                root, file, IndexSettings(), embedder, now=now, batch_files=batch, progress=lambda _d, _t: go_on
            )

        for edit in history:
            if edit[0] in ("index", "stop"):
                run(lived, edit[2], go_on=edit[0] == "index")
            else:
                _apply(root, edit, next(clock))
        one, other = run(lived, 2), run(fresh, 500)
        assert read_index(lived) == read_index(fresh)
        assert (one.files, one.chunks, one.problems) == (other.files, other.chunks, other.problems)
        assert run(lived, 2).unchanged == one.files
