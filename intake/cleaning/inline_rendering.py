"""The parts of a line: text, links, images, emphasis, code spans."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bs4 import Tag

from intake.canonical_url import clean_url
from intake.cleaning.code_blocks import fence_code, has_lines
from intake.cleaning.markdown_escaping import escape_prose, link_target
from intake.cleaning.tree import HEADINGS, begins_line, class_words, is_block
from intake.cleaning.tree_walk import TreeWalker

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bs4.element import NavigableString

_SPACE = re.compile(r"[\s\u00a0\u2000-\u200a\u202f\u205f]+")
_BACKTICKS = re.compile("`+")
_TINY_PX = 3  # an image of this width or height is a tracking pixel or a spacer
_SIZE = re.compile(r"\d{1,5}")
_EMOJI_CLASS = re.compile(r"(?:wp-)?(?:emoji|smiley)")
_TRACKER = re.compile(
    r"/(?:pixel|beacon|1x1|spacer|blank|transparent)\.(?:gif|png)|feedburner\.com/~r/|/b\.gif\?|//(?:stats|pixel)\.wordpress\.com/"
)
_LAZY_SOURCES = ("data-src", "data-lazy-src", "data-original")
_SUPERSCRIPTS = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_VISIBLE_ASCII = re.compile("[!-~]")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "e", "er", "re", "o", "a", "tm", "™", "®", "©"})
_BLOCK_MARKS = frozenset("-+#>=:|~0123456789")  # what can make a block at the beginning of a line
_SENTENCE_MARKS = frozenset(".,:;!?")  # a space may follow them where the page forgot it
_BACK_LINKS = frozenset({"↩", "↩\ufe0e", "↩\ufe0f", "⤴", "↑", "^", "¶", "#", "§", "🔗"})


class InlineRenderer(TreeWalker):
    """Renders inline elements; method names and arguments are markdownify's."""

    def __init__(self, *, base: str, page: str) -> None:
        super().__init__(heading_style="atx", bullets="-")
        self._base = base
        self._page = page

    def process_text(self, el: NavigableString, parent_tags: AbstractSet[str]) -> str:
        """Give a text with its white space folded and its Markdown escaped."""
        text = _SPACE.sub(" ", unicodedata.normalize("NFC", str(el)))
        before, after, parent = el.previous_sibling, el.next_sibling, el.parent
        if is_block(before) or (before is None and is_block(parent)):
            text = text.lstrip(" ")
        if is_block(after) or (after is None and is_block(parent)):
            text = text.rstrip(" ")
        if "_noformat" in parent_tags or not text:
            return text
        line_start = text.lstrip()[:1] in _BLOCK_MARKS and "td" not in parent_tags and "th" not in parent_tags
        escaped = escape_prose(text, line_start=line_start and begins_line(el), inside_link="a" in parent_tags)
        makes_image = text.endswith("!") and isinstance(after, Tag) and after.name == "a"
        return f"{escaped[:-1]}\\!" if makes_image else escaped

    def convert_a(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a link, or its text alone where it leads nowhere."""
        if "_noformat" in parent_tags:
            return text
        label = " ".join(text.split())
        href = str(el.attrs.get("href") or "")
        if not label or ("#" in href and el.get_text().strip() in _BACK_LINKS):
            return ""
        target = clean_url(href, self._page if href.startswith("#") else self._base)
        if target and label != target and "a" not in parent_tags:
            label = f"[{label}]({link_target(target)})"
        return _respaced(label, text)

    def convert_img(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write an image; nothing for tracking pixels, the character itself for emoji."""
        alt = _SPACE.sub(" ", str(el.attrs.get("alt") or "")).strip()
        if any(_EMOJI_CLASS.fullmatch(word) for word in class_words(el)):
            return escape_prose(alt, line_start=True, inside_link=True)
        source = next(filter(None, (clean_url(url, self._base) for url in _image_sources(el))), "")
        if not source or _is_tiny(el) or _TRACKER.search(source):
            return ""
        label = escape_prose(alt, line_start=False, inside_link=True)
        return label if parent_tags & set(HEADINGS) else f"![{label}]({link_target(source)})"

    def convert_video(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a film or a recording as a link to its file."""
        sources = (str(tag.attrs.get("src") or "") for tag in (el, *el.find_all("source")))
        url = next(filter(None, (clean_url(source, self._base) for source in sources)), "")
        name = urlsplit(url).path.rpartition("/")[2] or str(el.name)
        return f"[{escape_prose(name, line_start=False, inside_link=True)}]({link_target(url)})" if url else text

    convert_audio = convert_video

    def convert_br(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Break the line; two breaks in a row make a paragraph."""
        return " " if parent_tags & {"_inline", "a"} else "\n"

    def convert_code(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a code span, or a block where the page broke its lines."""
        if "_noformat" in parent_tags or not text.strip():
            return text
        if has_lines(el) and not parent_tags & {"_inline", "a"}:
            return fence_code(el)
        return _respaced(code_span(text), text)

    convert_kbd = convert_code
    convert_samp = convert_code
    convert_tt = convert_code

    def convert_b(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write strong emphasis."""
        return _emphasize_element(el, text, "**", nested=bool(parent_tags & {"b", "strong", "_noformat", *HEADINGS}))

    convert_strong = convert_b

    def convert_em(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write emphasis."""
        return _emphasize_element(el, text, "*", nested=bool(parent_tags & {"em", "i", "var", "_noformat"}))

    convert_i = convert_em
    convert_var = convert_em

    def convert_del(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Strike text through."""
        return _emphasize_element(el, text, "~~", nested=bool(parent_tags & {"del", "s", "strike", "_noformat"}))

    convert_s = convert_del
    convert_strike = convert_del

    def convert_mark(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Highlight text, as Obsidian writes it."""
        return emphasize(text, "==", nested=bool(parent_tags & {"mark", "_noformat"}))

    def convert_sup(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write powers in superscript characters, ordinals as letters, references to notes in brackets."""
        plain = el.get_text().strip()
        link = el.find("a")
        if isinstance(link, Tag):
            mark = plain.strip("[]")
            return f"\\[{mark}]" if "#" in str(link.attrs.get("href")) and mark.isalnum() else text
        if not plain or plain.lower() in _ORDINALS or "_noformat" in parent_tags:
            return text
        raised = plain.translate(_SUPERSCRIPTS)
        return f"^{text.strip()}" if _VISIBLE_ASCII.search(raised) else raised

    def convert_sub(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write indices in subscript characters where they exist."""
        lowered = text.strip().translate(_SUBSCRIPTS)
        return text if _VISIBLE_ASCII.search(lowered) else lowered


def code_span(code: str) -> str:
    """Write code within a line, between more backticks than it holds in a row."""
    line = " ".join(code.split())
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {line} {fence}" if longest else f"{fence}{line}{fence}"


def emphasize(text: str, mark: str, *, nested: bool) -> str:
    """Put marks around text that stays within one paragraph; spaces go outside of the marks."""
    content = text.strip()
    if nested or not content or "\n\n" in content or content.startswith(("```", "- ", "1. ", "| ", "> ", "#")):
        return text
    if mark in {"~~", "=="} and mark[0] in {content[0], content[-1]}:  # three in a row would be a fence or nothing
        return text
    return _respaced(f"{mark}{content}{mark}", text)


def _emphasize_element(element: Tag, text: str, mark: str, *, nested: bool) -> str:
    """Put marks around the text of an element, unless they would not be read as marks there.

    Source:
        CommonMark 0.31.2, section 6.2: a mark between a letter and punctuation opens or closes nothing.
    """
    rendered = emphasize(text, mark, nested=nested)
    content = text.strip()
    if rendered == text or not content:
        return text
    if not content[0].isalnum() and rendered[0] == mark[0] and _touches_word(element.previous_sibling, -1):
        return text
    if content[-1].isalnum() or not rendered.endswith(mark) or not _touches_word(element.next_sibling, 0):
        return rendered
    return f"{rendered} " if content[-1] in _SENTENCE_MARKS else text


def _touches_word(neighbour: object, at: int) -> bool:
    """Tell whether the text beside an element has a letter or digit at the side of the element."""
    if is_block(neighbour):
        return False
    text = neighbour.get_text() if isinstance(neighbour, Tag) else str(neighbour or "")
    return bool(text) and text[at].isalnum()


def _respaced(rendered: str, original: str) -> str:
    """Give a rendered text the outer white space it had before."""
    lead = original[: len(original) - len(original.lstrip())]
    tail = original[len(original.rstrip()) :] if original.strip() else ""
    return f"{lead}{rendered}{tail}"


def _image_sources(image: Tag) -> list[str]:
    """Give the addresses of an image, those of lazy loading first: `src` is a placeholder then."""
    named = [str(image.attrs.get(name) or "") for name in (*_LAZY_SOURCES, "src")]
    sets = [str(image.attrs.get(name) or "").split(maxsplit=1) for name in ("data-srcset", "srcset")]
    return [*named, *(words[0].rstrip(",") for words in sets if words)]


def _is_tiny(image: Tag) -> bool:
    sizes = [_SIZE.match(str(image.attrs.get(side) or "")) for side in ("width", "height")]
    return any(size is not None and int(size[0]) <= _TINY_PX for size in sizes)
