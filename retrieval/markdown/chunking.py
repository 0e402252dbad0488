"""Cutting a note into the passages that are indexed and returned."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from retrieval.markdown.cutting import cut_span
from retrieval.markdown.fences import find_fences
from retrieval.markdown.outline import DEEPEST_LEVEL, find_headings
from retrieval.types import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from config.settings import ChunkSettings
    from retrieval.markdown.cutting import Span
    from retrieval.markdown.fences import Fence
    from retrieval.markdown.outline import Heading

_HEADING_JOIN = " > "
_HEADING_DECORATION = " \t*_:#"


class _Section(NamedTuple):
    """What lies between two headings that always cut: `start` is behind the heading's line."""

    name: str
    begin: int  # offset of the heading's line
    start: int
    end: int
    children: list[Heading]  # the H3 headings in it


class _Part(NamedTuple):
    """A stretch of text that becomes one chunk if it is short enough."""

    name: str
    start: int
    end: int


def chunk_note(body: str, *, first_line: int, settings: ChunkSettings) -> list[Chunk]:
    """Cut the body of a note into passages.

    H2 (and every H1 but the title) cuts always; a section above `max_chars` is cut at H3, then between
    paragraphs, then sentences, then anywhere, repeating `overlap_chars` of the text before each cut inside.
    Sections below `min_chars` are dropped, and so are `skip_sections` together with what stands below them.
    A note that would be left with nothing keeps its text, for it has to be found by its title at least.

    Args:
        body: The note below its frontmatter.
        first_line: Line of the file the body begins on, from 1.
        settings: Sizes in characters, and headings to skip.

    Returns:
        Passages in the order of the note. `text` is a stretch of `body` that begins and ends on the lines the
        chunk names, overlap included, and is at most `max_chars + overlap_chars` long.
    """
    fences = find_fences(body)
    lines = _LineCounter(body, first_line)
    skipped = frozenset(name.casefold() for name in settings.skip_sections)
    sections = _split_at_main_headings(body, find_headings(body, fences))
    chunks: list[Chunk] = []
    dropped: list[Span] = []
    for section in sections:
        if _is_skipped(section.name, skipped):
            dropped.append((section.begin, section.end))
            continue
        for part in _parts(body, section, skipped, dropped, settings):
            if part.end - part.start >= settings.min_chars:
                chunks.extend(_chunks_of(body, part, fences, lines, settings))
    return chunks or [
        chunk for part in _whatever_there_is(body, dropped) for chunk in _chunks_of(body, part, fences, lines, settings)
    ]


def _split_at_main_headings(body: str, headings: Sequence[Heading]) -> Iterator[_Section]:
    """Yield the sections under H1 and H2; the H1 that opens a note is its title and cuts nothing."""
    name, begin, start = "", 0, 0
    children: list[Heading] = []
    title: Heading | None = None
    named = False
    for heading in headings:
        if heading.level == DEEPEST_LEVEL:
            children.append(heading)
            continue
        if heading.level == 1 and title is None and not named:
            title = heading
            continue
        yield _without_lone_title(body, _Section(name, begin, start, heading.start, children), title, named=named)
        name, begin, start, children, named = heading.text, heading.start, heading.end, [], True
    yield _without_lone_title(body, _Section(name, begin, start, len(body), children), title, named=named)


def _without_lone_title(body: str, section: _Section, title: Heading | None, *, named: bool) -> _Section:
    """Empty a first section that holds nothing but the title, which every passage carries anyway."""
    if named or title is None:
        return section
    others = body[section.start : title.start].strip() or body[title.end : section.end].strip()
    return section if others else section._replace(start=section.end, children=[])


def _parts(
    body: str, section: _Section, skipped: frozenset[str], dropped: list[Span], settings: ChunkSettings
) -> Iterator[_Part]:
    """Yield the stretches between skipped H3 sections, cut at H3 where they are too long."""
    if not section.children:
        yield _trim(body, section.name, section.start, section.end)
        return
    run: list[Heading] = []
    start = section.start
    for child, end in zip(section.children, _ends(section.children, section.end), strict=True):
        if not _is_skipped(child.text, skipped):
            run.append(child)
            continue
        dropped.append((child.start, end))
        yield from _split_at_children(body, _Section(section.name, start, start, child.start, run), settings)
        run, start = [], end
    yield from _split_at_children(body, _Section(section.name, start, start, section.end, run), settings)


def _split_at_children(body: str, run: _Section, settings: ChunkSettings) -> Iterator[_Part]:
    whole = _trim(body, run.name, run.start, run.end)
    if not run.children or whole.end - whole.start <= settings.max_chars:
        yield whole
        return
    yield _trim(body, run.name, run.start, run.children[0].start)
    for child, end in zip(run.children, _ends(run.children, run.end), strict=True):
        name = f"{run.name}{_HEADING_JOIN}{child.text}" if run.name else child.text
        yield _trim(body, name, child.end, end)


def _ends(children: Sequence[Heading], end: int) -> list[int]:
    return [*(child.start for child in children[1:]), end] if children else []


def _is_skipped(name: str, skipped: frozenset[str]) -> bool:
    return name.strip(_HEADING_DECORATION).casefold() in skipped


def _trim(body: str, name: str, start: int, end: int) -> _Part:
    """Leave out blank lines around a stretch, but keep the indentation of its first line."""
    text = body[start:end].rstrip()
    leading = len(text) - len(text.lstrip())
    newline = text.rfind("\n", 0, leading)
    return _Part(name, start + newline + 1, start + len(text))


def _chunks_of(
    body: str, part: _Part, fences: Sequence[Fence], lines: _LineCounter, settings: ChunkSettings
) -> Iterator[Chunk]:
    if part.end - part.start <= settings.max_chars:
        if part.end > part.start:
            line = lines.line_of(part.start)
            text = body[part.start : part.end]
            yield Chunk(part.name, text, line, line + text.count("\n"))
        return
    for piece_start, piece_end in cut_span(body, (part.start, part.end), fences, settings.max_chars):
        _, start, end = _trim(body, part.name, piece_start, piece_end)
        if start == end:
            continue
        if piece_start > part.start:
            start = _with_overlap(body, part.start, start, settings.overlap_chars)
        text = body[start:end]
        line = lines.line_of(start)
        yield Chunk(part.name, text, line, line + text.count("\n"))


def _with_overlap(body: str, floor: int, start: int, overlap_chars: int) -> int:
    """Return where a piece begins when it repeats whole lines, else words, of the text before it."""
    at = start - overlap_chars
    if at <= floor:
        return floor
    line_start = body.find("\n", at, start - overlap_chars // 2) + 1
    if line_start:
        at = line_start
    elif not body[at - 1].isspace():
        words = body[at:start].split(None, 1)
        at = start - len(words[1]) if len(words) > 1 else at
    return at + len(body[at:start]) - len(body[at:start].lstrip())


def _whatever_there_is(body: str, dropped: Sequence[Span]) -> list[_Part]:
    """Return the text outside the skipped sections, or all of it where there is none."""
    kept: list[_Part] = []
    start = 0
    for dropped_start, dropped_end in [*dropped, (len(body), len(body))]:
        kept.append(_trim(body, "", start, dropped_start))
        start = dropped_end
    return [part for part in kept if part.end > part.start] or [_trim(body, "", 0, len(body))]


class _LineCounter:
    """Line numbers of offsets that mostly grow: counting goes on from the last one asked for."""

    __slots__ = ("_at", "_line", "_text")

    def __init__(self, text: str, first_line: int) -> None:
        self._text = text
        self._at = 0
        self._line = first_line

    def line_of(self, offset: int) -> int:
        if offset >= self._at:
            self._line += self._text.count("\n", self._at, offset)
        else:
            self._line -= self._text.count("\n", offset, self._at)
        self._at = offset
        return self._line
