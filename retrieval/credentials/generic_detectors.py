"""Credentials told by where they stand: in an address, a header, an assignment, a block."""

from __future__ import annotations

import base64
import binascii
import json
import re

from retrieval.credentials.plausibility import entropy, is_placeholder, is_uuid, looks_random
from retrieval.credentials.types import Detector, secret_of

_DATABASE_SCHEMES = frozenset(
    "postgres postgresql mysql mariadb mongodb redis rediss amqp amqps mssql sqlserver oracle clickhouse couchdb "
    "cockroachdb cassandra neo4j bolt memcached influxdb".split()
)
_SCHEME_BEFORE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,29}\Z")
_SCHEME_CHARS = 30

_USER_INFO = r"""://(?P<user>[^\s:/?#@"'<>`\[\]]{0,100}):(?P<secret>[^\s/?#"'<>`\[\]]{1,200})@(?=[A-Za-z0-9\[$])"""
_MIN_URL_PASSWORD = 3


def _scheme(match: re.Match[str]) -> str:
    before = match.string[max(0, match.start() - _SCHEME_CHARS) : match.start()]
    found = _SCHEME_BEFORE.search(before)
    return found[0].lower().partition("+")[0] if found else ""


def _stands_for_password(match: re.Match[str]) -> bool:
    """Recognise `user:password@`, and `postgres:postgres@` as every service has it before it is set up."""
    secret = match["secret"]
    return is_placeholder(secret) or "ssword" in secret.lower() or secret == match["user"]


def _is_url_password(match: re.Match[str]) -> bool:
    secret = match["secret"]
    return len(secret) >= _MIN_URL_PASSWORD and not _stands_for_password(match)


def _in_database_url(match: re.Match[str]) -> bool:
    return _scheme(match) in _DATABASE_SCHEMES and len(match["secret"]) > 1 and not _stands_for_password(match)


def _in_other_url(match: re.Match[str]) -> bool:
    return _scheme(match) not in {"", *_DATABASE_SCHEMES} and _is_url_password(match)


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _is_json_object(part: str) -> bool:
    try:
        return isinstance(json.loads(_decode(part)), dict)
    except (ValueError, RecursionError):
        return False


def _is_jwt(match: re.Match[str]) -> bool:
    return _is_json_object(match["header"]) and _is_json_object(match["payload"])


_MIN_BEARER_ENTROPY = 3.0


def _is_bearer(match: re.Match[str]) -> bool:
    secret = secret_of(match)
    return not is_placeholder(secret) and looks_random(secret, min_entropy=_MIN_BEARER_ENTROPY)


def _is_basic(match: re.Match[str]) -> bool:
    """Accept base64 of `user:password`; the pair of RFC 7617's example is known to everybody."""
    try:
        user, colon, password = _decode(match["secret"].rstrip("=")).decode().partition(":")
    except UnicodeDecodeError:
        return False
    if not colon or not user or not (user + password).isprintable() or user.lower() == "aladdin":
        return False
    return not (is_placeholder(user) and is_placeholder(password))


_MIN_CURL_PASSWORD = 6
_CURL_REACH = 400
"""Characters between `curl` and its option `-u`."""
_LINE_END = re.compile(r"(?<!\\)\n")


def _is_curl_option(match: re.Match[str]) -> bool:
    text, at = match.string, match.start()
    command = text.rfind("curl ", max(0, at - _CURL_REACH), at)
    return command >= 0 and _LINE_END.search(text, command, at) is None


def _is_curl_password(match: re.Match[str]) -> bool:
    secret = match["secret"]
    if len(secret) < _MIN_CURL_PASSWORD or secret.isdigit() or is_placeholder(secret):
        return False
    return _is_curl_option(match)


def _is_curl_user(match: re.Match[str]) -> bool:
    """Accept an API key in the place of the user, which services that want no password ask for."""
    secret = match["secret"]
    if is_placeholder(secret) or not (any(map(str.isdigit, secret)) and any(map(str.isupper, secret))):
        return False
    return _is_curl_option(match)


_CURL_USER = r"""(?<=[\s-])-u(?:ser)?[ =]{1,2}["']?"""

_PEM_BEGIN = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM_END = r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_KEY_MATERIAL = re.compile(r"[A-Za-z0-9+/=]{30}")


def _holds_key_material(match: re.Match[str]) -> bool:
    return _KEY_MATERIAL.search(match[0], match[0].find("-----", 5) + 5) is not None


_MIN_MANIFEST_ENTROPY = 3.0
_MIN_MANIFEST_CHARS = 12


def _is_manifest_value(match: re.Match[str]) -> bool:
    secret = match["secret"]
    if len(secret) < _MIN_MANIFEST_CHARS or len(secret) % 4 or not _decode(secret.rstrip("=")):
        return False
    mixed = all(any(map(kind, secret)) for kind in (str.isupper, str.islower, str.isdigit))
    return (mixed or secret.endswith("=")) and entropy(secret) >= _MIN_MANIFEST_ENTROPY


_MIN_SESSION_ENTROPY = 3.5


def _is_session(match: re.Match[str]) -> bool:
    secret = match["secret"]
    return not is_placeholder(secret) and not is_uuid(secret) and looks_random(secret, min_entropy=_MIN_SESSION_ENTROPY)


GENERIC_DETECTORS: tuple[Detector, ...] = (
    Detector("database-url", ("://",), _USER_INFO, shape="@", anchors=("://",), accept=_in_database_url),
    Detector("url-credentials", ("://",), _USER_INFO, shape="@", anchors=("://",), accept=_in_other_url),
    Detector(
        "jwt",
        ("eyJ",),
        r"(?<![A-Za-z0-9_-])(?P<header>eyJ[A-Za-z0-9_-]{10,2000}+)\.(?P<payload>eyJ[A-Za-z0-9_-]{6,8000}+)"
        r"(?:\.[A-Za-z0-9_-]{10,2000}+)?",
        accept=_is_jwt,
    ),
    Detector(
        "bearer-token",
        ("bearer",),
        r"(?i:bearer)[ \t]{1,4}(?P<secret>[A-Za-z0-9_.~+/=-]{16,4000}+)",
        folded=True,
        anchors=("bearer",),
        accept=_is_bearer,
    ),
    Detector(
        "bearer-token",
        ("authorization",),
        r"""(?i:authorization)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?i:(?:token|bearer|apikey|key)[ \t]{1,4})?"""
        r"""(?P<secret>[A-Za-z0-9_.~+/=@-]{16,4000}+)(?=["']|[ \t]{0,4}\r?(?:\n|\Z))""",
        folded=True,
        anchors=("authorization",),
        accept=_is_bearer,
    ),
    Detector(
        "basic-auth",
        ("basic ",),
        r"(?i:basic)[ \t]{1,4}(?P<secret>[A-Za-z0-9+/_-]{8,2000}+={0,2})",
        folded=True,
        anchors=("basic ",),
        accept=_is_basic,
    ),
    Detector(
        "basic-auth",
        ("-u",),
        _CURL_USER + r"""[^\s:"'$<{]{1,100}:["']?(?P<secret>[^\s"'$<{]{1,200})""",
        shape="curl ",
        anchors=("-u",),
        accept=_is_curl_password,
    ),
    Detector(
        "basic-auth",
        ("-u",),
        _CURL_USER + r"""(?P<secret>[^\s:"'$<{]{10,100}):["'\s]""",
        shape="curl ",
        anchors=("-u",),
        accept=_is_curl_user,
    ),
    Detector(
        "session-cookie",
        ("sess",),
        r"(?i:sess(?:ion)?(?:[_-]?(?:id|token|key))?)=(?P<secret>[A-Za-z0-9%._+/-]{20,1000}+)",
        folded=True,
        anchors=("sess",),
        accept=_is_session,
    ),
    Detector(
        "private-key",
        ("PRIVATE KEY",),
        rf"{_PEM_BEGIN}(?:(?:[^-]|-(?!----)){{40,20000}}+{_PEM_END}|(?:\s{{1,20}}[A-Za-z0-9+/=]{{16,100}}){{1,400}}+)",
        accept=_holds_key_material,
    ),
    Detector(
        "kubernetes-secret",
        ("kind:",),
        r"(?m)^[ \t]+[\w.-]{1,100}:[ \t]+(?:[>|][+-]?[ \t]*\n[ \t]+)?[\"']?"
        r"(?P<secret>[A-Za-z0-9+/]{10,100000}+={0,2})[\"']?[ \t\r]*$",
        folded=True,
        shape="secret",
        requires=r"(?im)^[ \t]*kind:[ \t]*[\"']?secret[\"']?[ \t\r]*$",
        accept=_is_manifest_value,
    ),
)
"""Detectors that look at more than names; those of assignments are in `assignments`."""
