"""Tokenise each distinct word once.

The vector of a static model is a sum over word pieces, so nothing of a text matters but which words it holds.
A vault of eight million words has a hundred thousand distinct ones: looking a word up costs a fraction of
cutting it into pieces again.

Text is handled as UTF-8 bytes: ASCII white space and punctuation separate words in every BERT tokenizer, and
no byte of a longer UTF-8 sequence looks like one of them. What lies between two of them is given to the
`tokenizers` library as it stands, so accents, Chinese characters and punctuation beyond ASCII follow the
library's own rules.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

MAX_CACHED_WORDS = 1 << 17
"""Distinct words kept before the cache is emptied; about 250 bytes each, so some 30 MB."""

MAX_CACHED_BYTES = 64
"""Words longer than this, in bytes, are tokenised but not kept: they hardly come twice and may be huge."""

PUNCTUATION = string.punctuation.encode()
"""The ASCII characters that BERT splits at and keeps as tokens."""

_WHITE_SPACE = b"\t\n\r "
_CONTROL = bytes(code for code in (*range(32), 127) if code not in _WHITE_SPACE)
_NOT_PUNCTUATION = bytes(code for code in range(256) if code not in PUNCTUATION)


@dataclass(frozen=True, slots=True)
class TokenLists:
    """The word pieces of several texts, end to end.

    Attributes:
        tokens: (n,) int64, token ids, those of punctuation and of unknown words left out.
        bounds: (texts + 1,) int64; text i has `tokens[bounds[i]:bounds[i + 1]]`.
        punctuation: (texts, 32) float32, how often each character of `PUNCTUATION` occurs.
    """

    tokens: NDArray[np.int64]
    bounds: NDArray[np.int64]
    punctuation: NDArray[np.float32]


class _Numbering(dict[bytes, int]):
    """Numbers words in the order they are first asked for, and remembers the ones not yet tokenised."""

    __slots__ = ("pending", "total")

    def __init__(self) -> None:
        super().__init__()
        self.pending: list[bytes] = []
        self.total = 0

    def __missing__(self, word: bytes) -> int:
        number = self.total
        self[word] = number
        self.total = number + 1
        self.pending.append(word)
        return number


class WordCache:
    """Word pieces of texts, by way of a bounded dictionary of words. Safe to share between threads.

    Args:
        tokenizer: One that `understands` accepts, without truncation.
        lowercase: Whether its normaliser lower-cases.
        unknown: Id of the token for unknown words, which is left out; None where the vocabulary has none.
        max_words: Distinct words kept before the cache is emptied.
    """

    def __init__(
        self, tokenizer: Tokenizer, *, lowercase: bool, unknown: int | None, max_words: int = MAX_CACHED_WORDS
    ) -> None:
        self._tokenizer = tokenizer
        self._unknown = unknown
        self._max_words = max_words
        self._separate = _separation_table(lowercase=lowercase)
        self._lock = Lock()
        self._forget()

    def __len__(self) -> int:
        """Return how many words are kept."""
        return len(self._numbers)

    def split(self, texts: Sequence[str]) -> TokenLists:
        """Cut texts into word pieces.

        Args:
            texts: Any text; lone surrogates, which are no characters, are left out.

        Returns:
            The pieces of every text, in order of the texts.
        """
        raw = [text.encode("utf-8", "ignore") for text in texts]
        words = [text.translate(self._separate, _CONTROL).split() for text in raw]
        counts = np.fromiter(map(len, words), np.int64, len(words))
        tokens, ends = self._look_up(chain.from_iterable(words), int(counts.sum()))
        bounds = np.concatenate(([0], ends))[np.concatenate(([0], np.cumsum(counts)))]
        return TokenLists(tokens, bounds, _count_punctuation(raw))

    def _look_up(self, words: Iterable[bytes], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the pieces of `count` words end to end, and where the pieces of each word end."""
        with self._lock:
            if len(self._numbers) > self._max_words:
                self._forget()
            try:
                numbers = np.fromiter(map(self._numbers.__getitem__, words), np.int64, count)
                self._tokenise_pending()
            except BaseException:  # an interrupt would leave words numbered that have no pieces
                self._forget()
                raise
            starts, lengths, pieces = self._starts[numbers], self._lengths[numbers], self._pieces
        ends = np.cumsum(lengths)
        before = ends - lengths
        places = np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
        return pieces[places], ends

    def _forget(self) -> None:
        self._numbers = _Numbering()
        self._starts = np.empty(0, np.int64)
        self._lengths = np.empty(0, np.int64)
        self._pieces = np.empty(0, np.int64)

    def _tokenise_pending(self) -> None:
        pending = self._numbers.pending
        if not pending:
            return
        cut = [self._tokenise(word) for word in pending]
        lengths = np.fromiter(map(len, cut), np.int64, len(cut))
        pieces = np.fromiter(chain.from_iterable(cut), np.int64, int(lengths.sum()))
        starts = len(self._pieces) + np.cumsum(lengths) - lengths
        self._starts = np.concatenate((self._starts, starts))
        self._lengths = np.concatenate((self._lengths, lengths))
        self._pieces = np.concatenate((self._pieces, pieces))
        for word in pending:
            if len(word) > MAX_CACHED_BYTES:
                del self._numbers[word]
        self._numbers.pending = []

    def _tokenise(self, word: bytes) -> list[int]:
        if word.isascii():  # already in its normal form: the model alone is enough, and four times as fast
            ids = [token.id for token in self._tokenizer.model.tokenize(word.decode())]
        else:
            ids = self._tokenizer.encode(word.decode(), add_special_tokens=False).ids
        return [token for token in ids if token != self._unknown]


def understands(tokenizer: Tokenizer) -> bool:
    """Return whether words of this tokenizer can be cut apart one by one.

    Args:
        tokenizer: Any tokenizer.

    Returns:
        True for BERT's: BertNormalizer with `clean_text`, BertPreTokenizer, WordPiece, and added tokens that
        are looked for in the text as it stands.
    """
    from tokenizers.models import WordPiece  # noqa: PLC0415  20 ms that are spent only where a model is loaded
    from tokenizers.normalizers import BertNormalizer  # noqa: PLC0415  same
    from tokenizers.pre_tokenizers import BertPreTokenizer  # noqa: PLC0415  same

    return (
        isinstance(tokenizer.model, WordPiece)
        and isinstance(tokenizer.normalizer, BertNormalizer)
        and tokenizer.normalizer.clean_text
        and isinstance(tokenizer.pre_tokenizer, BertPreTokenizer)
        and not any(token.normalized for token in tokenizer.get_added_tokens_decoder().values())
    )


def _separation_table(*, lowercase: bool) -> bytes:
    table = bytearray(range(256))
    for code in PUNCTUATION + _WHITE_SPACE:
        table[code] = ord(" ")
    if lowercase:
        for upper, lower in zip(string.ascii_uppercase.encode(), string.ascii_lowercase.encode(), strict=True):
            table[upper] = lower
    return bytes(table)


def _count_punctuation(raw: Sequence[bytes]) -> NDArray[np.float32]:
    column = np.zeros(256, np.int64)
    column[list(PUNCTUATION)] = np.arange(len(PUNCTUATION))
    found = [text.translate(None, _NOT_PUNCTUATION) for text in raw]
    owners = np.repeat(np.arange(len(raw)), np.fromiter(map(len, found), np.int64, len(found)))
    cells = owners * len(PUNCTUATION) + column[np.frombuffer(b"".join(found), np.uint8)]
    counts = np.bincount(cells, minlength=len(raw) * len(PUNCTUATION))
    return counts.reshape(len(raw), len(PUNCTUATION)).astype(np.float32)
