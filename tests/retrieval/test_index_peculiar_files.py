"""Files that are not as a note should be."""

from __future__ import annotations

import os
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from config.settings import IndexSettings
from retrieval.store.connection import open_for_reading

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from retrieval.types import IndexReport

    WriteNote = Callable[[str, str | bytes], Path]
    RunIndex = Callable[..., IndexReport]
    ReadIndex = Callable[..., list[tuple[Any, ...]]]

ALPHA = "# Alpha\n\nThe first note speaks about rotating the backup keys.\n"


def _counts(report: IndexReport) -> tuple[int, int, int, int]:
    return report.added, report.updated, report.deleted, report.unchanged


def _messages(report: IndexReport) -> dict[str, str]:
    return {problem.path: problem.message for problem in report.problems}


def _without_hash(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(path, *rest) for path, _hash, *rest in rows]


@pytest.mark.parametrize(
    ("data", "found", "named"),
    [
        (
            b"---\ntitle: [broken\n---\n\nStill the body of this note is worth finding.\n",
            "worth finding",
            "frontmatter",
        ),
        (b"\x89PNG\r\n\x1a\n\0\0 a picture that is named like a note \xff\xfe\n", "picture that", "NUL"),
        (b"A sentence in Latin-1 about caf\xe9s and other places to sit.\n", "and other places", "UTF-8"),
        (b"", None, None),
        (b"\n\n\n", None, None),
        (b"# Only a heading\n", "Only a heading", None),
        (b"\xef\xbb\xbfA byte order mark is not part of the text of a note.\n", "A byte order mark", None),
    ],
)
def test_a_peculiar_file_is_indexed_as_far_as_possible(  # noqa: PLR0913, PLR0917  fixtures and cases
    write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex, data: bytes, found: str | None, named: str | None
) -> None:
    """The file is counted, what can be read is found, what is wrong is named, and stays named while it is so."""
    write_note("odd.md", data)
    for _ in range(2):
        report = run_index()
        assert report.files == 1
        assert any((problem.path, problem.indexed) == ("odd.md", True) for problem in report.problems) == bool(named)
        assert any((named or "") in problem.message for problem in report.problems) == bool(named)
    (row,) = read_index()
    assert (found or "") in (row[-2] or "")
    write_note("odd.md", "An ordinary sentence takes the place of whatever was there.\n")
    assert run_index().problems == ()


def test_a_file_over_the_limit_is_indexed_up_to_it(
    write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """The head is found, also where the limit cuts a character; the rest is named, and an exact fit is no problem."""
    head = "The head of this note is found by everybody. é"
    write_note("long.md", head + " tail" * 100)
    settings = IndexSettings(max_file_bytes=len(head.encode()) - 1)
    report = run_index(settings=settings)
    assert _messages(report) == {"long.md": f"only its first {settings.max_file_bytes:,} bytes are indexed"}
    assert "found by everybody" in read_index()[0][-2]
    assert "tail" not in read_index()[0][-2]
    raised = run_index(settings=replace(settings, max_file_bytes=len(head.encode()) + 500))
    assert "other rules" in raised.reason
    assert raised.problems == ()
    assert "tail" in read_index()[0][-2]


def test_escaped_surrogates_do_not_stop_a_run(write_note: WriteNote, run_index: RunIndex) -> None:
    """JSON can write what no text can hold; the note is indexed all the same."""
    write_note(
        "s.md",
        '---\ntitle: "A \\uD800 title"\ntags: \'["\\ud800tag"]\'\n---\n\n'
        '```json\n{"key": "\\ud83d", "other": "something to search for"}\n```\n',
    )
    report = run_index()
    assert (report.files, report.chunks) == (1, 1)


@pytest.mark.parametrize("name", ["a\nb.md", "🙂.md", "…[]#^|.md", " .md", "a" * 250 + ".md"])
def test_any_name_can_be_indexed(write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex, name: str) -> None:
    """Whatever the file system allows as a name is stored as it is."""
    write_note(name, ALPHA)
    run_index()
    assert [row[0] for row in read_index()] == [unicodedata.normalize("NFC", name)]


def test_a_file_that_became_unreadable_keeps_its_old_text(
    write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is named while it lasts, and the file is read again as soon as it can be."""
    write_note("alpha.md", ALPHA)
    write_note("other.md", ALPHA)
    run_index()
    before = _without_hash(read_index())
    write_note("alpha.md", ALPHA.replace("rotating", "changing"))
    write_note("new.md", ALPHA)
    real_open = os.open

    def refuse(path: str, flags: int, *rest: int) -> int:
        if str(path).endswith(("alpha.md", "new.md")):
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, *rest)

    with monkeypatch.context() as patch:
        # Permissions do not bind root, who may be running this, so the system call itself refuses.
        patch.setattr(os, "open", refuse)
        for _ in range(2):
            report = run_index()
            assert [(p.path, p.indexed) for p in report.problems] == [("alpha.md", True), ("new.md", False)]
            assert (report.files, _counts(report)) == (2, (0, 0, 0, 1))
        assert _without_hash(read_index()) == before
    healed = run_index()
    assert (healed.problems, _counts(healed)) == ((), (1, 1, 0, 1))


def test_a_passage_without_a_known_word_has_no_vector(
    write_note: WriteNote, run_index: RunIndex, read_index: ReadIndex
) -> None:
    """A passage of punctuation alone is stored without a direction, and found by nobody's vector."""
    write_note("—.md", "--- *** --- !!! ??? --- *** --- !!! ??? ---\n")
    run_index()
    assert [row[-1] for row in read_index()] == [None]


def test_credentials_in_notes_reach_no_byte_of_the_index(
    write_note: WriteNote, run_index: RunIndex, index_file: Path
) -> None:
    """Wherever in a note a secret stands, neither the index nor its log holds it, in whole or in part."""
    body = "".join(chr(ord("A") + (7 * i) % 26) + str(i % 10) for i in range(30))
    token = "gh" + "p_" + body[:36]
    cut = "gh" + "p_" + body[1:37]
    write_note("t.md", f"---\ntitle: see {token}\ntags: [a, {token}]\n---\n\n# {token}\n\nThe token is {token} here.\n")
    write_note("cut.md", "# " + "x" * 280 + f" {cut}\n\nA heading that is longer than a title may be.\n")
    write_note("broken.md", f'---\nkey: !{token} [x\n---\n\n```json\n{{"token": "{token}"}}\n```\n')
    write_note("esc.md", f'---\ntitle: "\\x67\\x68{token[2:]}"\n---\n\nA token in a title written with escapes.\n')
    report = run_index()
    reader = open_for_reading(index_file)  # keeps the write-ahead log in place
    try:
        run_index(full=True)
        stored = b"".join(path.read_bytes() for path in index_file.parent.iterdir())
    finally:
        reader.close()
    assert b"REDACTED" in stored
    for secret in (token, cut):
        for part in (secret, secret[4:16], secret.lower()[4:16]):
            assert part.encode() not in stored
    assert not any(token[4:16] in problem.message for problem in report.problems)
