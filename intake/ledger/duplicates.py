"""Finding the signal that had the same page or nearly the same text first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intake.types import SignalId

if TYPE_CHECKING:
    from intake.ledger.database import Database
    from intake.types import Signal

MAX_DISTANCE = 3
"""Bits in which two 64-bit SimHash fingerprints of one text may differ.

Manku, Jain, Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007.
"""

BAND_COUNT = MAX_DISTANCE + 1
"""Two numbers that differ in at most three bits agree in at least one of four bands (pigeonhole principle)."""

_BAND_BITS = 64 // BAND_COUNT
_BAND_MASK = (1 << _BAND_BITS) - 1
_SIGN_BIT = 1 << 63
_WRAP = 1 << 64

_SAME_PAGE = """
SELECT coalesce(duplicate_of, id) FROM signals
WHERE canonical_url = ? AND canonical_url != '' ORDER BY sequence LIMIT 1
"""
_SAME_BAND = "SELECT fingerprint, signal_id FROM fingerprint_bands WHERE band IN (?, ?, ?, ?)"
_FIRST = """
SELECT coalesce(duplicate_of, id) FROM signals WHERE id IN ({}) ORDER BY sequence LIMIT 1
"""
_ADD_BAND = "INSERT OR IGNORE INTO fingerprint_bands VALUES (?, ?, ?)"
_MAX_CANDIDATES = 500  # parameters in one statement; older SQLite allows 999


def find_original(database: Database, signal: Signal) -> SignalId | None:
    """Return the first signal with the same page or nearly the same text, or None.

    Where that is itself a duplicate, its own original is returned.
    """
    if signal.canonical_url:
        found = database.row(_SAME_PAGE, (signal.canonical_url,))
        if found:
            return SignalId(found[0])
    return _find_by_text(database, signal.fingerprint) if signal.fingerprint else None


def add_fingerprint(database: Database, signal: Signal) -> None:
    """Make a recorded signal findable by its text; the first one with a fingerprint stands for all with the same."""
    if signal.fingerprint:
        stored = to_signed(signal.fingerprint)
        database.run_many(_ADD_BAND, [(band, stored, signal.id) for band in bands_of(signal.fingerprint)])


def bands_of(fingerprint: int) -> tuple[int, ...]:
    """Cut a 64-bit fingerprint into four numbered 16-bit bands; bands of different places never compare equal."""
    return tuple(place << _BAND_BITS | fingerprint >> place * _BAND_BITS & _BAND_MASK for place in range(BAND_COUNT))


def to_signed(fingerprint: int) -> int:
    """Map an unsigned 64-bit number to the signed one with the same bits, which is what SQLite holds."""
    return fingerprint - _WRAP if fingerprint & _SIGN_BIT else fingerprint


def _find_by_text(database: Database, fingerprint: int) -> SignalId | None:
    own = to_signed(fingerprint)
    near = {
        signal_id
        for stored, signal_id in database.rows(_SAME_BAND, bands_of(fingerprint))
        if ((stored ^ own) & (_WRAP - 1)).bit_count() <= MAX_DISTANCE
    }
    chosen = sorted(near)[:_MAX_CANDIDATES]
    found = database.row(_FIRST.format(", ".join("?" * len(chosen))), chosen)
    return SignalId(found[0]) if found else None
