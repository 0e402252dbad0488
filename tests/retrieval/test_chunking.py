"""Where a note is cut, what is left out, and that nothing else is lost."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from config.settings import ChunkSettings
from retrieval.markdown.chunking import chunk_note
from retrieval.markdown.fences import find_fences
from retrieval.markdown.outline import find_headings
from retrieval.types import Chunk

DEFAULTS = ChunkSettings()
SMALL = ChunkSettings(max_chars=200, min_chars=10, overlap_chars=40)
PROSE = "This sentence is long enough to be a passage. "


def _chunks(body: str, settings: ChunkSettings = DEFAULTS, first_line: int = 1) -> list[Chunk]:
    return chunk_note(body, first_line=first_line, settings=settings)


def test_a_note_is_cut_at_h2_and_counts_its_lines() -> None:
    """Each section is one chunk on its own lines; the text before the first heading has no section."""
    chunks = _chunks(f"{PROSE}\n\n## First\n\n{PROSE}\n\n## Second ##\n{PROSE}\n{PROSE}\n", first_line=5)
    text = PROSE.rstrip()
    assert chunks == [
        Chunk("", text, 5, 5),
        Chunk("First", text, 9, 9),
        Chunk("Second", f"{PROSE}\n{text}", 12, 13),
    ]


def test_the_title_is_no_section() -> None:
    """The H1 that opens a note stays with the text below it, and alone it makes no passage."""
    assert [chunk.section for chunk in _chunks(f"# Title\n\n{PROSE}\n\n## A\n{PROSE}")] == ["", "A"]
    assert [chunk.section for chunk in _chunks(f"# {PROSE}\n\n## A\n{PROSE}")] == ["A"]


def test_a_later_h1_cuts_like_an_h2() -> None:
    """Notes that use H1 for their sections are cut there, too."""
    assert [c.section for c in _chunks(f"# Title\n{PROSE}\n# Part\n{PROSE}\n## Sub\n{PROSE}")] == ["", "Part", "Sub"]


def test_h3_cuts_only_where_a_section_is_too_long() -> None:
    """A short section keeps its H3 in the text; a long one is cut there, and the path names both headings."""
    body = f"## Two\n{PROSE}\n\n### Three\n{PROSE}\n\n#### Four\n{PROSE}\n"
    assert [chunk.section for chunk in _chunks(body)] == ["Two"]
    assert "### Three" in _chunks(body)[0].text
    long = _chunks(body + PROSE * 3, SMALL)
    assert {chunk.section for chunk in long} == {"Two", "Two > Three"}
    assert "### Three" not in "".join(chunk.text for chunk in long)
    assert any("#### Four" in chunk.text for chunk in long)


def test_h3_before_the_first_h2_names_its_own_section() -> None:
    """Without an H2 above, the path is the H3 alone."""
    assert {c.section for c in _chunks(f"### Three\n{PROSE * 10}", SMALL)} == {"Three"}


@pytest.mark.parametrize("heading", ["Related", "SEE ALSO", "Siehe auch", "**Links**", "references:"])
def test_sections_of_links_are_skipped(heading: str) -> None:
    """Skipped headings take what stands below them along, whatever their case and decoration."""
    body = f"## Text\n{PROSE}\n\n## {heading}\n\n- {PROSE}\n\n### Deeper\n\n{PROSE}\n\n## More\n{PROSE}\n"
    assert [chunk.section for chunk in _chunks(body)] == ["Text", "More"]


def test_a_skipped_h3_leaves_its_neighbours() -> None:
    """Only the H3 section itself goes, in a short section as in a long one."""
    body = f"## A\n{PROSE}\n### Links\n- secret link list\n### B\n{PROSE}\n"
    for settings in (DEFAULTS, SMALL):
        text = "\n".join(chunk.text for chunk in _chunks(body, settings))
        assert "secret link list" not in text
        assert text.count(PROSE.strip()) == 2


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "  ```"])
def test_headings_in_code_are_no_headings(fence: str) -> None:
    """A comment in a shell script neither cuts a note nor names a section."""
    body = f"## Real\n{PROSE}\n{fence}sh\n## not a heading\n```sh inside\n{fence}\n{PROSE}\n"
    assert [chunk.section for chunk in _chunks(body)] == ["Real"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("```\na\n```\nb", "a\n"),
        ("````\n```\n````\nb", "```\n"),
        ("```\n~~~\n```\nb", "~~~\n"),
        ("~~~ `x`\na\n~~~~\nb", "a\n"),
        ("- item\n\n      ```\n      a\n      ```\n", "      a\n"),
        ("```\nnever closed", "never closed"),
        ("```\r\na\r\n```\r\nb", "a\r\n"),
    ],
)
def test_fences_follow_commonmark(text: str, code: str) -> None:
    """The closing fence is of the same sign and at least as long; an open one reaches to the end."""
    (fence,) = find_fences(text)
    assert text[fence.code_start : fence.code_end] == code


@pytest.mark.parametrize("text", ["``` inline ```\n# H", "a ```\n# H", "``\n# H", "text ~~~\n# H"])
def test_backticks_in_a_line_open_no_fence(text: str) -> None:
    """Inline code is no block, so the heading below it counts."""
    assert find_fences(text) == []
    assert [heading.text for heading in find_headings(text, [])] == ["H"]


def test_lines_that_only_look_like_headings_are_text() -> None:
    """Hashtags, empty headings and endless ones stay in the text."""
    assert find_headings("#tag\n##\n## \n#### deep\n ## indented\n## " + "x" * 600, []) == []


def test_a_long_section_is_cut_between_paragraphs() -> None:
    """Paragraphs that fit stay whole, and each passage repeats the end of the one before."""
    paragraphs = [f"{name} {'word ' * 20}end." for name in ("alpha", "beta", "gamma", "delta")]
    chunks = _chunks("## S\n" + "\n\n".join(paragraphs), SMALL)
    assert len(chunks) == 4
    assert all(any(paragraph in chunk.text for chunk in chunks) for paragraph in paragraphs)
    assert all(chunk.text.endswith("end.") for chunk in chunks)
    assert chunks[1].text.startswith("word ")


def test_a_short_section_repeats_nothing() -> None:
    """Overlap exists only where a section had to be cut inside."""
    chunks = _chunks(f"## A\nalpha {PROSE}\n## B\nbeta {PROSE}")
    assert [chunk.text for chunk in chunks] == [f"alpha {PROSE}".strip(), f"beta {PROSE}".strip()]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    """Where no paragraph ends, a sentence does."""
    chunks = _chunks("Some words that end here. " * 30, SMALL)
    assert len(chunks) > 3
    assert all(chunk.text.endswith("here.") for chunk in chunks)


def test_text_without_any_boundary_is_cut_hard() -> None:
    """A line without a single space is cut at the limit and loses no character."""
    body = "".join(chr(0x4E00 + n % 5000) for n in range(950))
    chunks = _chunks(body, ChunkSettings(max_chars=200, min_chars=10, overlap_chars=0))
    assert "".join(chunk.text for chunk in chunks) == body
    assert max(len(chunk.text) for chunk in chunks) == 200


def test_a_short_tail_after_a_cut_is_kept() -> None:
    """What is left behind the last cut may be shorter than the smallest section."""
    chunks = _chunks("## S\n" + "a" * 195 + ".\n\nTail.", ChunkSettings(max_chars=200, min_chars=30, overlap_chars=0))
    assert [chunk.text[-5:] for chunk in chunks] == ["aaaa.", "Tail."]


def test_code_that_fits_is_not_cut() -> None:
    """A block moves to the next passage as a whole, blank lines in it or not."""
    code = "```python\n" + "x = 1\n\n" * 15 + "```"
    chunks = _chunks(f"## S\n{PROSE * 3}\n\n{code}\n\n{PROSE * 3}\n", SMALL)
    assert any(code in chunk.text for chunk in chunks)
    assert len(code) < SMALL.max_chars


def test_code_that_does_not_fit_is_cut_between_lines() -> None:
    """A block longer than a passage is cut, but never within a line."""
    code = "\n".join(f"value_{n} = compute(1. + {n})" for n in range(40))
    chunks = _chunks(f"```\n{code}\n```", ChunkSettings(max_chars=200, min_chars=0, overlap_chars=0))
    assert [line for chunk in chunks for line in chunk.text.split("\n")] == ["```", *code.split("\n"), "```"]


def test_sections_below_the_minimum_are_dropped() -> None:
    """A stub beside real text is no passage."""
    assert [chunk.section for chunk in _chunks(f"## Stub\nTBD\n## Real\n{PROSE}")] == ["Real"]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("Buy milk.", ["Buy milk."]),
        ("# Milk", ["# Milk"]),
        ("# Shopping\n\n## Milk\n\n2 l\n\n## Eggs\n\n6\n", ["# Shopping\n\n## Milk\n\n2 l\n\n## Eggs\n\n6"]),
        ("short\n## Links\n- a\n## B\nbee\n", ["short", "## B\nbee"]),
        ("## Links\n- [[a]]\n", ["## Links\n- [[a]]"]),
        ("", []),
        (" \n\t\n", []),
    ],
)
def test_a_short_note_keeps_its_text(body: str, texts: list[str]) -> None:
    """A note with nothing but stubs is still found; one without any text is not there."""
    assert [chunk.text for chunk in _chunks(body)] == texts


def test_windows_line_ends_change_neither_sections_nor_lines() -> None:
    """CRLF notes are cut like others."""
    chunks = _chunks(f"# T\r\n\r\n{PROSE}\r\n\r\n## A\r\n{PROSE}\r\n")
    assert [(chunk.section, chunk.first_line, chunk.last_line) for chunk in chunks] == [("", 1, 3), ("A", 6, 6)]


@pytest.mark.parametrize(
    "piece", ["x", "## \n", "\n#", "```", "```\n", "` ", ". ", "\n\n", " ", "## a\n", "### b\ntext\n"]
)
def test_long_runs_of_one_thing_are_cut_in_bounded_time(piece: str) -> None:
    """Work grows with the length alone; a quadratic step would not end within the test run."""
    body = piece * (300_000 // len(piece))
    assert all(len(chunk.text) <= 2150 for chunk in _chunks(body))


_LINES = st.lists(
    st.sampled_from(
        [
            "",
            "",
            "# One",
            "## Two",
            "## Two",
            "### Three",
            "## Links",
            "### See also",
            "```",
            "~~~",
            "- item",
            "a b. c d.",
        ]
    )
    | st.text(alphabet="ab. #`~\t\r-ä", max_size=30)
    | st.text(alphabet="abc .", min_size=150, max_size=500),
    max_size=25,
)
_SETTINGS = st.builds(
    ChunkSettings,
    max_chars=st.integers(200, 400),
    min_chars=st.integers(0, 40),
    overlap_chars=st.integers(0, 500),
)


@example("a" * 50 + " " + "a" * 150 + "\n" + "`" * 30, ChunkSettings(max_chars=200, min_chars=0, overlap_chars=104), 1)
@example("a" * 120 + "\n" + "a" * 190 + " aaa", ChunkSettings(max_chars=200, min_chars=0, overlap_chars=368), 1)
@given(_LINES.map("\n".join) | st.text(), _SETTINGS, st.integers(1, 50))
def test_chunks_stand_in_the_note_where_they_say(body: str, settings: ChunkSettings, first_line: int) -> None:
    """Each text is found on exactly its lines, is not too long, and the lines only ever grow."""
    lines = body.split("\n")
    chunks = _chunks(body, settings, first_line)
    for chunk in chunks:
        own = lines[chunk.first_line - first_line : chunk.last_line - first_line + 1]
        assert chunk.text in "\n".join(own)
        assert chunk.text.count("\n") == len(own) - 1
        assert chunk.text.strip()
        assert len(chunk.text) <= settings.max_chars + settings.overlap_chars
    starts = [(chunk.first_line, chunk.last_line) for chunk in chunks]
    assert starts == sorted(starts)


@given(_LINES)
def test_no_line_outside_headings_is_lost(lines: list[str]) -> None:
    """With nothing to skip and no minimum, every line but the headings is in the passages that cover it."""
    body = "\n".join(lines)
    settings = ChunkSettings(max_chars=200, min_chars=0, overlap_chars=20, skip_sections=())
    covered = [""] * (len(lines) * 500)
    for chunk in _chunks(body, settings):
        for offset, line in enumerate(chunk.text.split("\n")):
            covered[chunk.first_line + offset] += line
    heading_starts = {heading.start for heading in find_headings(body, find_fences(body))}
    position = 0
    for number, line in enumerate(body.split("\n"), start=1):
        if position not in heading_starts:
            missing = [word for word in line.split() if word[:20] not in covered[number]]
            assert missing == []
        position += len(line) + 1
