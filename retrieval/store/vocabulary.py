"""The long words of German notes, so that a part of a compound finds it.

A word stays when the last note that held it goes: looked for, it finds nothing, and a full index run forgets it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from retrieval.language.compounds import compounds_with, part_of
from retrieval.language.german import german_token, is_german

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

_MOST_CANDIDATES = 400
"""Words that are looked at for one part. Our choice: more than this hold the letters by chance."""


def add_words(connection: apsw.Connection, words: Iterable[str]) -> None:
    """Remember folded long words; those known already cost one look-up each."""
    for word in sorted(words):
        connection.execute("INSERT OR IGNORE INTO words (word) VALUES (?)", (word,))
        if connection.changes():
            connection.execute("INSERT INTO word_parts (rowid, word) VALUES (last_insert_rowid(), ?)", (word,))


def find_compounds(connection: apsw.Connection, words: Sequence[str]) -> list[str]:
    """Return the compounds of the vault that hold a word of a query as a part; none where the query is English.

    Args:
        connection: An open index.
        words: Words of the query as typed, without stop words.
    """
    if is_german({word.lower() for word in words}) is False:
        return []
    found: dict[str, None] = {}
    for part in dict.fromkeys(map(part_of, words)):
        if part:
            rows = connection.execute(
                "SELECT word FROM word_parts WHERE word_parts MATCH ? LIMIT ?", (f'"{part}"', _MOST_CANDIDATES)
            )
            candidates = [word for (word,) in rows]
            found.update(dict.fromkeys(compounds_with(part, candidates, lambda word: _is_known(connection, word))))
    return list(found)


def _is_known(connection: apsw.Connection, word: str) -> bool:
    if len(word) < 3:  # noqa: PLR2004  no word of a compound is shorter
        return False
    match = f'"{word}" OR "{german_token(word)}"'
    return connection.execute("SELECT 1 FROM postings WHERE postings MATCH ? LIMIT 1", (match,)).get is not None
