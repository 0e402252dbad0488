"""What can be counted in a Markdown text, found in one pass over its lines."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

MAX_CHARS = 200_000
"""Characters of a body that are looked at; about 30,000 words, beyond which every count has saturated."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_INDENTED = re.compile(r"(?: {4}|\t)\s*\S")
_HEADING = re.compile(r" {0,3}#{1,6} ")
_ORDERED = re.compile(r"\s*\d{1,4}[.)] ")
_UNORDERED = re.compile(r"\s*[-*+] ")
_SHELL = re.compile(r"\s*(?:[$#%>] |(?:sudo|git|docker|curl|ssh|pip|npm|apt|apt-get|brew|make|cd|systemctl) )\S")
_LINK = re.compile(r"(!?)\[([^\[\]]{0,300})\]\((https?://[^\s()]{1,2000})[^()]{0,300}\)")
_BARE_URL = re.compile(r"https?://[^\s<>()\[\]]{1,2000}")
_INLINE_CODE = re.compile(r"`([^`]{1,200})`")
_TOKEN = re.compile(r"[^\W_][\w]{0,39}(?:\+\+|#)?")
_BOILERPLATE = re.compile(
    r"\b(?:subscribe|newsletter|follow (?:me|us) on|share this|read more|continue reading|appeared first on"
    r"|all rights reserved|sign up|related posts|comments? powered|tweet this|posted by|view comments"
    r"|mehr lesen|weiterlesen|zum newsletter|alle rechte vorbehalten|jetzt anmelden)\b|©|\(c\) \d{4}",
    re.IGNORECASE,
)
_BOILERPLATE_WORDS = 40
"""A longer paragraph says something of its own, whatever call to subscribe it holds."""

_ENGLISH = frozenset("the of and to is that it for with on as this are was be you have not but from or by we".split())
_GERMAN = frozenset(
    "der die und das ist nicht mit ein eine den von zu sich auf für dem im auch wird werden oder aus bei wie".split()
)
_MIN_STOP_WORDS = 2
"""Stop words below which the language stays undecided, as in most titles."""


class Language(StrEnum):
    """The languages whose stems are known."""

    ENGLISH = "en"
    GERMAN = "de"
    UNKNOWN = "unknown"  # too short to tell, or another language


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """The countable facts of one text.

    Attributes:
        tokens: Lower-case words of the prose in order, an empty string between paragraphs.
        words: Words of the prose; boilerplate, numbers, code, addresses and image texts do not count.
        distinct_share: Distinct words per word among the first 400, 0 where there are none.
        numbers: Words that begin with a digit.
        sentences: Sentences with at least one word, estimated.
        paragraphs: Blocks of prose.
        headings: Headings.
        ordered_items: Items of numbered lists.
        list_items: Items of all lists.
        code_blocks: Fenced or indented code blocks.
        code_lines: Lines in them.
        shell_lines: Lines in them that look like commands for a shell.
        inline_code: Pieces of inline code.
        table_rows: Rows of tables, heads included.
        quoted_words: Words in block quotes.
        images: Images.
        links: Distinct addresses linked to.
        linked_words: Words that are link texts.
        hosts: Distinct hosts linked to.
        language: Guess by stop words.
    """

    tokens: tuple[str, ...]
    words: int
    distinct_share: float
    numbers: int
    sentences: int
    paragraphs: int
    headings: int
    ordered_items: int
    list_items: int
    code_blocks: int
    code_lines: int
    shell_lines: int
    inline_code: int
    table_rows: int
    quoted_words: int
    images: int
    links: tuple[str, ...]
    linked_words: int
    hosts: frozenset[str]
    language: Language


def tokenize(text: str) -> list[str]:
    """Split a text into lower-case words; `c++` and `c#` stay whole, hyphens and dots separate."""
    return _TOKEN.findall(text.lower())


def guess_language(counts: Counter[str]) -> Language:
    """Guess the language of a text from how often each of its words occurs."""
    english = sum(counts[word] for word in _ENGLISH)
    german = sum(counts[word] for word in _GERMAN)
    if max(english, german) < _MIN_STOP_WORDS or english == german:
        return Language.UNKNOWN
    return Language.ENGLISH if english > german else Language.GERMAN


def read_features(markdown: str) -> TextFeatures:
    """Count what a Markdown text consists of.

    Args:
        markdown: A cleaned body; beyond MAX_CHARS it is ignored.
    """
    reader = _Reader()
    for line in markdown[:MAX_CHARS].split("\n"):
        reader.read(line)
    return reader.finish()


class _Reader:
    """Goes through the lines once and keeps the counts."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.tokens: list[str] = []
        self.links: dict[str, None] = {}
        self._fence = ""
        self._was_blank = True
        self._was_indented_code = False
        self._paragraph: list[str] = []

    def read(self, line: str) -> None:
        if self._reads_code(line):
            return
        stripped = line.strip()
        if not stripped:
            self._end_paragraph()
        elif stripped.startswith("|"):
            self.counts["table_rows"] += 1
            self._paragraph.append(stripped.replace("|", " "))
        else:
            self._read_prose(line, stripped)
        self._was_blank = not stripped
        self._was_indented_code = False

    def _reads_code(self, line: str) -> bool:
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not line[fence.end() :].strip():
                self._fence = ""
            else:
                self._count_code(line)
            return True
        if fence:
            self._end_paragraph()
            self._fence = fence[1]
            self.counts["code_blocks"] += 1
            return True
        if (self._was_blank or self._was_indented_code) and _INDENTED.match(line) and not self._in_list(line):
            self.counts["code_blocks"] += not self._was_indented_code
            self._was_indented_code = True
            self._count_code(line)
            return True
        return False

    def _in_list(self, line: str) -> bool:
        return bool(self.counts["list_items"]) or bool(_UNORDERED.match(line) or _ORDERED.match(line))

    def _count_code(self, line: str) -> None:
        if line.strip():
            self.counts["code_lines"] += 1
            self.counts["shell_lines"] += _SHELL.match(line) is not None

    def _read_prose(self, line: str, stripped: str) -> None:
        if _HEADING.match(line):
            self._end_paragraph()
            self.counts["headings"] += 1
            self._paragraph.append(stripped.lstrip("#"))
            self._end_paragraph()
            return
        if _ORDERED.match(line) or _UNORDERED.match(line):
            self._end_paragraph()
            self.counts["list_items"] += 1
            self.counts["ordered_items"] += _ORDERED.match(line) is not None
        elif stripped.startswith(">"):
            self.counts["quoted_words"] += len(stripped.split()) - 1
        self._paragraph.append(stripped)

    def _end_paragraph(self) -> None:
        text = "\n".join(self._paragraph)
        self._paragraph.clear()
        if not text:
            return
        text = _LINK.sub(self._take_link, text)
        text = _BARE_URL.sub(self._take_bare_url, text)
        words = tokenize(text)
        if not words or (len(words) < _BOILERPLATE_WORDS and _BOILERPLATE.search(text)):
            return
        self.counts["inline_code"] += len(_INLINE_CODE.findall(text)) if "`" in text else 0
        self.counts["paragraphs"] += 1
        self.counts["sentences"] += max(1, text.count(". ") + text.count(".\n") + text.count("? ") + text.count("! "))
        self.tokens += words
        self.tokens.append("")

    def _take_link(self, match: re.Match[str]) -> str:
        if match[1]:
            self.counts["images"] += 1
            return " "
        self.links[match[3]] = None
        self.counts["linked_words"] += len(match[2].split())
        return match[2]

    def _take_bare_url(self, match: re.Match[str]) -> str:
        self.links[match[0]] = None
        return " "

    def finish(self) -> TextFeatures:
        """Close the last paragraph and return the counts."""
        self._end_paragraph()
        words = [word for word in self.tokens if word]
        first = words[:400]
        numbers = sum(1 for word in words if word[0].isdigit())
        return TextFeatures(
            tokens=tuple(self.tokens),
            words=len(words) - numbers,
            distinct_share=len(set(first)) / len(first) if first else 0.0,
            numbers=numbers,
            links=tuple(self.links),
            hosts=frozenset(filter(None, map(host_of, self.links))),
            language=guess_language(Counter(words)),
            **{name: self.counts[name] for name in _COUNTED},
        )


_COUNTED = (
    "sentences", "paragraphs", "headings", "ordered_items", "list_items", "code_blocks", "code_lines",
    "shell_lines", "inline_code", "table_rows", "quoted_words", "images", "linked_words",
)  # fmt: skip


def host_of(url: str) -> str:
    """Return the lower-case host of an address without `www.`, or an empty string."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")
