"""Addresses: one form to show, and one under which two links to the same page are equal."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from intake.tracking_parameters import address_passed_on, is_tracking

MAX_URL_CHARS = 8_000
"""Longer addresses are refused; RFC 9110, section 4.1, asks for support of 8,000 octets and servers stop near there."""

_WEB_PORTS = {None, 80, 443}
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")  # RFC 3986, 2.3
_SUB_DELIMITERS = frozenset("!$&'()*+,;=")  # RFC 3986, 2.2
_PATH_CHARS = _UNRESERVED | _SUB_DELIMITERS | frozenset(":@/")  # RFC 3986, 3.3
_QUERY_CHARS = _PATH_CHARS | frozenset("?")  # RFC 3986, 3.4
_ESCAPE_OR_CHAR = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_SPACE_OR_CONTROL = "".join(map(chr, range(0x21)))
_NEWLINES = str.maketrans("", "", "\t\r\n")
# What would end an address in running text, or make it look like another one.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})
_UNSAFE_CHARS = frozenset('<>"`\\')


class _Address(NamedTuple):
    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str


def clean_url(url: str, base: str = "") -> str:
    """Make an address fit to show: absolute, without tracking parameters and login data, otherwise as given.

    Args:
        url: Any text.
        base: Address it may be relative to.

    Returns:
        An http or https address without spaces or invisible characters; empty where there is none.
    """
    address = _parse(url, base)
    if address is None:
        return ""
    netloc = address.host if address.port is None else f"{address.host}:{address.port}"
    query = "&".join(part for part in address.query.split("&") if not is_tracking(part))
    fragment = "" if _is_tracking_fragment(address.fragment) else address.fragment
    parts = map(_escape_unsafe, (address.path, query, fragment))
    return urlunsplit((address.scheme, netloc, *parts))


def canonicalize_url(url: str, base: str = "") -> str:
    """Make two links to one page equal; the result is for comparing, not for opening.

    Args:
        url: Any text.
        base: Address it may be relative to.

    Returns:
        An https address in ASCII; empty for what is not http or https. Canonical addresses stay as they are.

    Source:
        RFC 3986, section 6.2.2 (case, percent-encoding, dot segments) and 6.2.3 (default port); dropping `www.`,
        trailing slashes, tracking parameters and fragments and folding http to https are conventions of the web.
    """
    address = _parse(url, base)
    if address is None:
        return ""
    host = address.host
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    netloc = host if address.port in _WEB_PORTS else f"{host}:{address.port}"
    path = _remove_dot_segments(_normalize_escapes(address.path, _PATH_CHARS)).rstrip("/")
    query = _canonical_query(address.query)
    fragment = _canonical_fragment(address.fragment)
    canonical = urlunsplit(("https", netloc, path or "/", query, fragment))
    return canonical if len(canonical) <= MAX_URL_CHARS else ""


def _parse(url: str, base: str) -> _Address | None:
    """Split an address; None for what is no web address."""
    text = url.strip(_SPACE_OR_CONTROL).translate(_NEWLINES)
    if not text or len(text) > MAX_URL_CHARS:
        return None
    if base and len(base) <= MAX_URL_CHARS:
        base = base.strip(_SPACE_OR_CONTROL).translate(_NEWLINES)
    else:
        base = "https:" if text.startswith("//") else ""
    try:
        parts = urlsplit(urljoin(base, _slashes(text)))
        port = parts.port
    except ValueError:  # a broken IPv6 literal, port or host
        return None
    host = _canonical_host(parts.hostname or "")
    if parts.scheme not in {"http", "https"} or not host:
        return None
    passed_on = address_passed_on(host, parts.path, parts.query)
    if passed_on:
        return _parse(passed_on, "")  # shorter each time, so this ends
    return _Address(parts.scheme, host, port, parts.path, parts.query, parts.fragment)


def _slashes(text: str) -> str:
    """Turn backslashes before the query into slashes, as browsers do (WHATWG URL, path state)."""
    end = min((at for at in (text.find("?"), text.find("#")) if at >= 0), default=len(text))
    return text[:end].replace("\\", "/") + text[end:]


def _canonical_host(host: str) -> str:
    """Give a host its ASCII form; empty for what is no host name.

    Source:
        RFC 5891 and RFC 3492 (Punycode) with the compatibility mapping of UTS #46 reduced to NFKC and lower case.
    """
    if ":" in host:
        host = f"[{host}]"
    text = unicodedata.normalize("NFKC", unquote(host).lower()).lower().replace("\u3002", ".")
    if len(text) > 253:  # noqa: PLR2004  longest host name, RFC 1035
        return ""
    labels = [label if label.isascii() else _punycode(label) for label in text.rstrip(".").split(".")]
    joined = ".".join(labels)
    return joined if _HOST.fullmatch(joined) else ""


def _punycode(label: str) -> str:
    try:
        return "xn--" + label.encode("punycode").decode("ascii").lower()
    except UnicodeError:
        return ""


def _normalize_escapes(text: str, allowed: frozenset[str]) -> str:
    """Decode escapes of unreserved characters, write the others in upper case, escape what is not allowed."""

    def normalize(match: re.Match[str]) -> str:
        found = match.group()
        if len(found) == 1:
            return found if found in allowed else _percent(found)
        char = chr(int(found[1:], 16))
        return char if char in _UNRESERVED else found.upper()

    return _ESCAPE_OR_CHAR.sub(normalize, text)


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))


def _escape_unsafe(text: str) -> str:
    return "".join(
        _percent(c) if c in _UNSAFE_CHARS or unicodedata.category(c) in _UNSAFE_CATEGORIES else c for c in text
    )


def _remove_dot_segments(path: str) -> str:
    """Resolve `.` and `..` (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept)


def _canonical_query(query: str) -> str:
    """Sort by name; values of a repeated name keep their order, which may mean something."""
    parts = [part for part in query.split("&") if part and not is_tracking(part)]
    normal = [_normalize_escapes(part.replace("+", "%20"), _QUERY_CHARS) for part in parts]
    return "&".join(sorted(normal, key=lambda part: part.partition("=")[0]))


def _canonical_fragment(fragment: str) -> str:
    """Keep the routes of single-page sites (`#!/post/1`, `#/post/1`); other fragments name a place in the page."""
    if not fragment.startswith(("!", "/")) or len(fragment.strip("!/")) == 0:
        return ""
    return _normalize_escapes(fragment, _QUERY_CHARS)


def _is_tracking_fragment(fragment: str) -> bool:
    """Recognise `#utm_source=rss` and text fragments (`#:~:text=`), which name no place of the page."""
    if fragment.startswith(":~:"):
        return True
    return bool(fragment) and all(is_tracking(part) for part in fragment.split("&"))
