"""HTML to Markdown: markdownify's walk over the tree, with our own rendering of what feeds get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bs4 import BeautifulSoup

from intake.cleaning.boilerplate import drop_boilerplate
from intake.cleaning.code_blocks import code_text, fence_code
from intake.cleaning.inline_rendering import InlineRenderer, code_span, emphasize
from intake.cleaning.layout import indent_lines, tidy_markdown
from intake.cleaning.sanitizing import sanitize_html
from intake.cleaning.tables import CAPTION_END, CELL_END, MAX_COLUMNS, ROW_END, dissolve_layout_tables, write_table
from intake.cleaning.tree_preparation import heading_shift, merge_neighbours, prepare_links, prepare_lists

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bs4 import Tag

_DEEPEST_HEADING = 6


def html_to_markdown(html: str, *, base: str = "", page: str = "") -> str:
    """Convert hostile HTML to clean Markdown.

    Args:
        html: HTML of any size and depth.
        base: Base of relative links.
        page: Address of the page the HTML stands on, for links to places on it; `base` where empty.

    Returns:
        Markdown without raw HTML, with headings from level 2, absolute links without tracking parameters, at most
        one blank line in a row outside of code, and a final newline unless empty.
    """
    tree = BeautifulSoup(sanitize_html(html), "html.parser")
    drop_boilerplate(tree)
    dissolve_layout_tables(tree)
    prepare_links(tree)
    merge_neighbours(tree)
    prepare_lists(tree)
    renderer = _Renderer(base=base, page=page or base, shift=heading_shift(tree))
    return tidy_markdown(renderer.convert_soup(tree))


class _Renderer(InlineRenderer):
    """Renders block elements; method names and arguments are markdownify's."""

    def __init__(self, *, base: str, page: str, shift: int) -> None:
        super().__init__(base=base, page=page)
        self._shift = shift

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:  # noqa: N802  upstream
        """Write a heading below the level of the note's own."""
        title = " ".join(text.split())
        if not title or "_inline" in parent_tags:
            return f" {title} "
        if title.endswith("#"):
            title = f"{title[:-1]}\\#"
        return f"\n\n{'#' * min(_DEEPEST_HEADING, n + self._shift)} {title}\n\n"

    def convert_hr(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a rule."""
        return " " if "_inline" in parent_tags else "\n\n---\n\n"

    def convert_pre(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a fenced code block, or a code span where there can be no block."""
        if parent_tags & {"_inline", "a"}:
            code = code_text(el)
            return code_span(code) if code else ""
        return fence_code(el)

    def convert_li(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a list item with its further lines indented below its text."""
        content = text.strip()
        if not content or "_inline" in parent_tags:
            return f"{content} " if content else ""
        bullet = f"{el.attrs['value']}. " if "value" in el.attrs else "- "
        return f"{bullet}{indent_lines(content, ' ' * len(bullet)).lstrip(' ')}\n"

    def convert_ul(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a list; inside another one it follows without a blank line."""
        items = text.strip("\n")
        if not items.strip() or "_inline" in parent_tags:
            return f" {items.strip()} "
        if el.parent is not None and el.parent.name in {"ul", "ol"}:
            return f"\n{indent_lines(items, '  ' if el.parent.name == 'ul' else '   ')}\n"
        return f"\n{items}\n" if "li" in parent_tags else f"\n\n{items}\n\n"

    convert_ol = convert_ul

    def convert_blockquote(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Quote every line."""
        content = tidy_markdown(text).strip()
        if not content or "_inline" in parent_tags:
            return f" {content} "
        quoted = "\n".join(f"> {line}" if line else ">" for line in content.split("\n"))
        return f"\n\n{quoted}\n\n"

    def convert_dt(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write the term of a definition as a strong line."""
        term = " ".join(text.split())
        if not term or "_inline" in parent_tags:
            return f" {term} "
        return f"\n\n{emphasize(term, '**', nested='**' in term)}\n\n"

    def convert_div(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Set a block apart."""
        content = text.strip()
        if not content or "_inline" in parent_tags:
            return f" {content} "
        return f"\n\n{content}\n\n"

    convert_p = convert_article = convert_section = convert_dl = convert_dd = convert_figure = convert_div
    convert_figcaption = convert_address = convert_aside = convert_center = convert_details = convert_div
    convert_fieldset = convert_footer = convert_header = convert_main = convert_nav = convert_summary = convert_div

    def convert_x_inlined(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a block that became a part of a line."""
        return f" {text.strip()} "

    def convert_x_dropped(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write nothing."""
        return ""

    def convert_table(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """Write a table of data."""
        return write_table(text)

    def convert_tr(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """End a row."""
        return text + ROW_END

    def convert_td(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """End a cell; its pipes must not look like the end."""
        span = str(el.attrs.get("colspan") or "1")
        columns = int(span) if span.isdecimal() and span.isascii() and len(span) < 4 else 1  # noqa: PLR2004  digits
        return " ".join(text.split()).replace("|", "\\|") + CELL_END * max(1, min(columns, MAX_COLUMNS))

    convert_th = convert_td

    def convert_caption(self, el: Tag, text: str, parent_tags: AbstractSet[str]) -> str:
        """End the caption of a table."""
        return " ".join(text.split()) + CAPTION_END
