"""Names that are more than their letters: `C++`, `_rrf_fuse`, `38.101`, `std::vector`, `requestAnimationFrame`.

The tokenizer of FTS5 knows letters and digits alone. A name is indexed a second time with its punctuation written as
private-use characters, which count as letters: whoever types the name finds the name.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 64
"""Characters of a name; what is longer is an address or data. Our choice."""

_RUN = re.compile(r"[\w.+#:/@\\-]+")
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PUNCTUATION = "_.+#:/@\\-"
_TO_LETTERS = str.maketrans({sign: chr(0xE100 + ord(sign)) for sign in _PUNCTUATION})
_OPENING = "-+:/@\\#"
_CLOSING = "-.:/@\\"


def identifiers(text: str) -> list[str]:
    """Return the names in a text as they are indexed, each once, in order.

    A name has punctuation inside (`foo/bar.py`), or begins with a dot or underscore (`.NET`), or ends with `++` or `#`.
    """
    return list(dict.fromkeys(token for run in text.split() if not run.isalnum() for token in _names(run)))


def camel_parts(runs: Iterable[str]) -> str:
    """Return the parts of every word in camel case among the words of a text, in an order of their own.

    Args:
        runs: What stands between spaces.
    """
    words = {word for run in runs for word in _camel_words(run)}
    return " ".join(part for word in sorted(words) for part in _CAMEL.findall(word))


def name_tokens(runs: set[str]) -> str:
    """Return everything that is indexed for the names among the words of a text.

    Args:
        runs: What stands between spaces, each once; the order of the result does not depend on theirs.
    """
    found: set[str] = set()
    for run in runs:
        if not run.isalnum():
            found.update(_names(run))
    return " ".join(sorted(found))


def split_camel(text: str) -> tuple[str, ...]:
    """Return the parts of the words in camel case in a run of text: `readHTTP` and `IL10` have two each."""
    return tuple(part for word in _camel_words(text) for part in _CAMEL.findall(word))


@lru_cache(maxsize=1 << 16)
def _camel_words(run: str) -> tuple[str, ...]:
    if len(run) > LONGEST * 4:
        return ()
    words = (word for word in _WORD.findall(run) if not (word.islower() or word[1:].islower()))
    return tuple(word for word in words if len(_CAMEL.findall(word)) > 1)


@lru_cache(maxsize=1 << 16)
def _names(run: str) -> tuple[str, ...]:
    if len(run) > LONGEST * 4 or "://" in run:
        return ()
    names: list[str] = []
    for match in _RUN.finditer(run):
        name = _trimmed(match.group())
        names.append(name)
        if name.startswith("_") and name.endswith("_"):
            names.append(_trimmed(name.strip("_")))
    return tuple(name.lower().translate(_TO_LETTERS) for name in names if _is_name(name))


def _trimmed(name: str) -> str:
    """Leave out the punctuation of the sentence around a name."""
    name = name.lstrip(_OPENING)
    name = name if name[:1] == "." and name[1:2].isalnum() else name.lstrip("." + _OPENING)
    name = name.rstrip(_CLOSING)
    bare = name.rstrip("+#")
    return name if name[len(bare) :] in {"", "++", "#"} else bare


def _is_name(name: str) -> bool:
    return 1 < len(name) <= LONGEST and not name.isalnum() and any(map(str.isalnum, name))
