"""Tables: which hold data and which only arrange a page, and how data is written."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from intake.cleaning.tree import DROPPED, HEADINGS, tags_in

if TYPE_CHECKING:
    from bs4 import Tag

CELL_END = "\x1f"
ROW_END = "\x1e"
CAPTION_END = "\x1d"
"""Separators while a table is put together; the input holds no control characters any more."""

MAX_COLUMNS = 30
"""Wider tables are arrangements of a page or mistakes."""

_PAGE_PARTS = frozenset({"table", "pre", "ul", "ol", "dl", "blockquote", "hr", *HEADINGS})
_TABLE_PARTS = frozenset({"tr", "td", "th", "tbody", "thead", "tfoot", "caption"})
_MAX_PARAGRAPHS_PER_CELL = 3


def dissolve_layout_tables(root: Tag) -> None:
    """Turn tables that arrange a page into plain blocks, so that their contents stand one below the other."""
    for table in reversed(root.find_all("table")):  # inner ones first: a dissolved table is no table any more
        if not _holds_data(table):
            _drop_gutters(table)
            for part in tags_in(table):
                if part.name in _TABLE_PARTS:
                    part.name = "div"
            table.name = "div"


def write_table(text: str) -> str:
    """Write a table from its cells.

    Args:
        text: Cells, rows and caption, each ended by its separator; cells have no line breaks.
    """
    caption, _, grid = text.rpartition(CAPTION_END)
    lines = [row.strip(" \n").split(CELL_END)[:-1] for row in grid.split(ROW_END)]
    rows = [[cell.strip() for cell in row][:MAX_COLUMNS] for row in lines if any(cell.strip() for cell in row)]
    if not rows:
        return f"\n\n{caption.strip()}\n\n"
    width = max(map(len, rows))
    written = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
    written.insert(1, f"| {' | '.join(['---'] * width)} |")
    heading = f"{caption.strip()}\n\n" if caption.strip() else ""
    return "\n\n" + heading + "\n".join(written) + "\n\n"


def _holds_data(table: Tag) -> bool:
    counts = Counter(tag.name for tag in tags_in(table))
    rows, cells = counts["tr"], counts["td"] + counts["th"]
    if rows < 2 or cells <= rows or not _PAGE_PARTS.isdisjoint(counts):  # noqa: PLR2004  a single row arranges
        return False
    return counts["p"] <= _MAX_PARAGRAPHS_PER_CELL * cells


def _drop_gutters(table: Tag) -> None:
    """Drop the column of line numbers that stands beside code."""
    if table.find("pre") is None:
        return
    for cell in table.find_all("td"):
        if "".join(cell.get_text().split()).isdigit() and cell.find_next_sibling("td") is not None:
            cell.name = DROPPED
