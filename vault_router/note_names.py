"""File names for notes: readable, and safe on every system a vault is synced to."""

from __future__ import annotations

import re
import unicodedata

from vault_router.plain_text import visible

EXTENSION = ".md"
FALLBACK = "Untitled"
_NUMBER_ROOM = len(" 12")  # bytes kept free, so that a twin's number rarely costs a word

# Windows forbids * " \ / < > : | ?, and Obsidian cannot link to a name with [ ] # ^ in it.
_REPLACEMENTS = str.maketrans(
    {
        "*": "",
        "?": "",
        "#": "",
        "^": "",
        '"': "'",
        "<": " ",
        ">": " ",
        "[": "(",
        "]": ")",
        "\\": "-",
        "/": "-",
        "|": "-",
    }
)
_COLON_BEFORE_SPACE = re.compile(r":+(?=\s|$)")
_COLONS = re.compile(r":+")
_DEVICES = frozenset(  # https://learn.microsoft.com/windows/win32/fileio/naming-a-file, and the console's own
    {"CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"}
    | {f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789¹²³"}
)


def note_name(title: str, *, max_bytes: int) -> str:
    """Turn a title into the stem of a file name; the same stem for a stem that it made.

    Args:
        title: Any text.
        max_bytes: Longest file name in bytes of UTF-8, extension and a twin's number included; at least 40.

    Returns:
        One path component without extension: NFC, no character that Windows, macOS, Linux or Obsidian forbids,
        nothing invisible, no dot, space or hyphen at an end where it has a meaning, never a Windows device;
        `Untitled` where nothing is left.
    """
    limit = max_bytes - len(EXTENSION) - _NUMBER_ROOM
    spaced = _COLONS.sub("-", _COLON_BEFORE_SPACE.sub(" -", visible(title)))
    stem = _trim(visible(spaced.translate(_REPLACEMENTS)))
    stem = _trim(_cut(stem, limit))
    return _trim(_cut(_defuse_device(stem), limit)) or FALLBACK


def numbered(stem: str, n: int, *, max_bytes: int) -> str:
    """Give a twin its number.

    Args:
        stem: What `note_name` returned.
        n: 1 for the first, which has no number; 2 and so on for the others.
        max_bytes: As for `note_name`.
    """
    if n == 1:
        return stem
    suffix = f" {n}"
    return _trim(_cut(stem, max_bytes - len(EXTENSION) - len(suffix))) + suffix


def folded(name: str) -> str:
    """Return the form under which two names are one file on macOS and Windows."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _trim(stem: str) -> str:
    """Take off what would hide the file, look like an option, hang on nothing, or be lost on Windows."""
    stem = stem.rstrip(". ")
    start = 0
    while start < len(stem) and (stem[start] in ".- " or unicodedata.category(stem[start])[0] == "M"):
        start += 1
    return stem[start:]


def _cut(stem: str, max_bytes: int) -> str:
    """Shorten to a number of bytes, at a space unless that would lose more than half."""
    encoded = stem.encode()
    if len(encoded) <= max_bytes:
        return stem
    kept = encoded[:max_bytes].decode(errors="ignore")
    if stem[len(kept)] == " ":
        return kept
    at_word = kept[: kept.rfind(" ") + 1]
    return at_word if len(at_word.encode()) > max_bytes // 2 else kept


def _defuse_device(stem: str) -> str:
    """Break a device's name, which Windows also sees in front of an extension."""
    base = stem.partition(".")[0].rstrip()
    return f"{base}_{stem[len(base) :]}" if base.upper() in _DEVICES else stem
