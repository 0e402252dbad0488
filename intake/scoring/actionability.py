"""Actionability: whether something can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intake.scoring.cues import ANNOUNCEMENT, CHANGE, HOW_TO, INSTRUCTION, PROMOTION, TECHNIQUE
from intake.scoring.evidence import build_dimension, count_label, saturate
from intake.scoring.forms import Form

if TYPE_CHECKING:
    from intake.scoring.reading import Reading
    from intake.types import Dimension

CODE_SHARE, HALF_CODE = 0.34, 1.0
"""Most that code blocks can give, and the number that gives half."""

SHELL_SHARE, HALF_SHELL = 0.10, 2.0
INLINE_SHARE, HALF_INLINE = 0.14, 5.0
STEPS_SHARE, HALF_STEPS = 0.12, 4.0
"""The same for commands of a shell, for inline code and for numbered steps."""

TITLE_HOW_TO = 0.18
"""What a title gives that promises instructions."""

BODY_HOW_TO, HALF_HOW_TO = 0.06, 2.0
INSTRUCTION_SHARE, TECHNIQUE_SHARE = 0.24, 0.22
"""Most that words of instruction and of technique can give."""

RATE_NONE, RATE_FULL = 1.0, 6.0
"""Such words per 100 words of prose: below the first as in any text, at the second as in a manual."""

RATE_WORDS = 120.0
"""Words below which a rate says little and counts in proportion."""

CHANGE_SHARE, HALF_CHANGE = 0.14, 3.0
"""Most that distinct words about releases and changes can give."""

PROMOTION_SHARE, HALF_PROMOTION = 0.5, 3.0
"""Most that distinct promotional phrases can take away."""

TITLE_ANNOUNCEMENT = 0.12
"""What a title takes away that only announces: there is nothing to do yet but to take note."""

FORM_PENALTY = {Form.ARTICLE: 0.0, Form.DIGEST: 0.25, Form.EPISODE: 0.25}
"""What a digest and an episode lose: their verbs tell what others did."""

_HOW_TO, _INSTRUCTION, _TECHNIQUE = frozenset(HOW_TO), frozenset(INSTRUCTION), frozenset(TECHNIQUE)
_CHANGE, _PROMOTION, _ANNOUNCEMENT = frozenset(CHANGE), frozenset(PROMOTION), frozenset(ANNOUNCEMENT)


class ActionabilityRule:
    """Rates commands, code, instructions, techniques and changes."""

    def rate(self, reading: Reading) -> Dimension:
        """Rate a signal."""
        return build_dimension([*_code_rows(reading), *_word_rows(reading), *_form_rows(reading)])


def _code_rows(reading: Reading) -> list[tuple[str, float]]:
    features = reading.features
    return [
        (count_label(features.code_blocks, "code block"), CODE_SHARE * saturate(features.code_blocks, HALF_CODE)),
        (
            count_label(features.shell_lines, "shell command"),
            SHELL_SHARE * saturate(features.shell_lines, HALF_SHELL),
        ),
        (
            count_label(features.inline_code, "piece of inline code", "pieces of inline code"),
            INLINE_SHARE * saturate(features.inline_code, HALF_INLINE),
        ),
        (
            count_label(features.ordered_items, "numbered step"),
            STEPS_SHARE * saturate(features.ordered_items, HALF_STEPS),
        ),
    ]


def _word_rows(reading: Reading) -> list[tuple[str, float]]:
    how_to, _ = reading.count(_HOW_TO)
    promises = sorted(term for term in reading.title_hits if term in _HOW_TO)
    _, instructions = reading.count(_INSTRUCTION)
    _, techniques = reading.count(_TECHNIQUE)
    changes, _ = reading.count(_CHANGE)
    promotions, _ = reading.count(_PROMOTION)
    rows = [
        (count_label(how_to, "how-to phrase"), BODY_HOW_TO * saturate(how_to, HALF_HOW_TO)),
        (
            count_label(instructions, "word of instruction", "words of instruction"),
            INSTRUCTION_SHARE * _rate(reading, instructions),
        ),
        (
            count_label(techniques, "word of technique", "words of technique"),
            TECHNIQUE_SHARE * _rate(reading, techniques),
        ),
        (
            count_label(changes, "phrase about a release or change", "phrases about a release or change"),
            CHANGE_SHARE * saturate(changes, HALF_CHANGE),
        ),
        (
            count_label(promotions, "promotional phrase"),
            -PROMOTION_SHARE * saturate(promotions, HALF_PROMOTION),
        ),
    ]
    if promises:
        rows.append((f"'{promises[0]}' in the title", TITLE_HOW_TO))
    announced = sorted(term for term in reading.title_hits if term in _ANNOUNCEMENT)
    if announced:
        rows.append((f"'{announced[0]}' in the title", -TITLE_ANNOUNCEMENT))
    return rows


def _form_rows(reading: Reading) -> list[tuple[str, float]]:
    return [(f"{reading.form}, not an article", -FORM_PENALTY[reading.form])]


def _rate(reading: Reading, count: int) -> float:
    """Return how far a count per 100 words lies between an ordinary text and a manual."""
    words = reading.features.words
    if not words:
        return 0.0
    rate = (100.0 * count / words - RATE_NONE) / (RATE_FULL - RATE_NONE)
    return min(1.0, max(0.0, rate)) * min(1.0, words / RATE_WORDS)
