"""What tokens of different vendors have in common: boundaries, gates and checks."""

from __future__ import annotations

import re

from retrieval.credentials.plausibility import unmasked
from retrieval.credentials.types import secret_of

_SHORT_PREFIX = len("AKC")
_RUNNER_PREFIX = len("GR1348941")

START = r"(?<![A-Za-z0-9])"
END = r"(?![A-Za-z0-9])"
END_OF_WORD = r"(?![A-Za-z0-9_-])"


def unmasked_or_small_x(match: re.Match[str]) -> bool:
    """Accept a token with a digit, or one masked by small `x`."""
    # JFrog's and Twilio's shapes have nothing but a short prefix and a length; a token masked by small `x` keeps both,
    # and losing a mask costs nobody anything. What must stay is the word that happens to begin like a token.
    body = secret_of(match)[_SHORT_PREFIX:]
    return body.strip("x") == "" or (unmasked(match) and any(map(str.isdigit, body)))


def has_letters_and_digits(match: re.Match[str]) -> bool:
    """Accept a token whose body behind nine characters of prefix is neither a word nor a number."""
    body = secret_of(match)[_RUNNER_PREFIX:]
    return unmasked(match) and any(map(str.isalpha, body)) and any(map(str.isdigit, body))


def not_hexadecimal(match: re.Match[str]) -> bool:
    """Accept what uses more of its alphabet than a hash of the same length would."""
    return unmasked(match) and re.fullmatch(r"[0-9a-fA-F]+", secret_of(match)) is None


# What tokens have in common, so that most texts are done after four looks instead of thirty.
AFTER_UNDERSCORE = re.compile(rb"_[A-Za-z0-9]{16}")
AFTER_HYPHEN = re.compile(rb"-[A-Za-z0-9_-]{20}")
AFTER_DOT = re.compile(rb"\.[A-Za-z0-9_-]{20}")
AFTER_CAPITAL_A = re.compile(
    rb"A(?:[A-Z0-9]{19}|BSK[A-Za-z0-9+/]{100}|IzaSy[A-Za-z0-9_-]{33}|ccountKey=|KC[A-Za-z0-9]{10}|P[0-9A-F][A-Za-z0-9]{10})"
)


def gate(pattern: str) -> re.Pattern[bytes]:
    """Compile a gate that is more than a literal."""
    return re.compile(pattern.encode())
