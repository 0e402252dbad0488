"""Which entry is which: identities within a feed, ids of signals, and fingerprints of texts."""

from __future__ import annotations

import hashlib
import re
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

from intake.canonical_url import canonicalize_url
from intake.types import SignalId

if TYPE_CHECKING:
    from collections.abc import Sequence

    from intake.types import RawEntry

GUID_POLICY = "guid"
LINK_POLICY = "link"
HASH_POLICY = "hash"
ID_POLICIES = (GUID_POLICY, LINK_POLICY, HASH_POLICY)
"""From the most to the least trusting; a feed only ever moves to the right."""

MIN_FINGERPRINT_WORDS = 25
"""Words below which a text has no fingerprint: two short texts agree in most 3-grams by chance (our choice)."""

_SHINGLE_WORDS = 3
_MASK = (1 << 64) - 1
_WORD = re.compile(r"\w+")
_LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
_BIT_TABLES = tuple(bytes(value >> bit & 1 for value in range(256)) for bit in range(8))


def choose_id_policy(entries: Sequence[RawEntry], current: str) -> str:
    """Choose how the entries of a feed are told apart.

    A feed keeps its policy until one of its documents disproves it: an entry without the identifier, or one
    identifier on two different entries. It then falls back to the next policy and never returns, since an
    identity that changes back would bring every old entry in again.

    Args:
        entries: The entries of one document.
        current: The policy the feed had so far: `guid`, `link` or `hash`; anything else counts as `guid`.

    Returns:
        `guid`, `link` or `hash`.
    """
    position = ID_POLICIES.index(current) if current in ID_POLICIES else 0
    for policy in ID_POLICIES[position:-1]:
        if _tells_apart(entries, policy):
            return policy
    return HASH_POLICY


def entry_identity(entry: RawEntry, policy: str) -> str:
    """Name an entry within its feed; the same on every run.

    Args:
        entry: The entry.
        policy: `guid`, `link` or `hash`. Where the entry lacks what the policy asks for, the next one serves.
    """
    position = ID_POLICIES.index(policy) if policy in ID_POLICIES else 0
    for candidate in ID_POLICIES[position:-1]:
        value = _identifier(entry, candidate)
        if value:
            return f"{candidate}:{value}"
    return f"{HASH_POLICY}:{_content_hash(entry)}"


def signal_id(source_key: str, identity: str) -> SignalId:
    """Derive the id of a signal from its source and its identity there."""
    data = f"{source_key}\0{identity}".encode("utf-8", "surrogatepass")
    return SignalId(hashlib.sha256(data).hexdigest()[:16])


def simhash(text: str) -> int:
    """Fingerprint a text so that near-duplicates differ in few bits.

    Args:
        text: Markdown; link targets do not count.

    Returns:
        A 64-bit number over the text's word 3-grams; 0 for fewer than `MIN_FINGERPRINT_WORDS` words.

    Source:
        Charikar, "Similarity estimation techniques from rounding algorithms", STOC 2002.
    """
    words = _WORD.findall(_LINK_TARGET.sub("]", text).casefold())
    if len(words) < MIN_FINGERPRINT_WORDS:
        return 0
    hashes = list(map(_word_hash, words))
    # A weighted sum of uniform hashes is uniform and keeps the order of the three words.
    grams = [(a + 3 * b + 5 * c) & _MASK for a, b, c in zip(hashes, hashes[1:], hashes[2:], strict=False)]
    return _majority_bits(grams)


def _tells_apart(entries: Sequence[RawEntry], policy: str) -> bool:
    """Check that all entries have an identifier and that only true repetitions share one."""
    seen: dict[str, tuple[str, str]] = {}
    for entry in entries:
        value = _identifier(entry, policy)
        content = (entry.link.strip(), entry.title.strip())
        if not value or seen.setdefault(value, content) != content:
            return False
    return True


def _identifier(entry: RawEntry, policy: str) -> str:
    if policy == GUID_POLICY:
        return entry.guid.strip()
    return canonicalize_url(entry.link, entry.base_url)


def _content_hash(entry: RawEntry) -> str:
    """Hash title, date and link, and the text only where title or date is missing: texts are edited later."""
    date = entry.published.isoformat() if entry.published else ""
    title = " ".join(entry.title.split())
    parts = [title, date, canonicalize_url(entry.link, entry.base_url)]
    if not title or not date:
        parts.append(entry.html or entry.text)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@lru_cache(maxsize=1 << 16)
def _word_hash(word: str) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _majority_bits(numbers: list[int]) -> int:
    """Set every bit that more than half of the 64-bit numbers have set.

    Counting goes by byte tables instead of bit loops, which is some thirty times as fast.
    """
    packed = struct.pack(f"<{len(numbers)}Q", *numbers)
    half = len(numbers) / 2
    result = 0
    for bit, table in enumerate(_BIT_TABLES):
        bits = packed.translate(table)
        for byte in range(8):
            if bits[byte::8].count(1) > half:
                result |= 1 << (8 * byte + bit)
    return result
