"""Telling a credential from what stands in its place: placeholders, names, words."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from retrieval.credentials.types import MARKER, secret_of

_LONGEST_RUN = 5
_MASKED = re.compile(rf"([^\W_]|[*.#•-])\1{{{_LONGEST_RUN - 1}}}")
_SEQUENCES = ("12345678", "23456789", "abcdefgh", "bcdefghi")
_TEMPLATE_SIGNS = ("${", "{{", "}}", "<%", "%>", "$(", "%(", "...", "…", "***", MARKER)
_TEMPLATE_STARTS = ("$", "<", "{", "%", "@", "#{", "[", ":")
_TEMPLATE = re.compile(r"\{[^{}]{0,100}\}")
_STAND_INS = (
    "example", "placeholder", "changeme", "change_me", "your", "insert", "dummy", "sample", "redacted", "replace",
    "apikey", "api_key", "api-key",
)  # fmt: skip
_WEAK = frozenset(
    "pass passwd password passwort pwd pw secret token test user username admin root guest foo bar none null true "
    "false undefined string value default mypass mypassword passphrase key credentials".split()
)

_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CLASSES = (str.isupper, str.islower, str.isdigit)

_MIN_CHANGES = 0.25
"""Changes between upper case, lower case and digits per character. Random letters and digits have about .6,
hexadecimal digits .45, names in camel case below .25. Our choice."""


def is_placeholder(value: str) -> bool:
    """Tell whether a value only shows where a credential would go."""
    if value.startswith(_TEMPLATE_STARTS) or any(sign in value for sign in _TEMPLATE_SIGNS):
        return True
    lowered = value.lower()
    return (
        lowered.strip("'\"<>()") in _WEAK
        or any(word in lowered for word in (*_STAND_INS, *_SEQUENCES))
        or _MASKED.search(lowered) is not None
        or _TEMPLATE.search(value) is not None
    )


def is_masked(value: str) -> bool:
    """Tell whether a value is blanked out by a run of one character, or ends like a documentation key."""
    return "EXAMPLE" in value or MARKER in value or _MASKED.search(value) is not None


def is_uuid(value: str) -> bool:
    """Tell whether a value is a UUID, which names things far more often than it opens them."""
    return _UUID.fullmatch(value) is not None


def entropy(value: str) -> float:
    """Return the Shannon entropy of the characters of a value, in bits per character."""
    length = len(value)
    return -sum(n / length * math.log2(n / length) for n in Counter(value).values()) if value else 0.0


def looks_random(value: str, *, min_entropy: float) -> bool:
    """Tell whether a value was drawn by a machine rather than composed of words.

    Args:
        value: Text without white space.
        min_entropy: Bits per character it must have at least.
    """
    if sum(map(str.isdigit, value)) < 2 or not any(map(str.isalpha, value)):  # noqa: PLR2004  one digit ends many a name
        return False
    kinds = [next((index for index, is_kind in enumerate(_CLASSES) if is_kind(char)), -1) for char in value]
    changes = sum(left != right for left, right in pairwise(kinds))
    return changes >= _MIN_CHANGES * len(value) and entropy(value) >= min_entropy


def unmasked(match: re.Match[str]) -> bool:
    """Accept a token of a vendor's shape unless it is blanked out."""
    return not is_masked(secret_of(match))
