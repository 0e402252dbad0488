"""Depth: how much the text itself explains. Titles, tags and names of sources play no part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intake.scoring.cues import ARGUMENT
from intake.scoring.evidence import build_dimension, count_label, saturate

if TYPE_CHECKING:
    from intake.scoring.reading import Reading
    from intake.types import Dimension

LENGTH_SHARE = 0.55
"""Most that length can give."""

HALF_LENGTH = 400.0
"""Words that give half of it: an article one reads in two minutes."""

SUPPORT_WORDS = 200.0
"""Words below which structure, code and the like count in proportion: a list of ten links is no explanation."""

ARGUMENT_SHARE, HALF_ARGUMENT = 0.16, 12.0
CODE_SHARE, HALF_CODE = 0.12, 12.0
STRUCTURE_SHARE, HALF_STRUCTURE = 0.06, 4.0
NUMBERS_SHARE, HALF_NUMBERS = 0.05, 15.0
REFERENCES_SHARE, HALF_REFERENCES = 0.06, 6.0
"""Most that each kind of support can give, and the count that gives half of it."""

VARIETY_SHARE = 0.05
"""Most that lexical variety can give; it is reached at VARIETY_FULL distinct words per word."""

VARIETY_NONE, VARIETY_FULL = 0.40, 0.60
"""Distinct words per word in the first 400: repetitive text lies below the first, good prose at the second."""

LIST_PENALTY = 0.25
"""What a text loses that consists of link texts alone."""

_ARGUMENT = frozenset(ARGUMENT)


class DepthRule:
    """Rates what can be counted in the body."""

    def rate(self, reading: Reading) -> Dimension:
        """Rate the body of a signal."""
        features = reading.features
        own_words = max(0, features.words - features.quoted_words)
        support = min(1.0, own_words / SUPPORT_WORDS)
        _, connectives = _argument_hits(reading)
        rows = [
            (count_label(own_words, "word"), LENGTH_SHARE * saturate(own_words, HALF_LENGTH)),
            (
                count_label(connectives, "word of argument", "words of argument"),
                support * ARGUMENT_SHARE * saturate(connectives, HALF_ARGUMENT),
            ),
            (
                f"{count_label(features.code_blocks, 'code block')} of {count_label(features.code_lines, 'line')}",
                support * CODE_SHARE * saturate(features.code_lines, HALF_CODE),
            ),
            (
                f"{count_label(features.headings, 'heading')}, {count_label(features.list_items, 'list item')}",
                support * STRUCTURE_SHARE * saturate(features.headings + features.list_items / 4, HALF_STRUCTURE),
            ),
            (
                f"{count_label(features.numbers, 'number')}, {count_label(features.table_rows, 'table row')}",
                support * NUMBERS_SHARE * saturate(features.numbers + features.table_rows, HALF_NUMBERS),
            ),
            (
                count_label(len(features.links), "link out", "links out"),
                support * REFERENCES_SHARE * saturate(len(features.links), HALF_REFERENCES),
            ),
            ("varied vocabulary", support * VARIETY_SHARE * _variety(features.distinct_share)),
        ]
        if features.words:
            listed = min(1.0, features.linked_words / features.words)
            rows.append(("mostly a list of links", -support * LIST_PENALTY * max(0.0, listed - 0.25) / 0.75))
        return build_dimension(rows)


def _argument_hits(reading: Reading) -> tuple[int, int]:
    found = [count for term, count in reading.body_hits.items() if term in _ARGUMENT]
    return len(found), sum(found)


def _variety(distinct_share: float) -> float:
    return min(1.0, max(0.0, (distinct_share - VARIETY_NONE) / (VARIETY_FULL - VARIETY_NONE)))
