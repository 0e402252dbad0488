"""A second filter before hostile text reaches the disk: the vault does not rely on intake having cleaned it."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = "\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufff9-\ufffb"  # hyphens, spaces and operators of no width
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # Unicode bidirectional controls (UAX #9)
_UNWRITABLE = "\ud800-\udfff\ufeff\ufffe\uffff"  # lone surrogates are no UTF-8; byte order mark; noncharacters
_TAG_CHARACTERS = "\U000e0000-\U000e007f"  # invisible copies of ASCII, used to smuggle text
_LINE_BREAKS = re.compile("[\\t\\n\\v\\f\\r\x1c-\x1e\x85\u2028\u2029]")
_HARMFUL = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}{_BIDI}{_UNWRITABLE}{_TAG_CHARACTERS}]")
_INVISIBLE_LETTERS = re.compile(  # Default_Ignorable_Code_Point outside category C, and blanks with a glyph's category
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef]"
)


def one_line(text: str) -> str:
    """Turn line breaks and tabs into spaces, and leave out control, bidi, invisible and unwritable characters.

    Joiners stay: Persian, Indic scripts and emoji need them.
    """
    return _HARMFUL.sub("", _LINE_BREAKS.sub(" ", text))


def many_lines(text: str) -> str:
    """Do the same for a text that keeps its lines and tabs; every line end becomes a line feed."""
    return _HARMFUL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def visible(text: str) -> str:
    """Keep only what has a glyph of its own, in NFC, with single spaces: the text of a file name.

    Beyond `one_line` this leaves out joiners, private and unassigned characters, and letters without a glyph.
    """
    spaced = _INVISIBLE_LETTERS.sub("", one_line(text))
    shown = "".join(c for c in spaced if unicodedata.category(c)[0] != "C")
    return " ".join(unicodedata.normalize("NFC", shown).split())
