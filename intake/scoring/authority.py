"""Authority: how far the source can be trusted on what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from intake.scoring.cues import GRAVEL, OWN_WORK, PROMOTION, SECOND_HAND, Gravel
from intake.scoring.evidence import build_dimension, count_label, saturate
from intake.scoring.forms import Form
from intake.scoring.text_features import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from intake.scoring.reading import Reading
    from intake.types import Dimension

BASE = 0.42
"""A source the owner subscribed to, of which nothing else is known."""

NAMED_AUTHOR = 0.03
"""A person stands behind the text."""

OWN_SITE = 0.10
"""The entry lies on the site of its source: it speaks for itself."""

FOREIGN_SITE = -0.08
"""The entry lies elsewhere: the source passes on what others wrote."""

SECURE = 0.02
INSTITUTION = 0.15
"""An address of a university, an authority, a documentation, a research or developer site."""

NAMED_INSTITUTION = 0.15
"""The same by the name of the source."""

FORM_PENALTY = {Form.ARTICLE: 0.0, Form.DIGEST: 0.12, Form.EPISODE: 0.15}
"""What a digest loses, as it passes on what others did, and an episode, as nothing in it can be checked."""

OWN_WORK_SHARE, HALF_OWN_WORK = 0.15, 2.0
SECOND_HAND_SHARE, HALF_SECOND_HAND = 0.15, 2.0
PROMOTION_SHARE, HALF_PROMOTION = 0.30, 3.0
"""Most that phrases about own work give, and reporting at second hand or promotion takes, and the count for half."""

TEXT_SHARE, HALF_TEXT = 0.15, 300.0
"""Most that an original text gives, and the words that give half."""

TECHNICAL_SHARE, HALF_TECHNICAL = 0.10, 2.0
"""Most that code and data to check the claims with give."""

GRAVEL_SHARE, HALF_GRAVEL = 0.40, 3.0
"""Most that words of adverts, gossip and small talk take."""

STUB_WORDS = 40
STUB_CAP = 0.60
"""A name without text earns no more than this: there is nothing to trust yet."""

_INSTITUTION = re.compile(
    r"(?:^|\.)(?:edu|gov|mil|int)(?:\.[a-z]{2})?$|(?:^|\.)ac\.[a-z]{2}$|\.gv\.at$|\.admin\.ch$"
    r"|^(?:docs?|documentation|research|developers?|engineering|standards|spec|kernel)\."
)
_INSTITUTION_NAME = re.compile(
    r"\b(?:research|engineering|publications|papers|institut[eo]?|laborator(?:y|ies)|universit(?:y|ät)|journal|developers?"
    r"|documentation|standards|security team|foundation|forschung|archive|entwickler)\b",
    re.IGNORECASE,
)
_NO_PERSON = frozenset(
    {"admin", "administrator", "editor", "staff", "team", "redaktion", "webmaster", "unknown", "anonymous"}
)
_OWN_WORK, _SECOND_HAND, _PROMOTION = frozenset(OWN_WORK), frozenset(SECOND_HAND), frozenset(PROMOTION)
_GRAVEL = frozenset(term for kind, terms in GRAVEL.items() for term in terms if kind is not Gravel.LOCAL)


class AuthorityRule:
    """Rates the source by the owner's table, and otherwise by what can be seen of it.

    Args:
        reputation: Host names without `www.` and their reputation from 0 to 1; a host speaks for its subdomains.
    """

    def __init__(self, reputation: Mapping[str, float]) -> None:
        self._reputation = {host.lower().removeprefix("www."): share for host, share in reputation.items()}

    def rate(self, reading: Reading) -> Dimension:
        """Rate a signal."""
        known = self._known(host_of(reading.signal.url)) or self._known(host_of(reading.signal.source.link))
        if known is not None:
            host, share = known
            return build_dimension([(f"your table gives {host} {share:g}", share), *_doubt_rows(reading)])
        rows = [("a source you take in", BASE), *_place_rows(reading), *_text_rows(reading), *_doubt_rows(reading)]
        total = sum(amount for _, amount in rows)
        if reading.features.words < STUB_WORDS and total > STUB_CAP:
            rows.append(("a name without a text", STUB_CAP - total))
        return build_dimension(rows)

    def _known(self, host: str) -> tuple[str, float] | None:
        while host:
            if host in self._reputation:
                return host, self._reputation[host]
            host = host.partition(".")[2]
        return None


def _place_rows(reading: Reading) -> list[tuple[str, float]]:
    signal = reading.signal
    host, home = host_of(signal.url), host_of(signal.source.link) or host_of(signal.source.key)
    rows = []
    author = signal.author.strip().lower()
    if author and author not in _NO_PERSON and author != signal.source.title.strip().lower():
        rows.append(("a named author", NAMED_AUTHOR))
    if host and home:
        own = host == home or host.endswith(f".{home}") or home.endswith(f".{host}")
        rows.append(("on the source's own site", OWN_SITE) if own else (f"passed on from {host}", FOREIGN_SITE))
    if signal.url.startswith("https:"):
        rows.append(("a secure address", SECURE))
    if _INSTITUTION.search(host):
        rows.append((f"{host} is an institution, a documentation or a developer site", INSTITUTION))
    elif name := _INSTITUTION_NAME.search(signal.source.title):
        rows.append((f"'{name[0]}' in the name of the source", NAMED_INSTITUTION))
    rows.append((f"{reading.form}, not an article", -FORM_PENALTY[reading.form]))
    return rows


def _text_rows(reading: Reading) -> list[tuple[str, float]]:
    features = reading.features
    original = max(0, features.words - features.quoted_words)
    own, _ = reading.count(_OWN_WORK)
    checkable = features.code_blocks + features.inline_code / 5 + features.table_rows / 5
    return [
        (count_label(original, "original word"), TEXT_SHARE * saturate(original, HALF_TEXT)),
        (
            count_label(own, "phrase about own work", "phrases about own work"),
            OWN_WORK_SHARE * saturate(own, HALF_OWN_WORK),
        ),
        ("code or data to check it with", TECHNICAL_SHARE * saturate(checkable, HALF_TECHNICAL)),
    ]


def _doubt_rows(reading: Reading) -> list[tuple[str, float]]:
    second, _ = reading.count(_SECOND_HAND)
    promotions, _ = reading.count(_PROMOTION)
    gravel, _ = reading.count(_GRAVEL)
    return [
        (
            count_label(second, "phrase of second-hand reporting", "phrases of second-hand reporting"),
            -SECOND_HAND_SHARE * saturate(second, HALF_SECOND_HAND),
        ),
        (count_label(promotions, "promotional phrase"), -PROMOTION_SHARE * saturate(promotions, HALF_PROMOTION)),
        (
            count_label(gravel, "word of gossip, shopping or leisure", "words of gossip, shopping or leisure"),
            -GRAVEL_SHARE * saturate(gravel, HALF_GRAVEL),
        ),
    ]
