"""Credentials told by the name they are assigned to: `password: …`, `API_KEY=…`, `"token": "…"`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from retrieval.credentials.plausibility import is_placeholder, is_uuid, looks_random
from retrieval.credentials.types import Detector

if TYPE_CHECKING:
    from collections.abc import Callable

    from retrieval.credentials.types import Gate

_SEPARATOR = r"""["'\]]{0,2}[ \t]{0,20}(?::=|=>|=|:)[ \t]{0,4}["']?"""


def _value(bare: str) -> str:
    """Return the pattern of a value: quoted, or made of what `bare` matches."""
    return (
        r"""(?P<secret>(?<=")[^"\s]{6,500}+(?=")|(?<=')[^'\s]{6,500}+(?=')"""
        rf"""|(?<!["']){bare}{{6,500}}+(?=[\s"',;<)\]}}|&]|\Z))"""
    )


_PASSWORD_VALUE = _value(r"""[^\s"'`,;<>()\[\]{}|]""")
_SECRET_VALUE = _value(r"""[^\s"'`,;<>()\[\]{}|&]""")  # `&` ends a field of an address
_PASSPHRASE = r"(?i:pass(?:word|wort|wd|phrase)|pwd|kennwort)(?i:[_-]?(?:value|string))?\d{0,2}"  # noqa: S105  a pattern of names
_TOKEN = r"(?i:token|secret)(?i:[_-]?(?:key|value|string|token))?\d{0,2}"  # noqa: S105  same
_KEY = r"(?i:key)(?i:[_-]?(?:value|string|secret))?\d{0,2}"
_CREDENTIAL = r"(?i:credential)\d{0,2}"

_KEY_GATE = re.compile(rb"key[a-z0-9_\"'\]-]{0,10}[ \t]{0,20}[:=]")

_NAME_CHARS = 40
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_. -]*\Z")
_HARMLESS_NAME = re.compile(r"public|csrf|xsrf|next|continuation|page|sync|not_|hash|cache|primary|sort", re.IGNORECASE)
_API_NAME = re.compile(r"(?:api|access|secret)[_ -]?\Z", re.IGNORECASE)
_CIPHER_NAME = re.compile(
    r"(?:private|encryption|encrypt|signing|master|auth|authentication|shared|license|hmac|cipher|crypto|account)"
    r"[_ -]?\Z",
    re.IGNORECASE,
)

_MIN_SECRET_CHARS = 10
_MIN_SECRET_ENTROPY = 2.8
_MIN_KEY_CHARS = 32
_MIN_KEY_ENTROPY = 3.2
_PASSWORD_WORDS = ("passw", "ssword", "test", "secret", "kennwort")
_PASSWORD_SIGNS = frozenset("!@#$%^&*+=?~§")
_PATH_STARTS = ("/", "./", "../", "~/", "\\")


def _name_before(match: re.Match[str]) -> str:
    """Return the part of the name that stands before the word the match begins with."""
    found = _NAME_BEFORE.search(match.string, max(0, match.start() - _NAME_CHARS), match.start())
    return found[0] if found else ""


def _is_named_harmlessly(match: re.Match[str]) -> bool:
    return _HARMLESS_NAME.search(_name_before(match)) is not None


def _is_elsewhere(value: str) -> bool:
    """Tell whether a value is a path or an address, which leads to a secret but is none."""
    return value.startswith(_PATH_STARTS) or "://" in value


def _is_password(match: re.Match[str]) -> bool:
    secret = match["secret"]
    if is_placeholder(secret) or _is_elsewhere(secret) or _is_named_harmlessly(match):
        return False
    if any(word in secret.lower() for word in _PASSWORD_WORDS) or not any(map(str.isalpha, secret)):
        return False
    return any(map(str.isdigit, secret)) or not _PASSWORD_SIGNS.isdisjoint(secret)


def _is_attribute_password(match: re.Match[str]) -> bool:
    secret = match["secret"]
    return not is_placeholder(secret) and not (secret.startswith("%") and secret.endswith("%"))


def _is_secret(match: re.Match[str]) -> bool:
    secret = match["secret"]
    if len(secret) < _MIN_SECRET_CHARS or is_placeholder(secret) or _is_elsewhere(secret) or is_uuid(secret):
        return False
    return not _is_named_harmlessly(match) and looks_random(secret, min_entropy=_MIN_SECRET_ENTROPY)


def _is_api_key(match: re.Match[str]) -> bool:
    """Accept what `_is_secret` does, and UUIDs, which headers such as `X-ApiKey` carry as keys."""
    if _API_NAME.search(_name_before(match)) is None:
        return False
    return _is_secret(match) or is_uuid(match["secret"])


def _is_long_secret(match: re.Match[str]) -> bool:
    secret = match["secret"]
    return len(secret) >= _MIN_KEY_CHARS and looks_random(secret, min_entropy=_MIN_KEY_ENTROPY) and _is_secret(match)


def _is_cipher_key(match: re.Match[str]) -> bool:
    return _CIPHER_NAME.search(_name_before(match)) is not None and _is_long_secret(match)


def _detector(
    name: str,
    anchors: tuple[str, ...],
    pattern: str,
    accept: Callable[[re.Match[str]], bool],
    gates: tuple[Gate, ...] = (),
) -> Detector:
    return Detector(name, gates or anchors, pattern, folded=True, anchors=anchors, accept=accept)


_ATTRIBUTE = r"""(?i:password["'][ \t]{1,4}value=)["'](?P<secret>[^"'<>\s]{8,200})(?=["'])"""

ASSIGNMENT_DETECTORS: tuple[Detector, ...] = (
    _detector(
        "password-assignment", ("pass", "pwd", "kennwort"), _PASSPHRASE + _SEPARATOR + _PASSWORD_VALUE, _is_password
    ),
    _detector("password-assignment", ("pass",), _ATTRIBUTE, _is_attribute_password),
    _detector("secret-assignment", ("token", "secret"), _TOKEN + _SEPARATOR + _SECRET_VALUE, _is_secret),
    _detector("secret-assignment", ("key",), _KEY + _SEPARATOR + _SECRET_VALUE, _is_api_key, (_KEY_GATE,)),
    _detector("high-entropy-key", ("key",), _KEY + _SEPARATOR + _SECRET_VALUE, _is_cipher_key, (_KEY_GATE,)),
    _detector("high-entropy-key", ("credential",), _CREDENTIAL + _SEPARATOR + _SECRET_VALUE, _is_long_secret),
)
