"""Which form a signal has: an article, a digest of many things, or the announcement of an episode."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intake.scoring.text_features import TextFeatures
    from intake.types import Signal

EPISODE_WORDS = 500
"""An entry with an audio or video file and fewer words than this announces an episode and is not a text."""


class Form(StrEnum):
    """The forms that a title, the name of a source or an enclosure gives away."""

    ARTICLE = "article"  # one text about one thing, the usual case
    DIGEST = "digest"  # a periodical collection of many short items
    EPISODE = "episode"  # something to listen to or watch, with a short text


_DIGEST = re.compile(
    r"\b(?:weekly|weekend|week(?:ly)? (?:in review|\d{1,2})|this week in|newsletter|digest|round-?up|link ?list"
    r"|link dump|links (?:for|of)|news and updates|(?:issue|edition|instalment|volume) #?\d+|changelist"
    r"|monthly (?:report|update)|wochenr(?:ü|ue)ckblick|monatsr(?:ü|ue)ckblick|presseschau"
    r"|linkliste|die woche|ausgabe \d+|kw ?\d{1,2})\b",
    re.IGNORECASE,
)
_EPISODE_TITLE = re.compile(
    r"^(?:#?\d{1,3}(?::| [-\u2013\u2014]) |(?:ep|episode|folge)\.? ?#?\d+)"
    r"|\b(?:podcast|special) #?\d+\b|#\d+ [-\u2013\u2014:] ",
    re.IGNORECASE,
)
_EPISODE_SOURCE = re.compile(r"\b(?:podcast|radio|cast|show)\b|\w{3}cast\b", re.IGNORECASE)
_MEDIA = ("audio/", "video/")


def recognize_form(signal: Signal, features: TextFeatures) -> Form:
    """Tell which form a signal has."""
    has_media = any(media.startswith(_MEDIA) for media in signal.media_types)
    if has_media and features.words < EPISODE_WORDS:
        return Form.EPISODE
    if _EPISODE_TITLE.search(signal.title) or _EPISODE_SOURCE.search(signal.source.title):
        return Form.EPISODE
    if _DIGEST.search(signal.title) or _DIGEST.search(signal.source.title):
        return Form.DIGEST
    return Form.ARTICLE
