"""The fast path for static models says the same as model2vec."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer, Lowercase
from tokenizers.pre_tokenizers import BertPreTokenizer, Whitespace

from retrieval.embedding.loading import BUNDLED_FOLDER, load_embedder
from retrieval.embedding.static_encoder import StaticEncoder, normalised
from retrieval.embedding.types import Prompts
from retrieval.embedding.word_cache import MAX_CACHED_BYTES, WordCache, _Numbering, understands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from retrieval.embedding.types import Embedder

TOLERANCE = 1e-5

AWKWARD = (
    "Résumé ÅNGSTRÖM naïve e\u0301 \u0301x ẞ ﬁ İstanbul ΣΑΣ \u212a straße 漢字かな 한국어 ไทย क्षि it\u2019s … “q”—r "
    "± ¦ °c ½ ≠ ≮ \u037e [UNK] [PAD] [CLS] C++ foo_bar a\u200bb \ufeff \ufffd \U0001d165 don't 3.14 ## ##ing"
).split(" ")

SEPARATORS = (
    " ",
    "\n",
    "\t",
    "\r\n",
    "",
    ".",
    "-",
    "\x00",
    "\x0b",
    "\x1c",
    "\x7f",
    "\x85",
    "\u00a0",
    "\u2028",
    "\u3000",
)


@pytest.fixture(scope="module", name="bundled")
def _bundled() -> Embedder:
    return load_embedder("bundled")


@pytest.fixture(scope="module", name="reference")
def _reference() -> StaticModel:
    return StaticModel.from_pretrained(BUNDLED_FOLDER, force_download=False)


def encode_by_model2vec(model: StaticModel, texts: Sequence[str]) -> NDArray[np.float32]:
    vectors: NDArray[np.float32] = model.encode(list(texts), max_length=None, normalize=True, use_multiprocessing=False)
    return vectors


def tiny_tokenizer(*, lowercase: bool = True, words: Sequence[str] = ("red", "green", "##er", ",")) -> Tokenizer:
    vocabulary = {token: number for number, token in enumerate(("[PAD]", "[UNK]", *words))}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]"])
    return tokenizer


def tiny_encoder(prompts: Prompts | None = None) -> StaticEncoder:
    tokenizer = tiny_tokenizer()
    table = np.eye(tokenizer.get_vocab_size(), 8, dtype=np.float32)
    return StaticEncoder("tiny", "tiny:1", table, tokenizer, prompts or Prompts())


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(AWKWARD), st.sampled_from(SEPARATORS), st.text(max_size=12), st.text("aZ0 .,", max_size=9)
        ),
        max_size=12,
    )
)
def test_vectors_equal_those_of_model2vec(bundled: Embedder, reference: StaticModel, parts: list[str]) -> None:
    """Any text, whatever its characters, gets the vector that model2vec gives it without truncation."""
    text = "".join(parts).encode("utf-8", "ignore").decode()
    expected = encode_by_model2vec(reference, [text])
    assert np.abs(bundled.embed_documents([text]) - expected).max() <= TOLERANCE


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_words_equal_those_of_model2vec(bundled: Embedder, reference: StaticModel, text: str) -> None:
    """Accents, ligatures, scripts without spaces and spelt-out special tokens are no exception."""
    sentence = f"Before {text}{text} after, and {text}."
    expected = encode_by_model2vec(reference, [sentence])[0]
    assert np.abs(bundled.embed_query(sentence) - expected).max() <= TOLERANCE


def test_a_long_text_is_embedded_to_its_end(bundled: Embedder, reference: StaticModel) -> None:
    """A text far beyond model2vec's default of 512 tokens and the encoder's own block size is not cut."""
    text = "the river flows slowly to the sea. " * 2000 + "quantum chromodynamics lagrangian " * 900
    expected = encode_by_model2vec(reference, [text])[0]
    assert np.abs(bundled.embed_query(text) - expected).max() <= TOLERANCE
    assert np.abs(bundled.embed_query(text[:2000]) - expected).max() > 0.01


def test_a_vector_does_not_depend_on_its_neighbours(bundled: Embedder) -> None:
    """A text embedded alone, in a batch and as a query gets the same bytes."""
    texts = [f"note {number} about {word} and C++ [PAD]" for number, word in enumerate(AWKWARD * 20)]
    together = bundled.embed_documents(texts)
    for place in (0, 17, 511, len(texts) - 1):
        assert bundled.embed_documents([texts[place]])[0].tobytes() == together[place].tobytes()
        assert bundled.embed_query(texts[place]).tobytes() == together[place].tobytes()


def test_rows_are_unit_vectors_of_float32(bundled: Embedder) -> None:
    """Documents come as (n, dimension) float32 with rows of length 1, a query as one such row."""
    vectors = bundled.embed_documents(["how to reset a password", "Berge und Täler"])
    assert vectors.shape == (2, bundled.dimension) == (2, 256)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert bundled.embed_query("password").shape == (256,)


def test_nothing_to_embed_gives_no_rows(bundled: Embedder) -> None:
    """An empty list of documents gives an empty matrix of the right width."""
    assert bundled.embed_documents([]).shape == (0, bundled.dimension)


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x07\u200b", "x" * 101 + " " + "é" * 101, "[UNK] [UNK]", "\ud800"])
def test_text_without_known_words_gives_zeros(bundled: Embedder, text: str) -> None:
    """Empty text, control characters, words beyond the tokenizer's limit and unknown ones have no direction."""
    assert not bundled.embed_query(text).any()
    assert not bundled.embed_documents([text]).any()


def test_a_lone_surrogate_is_left_out(bundled: Embedder) -> None:
    """Half a surrogate pair, which no encoder can represent, changes nothing, beside special tokens either."""
    assert np.array_equal(bundled.embed_query("red\ud800 apple"), bundled.embed_query("red apple"))
    assert np.array_equal(bundled.embed_query("red [PAD]\udfff"), bundled.embed_query("red [PAD]"))


def test_prompts_go_before_the_text() -> None:
    """A model's prompts are embedded with queries and documents, each with its own."""
    plain, prompted = tiny_encoder(), tiny_encoder(Prompts(query="red ", document="green "))
    assert np.array_equal(prompted.embed_query("er"), plain.embed_query("red er"))
    assert np.array_equal(prompted.embed_documents(["red"]), plain.embed_documents(["green red"]))
    assert not np.array_equal(prompted.embed_documents(["red"]), plain.embed_documents(["red"]))


def test_word_pieces_and_punctuation_are_summed() -> None:
    """A word is the sum of its pieces, punctuation counts each time, unknown words do not count."""
    vector = tiny_encoder().embed_query("Greener,, purple,")
    expected = np.array([0, 0, 0, 1, 1, 3, 0, 0]) / np.sqrt(11)
    assert np.allclose(vector, expected)


def test_punctuation_missing_from_the_vocabulary_counts_as_unknown() -> None:
    """A character the model has no vector for changes nothing."""
    encoder = tiny_encoder()
    assert np.array_equal(encoder.embed_query("red!?"), encoder.embed_query("red"))


def test_a_cased_model_keeps_case() -> None:
    """A tokenizer that does not lower-case sees the letters as they are."""
    tokenizer = tiny_tokenizer(lowercase=False, words=("red", "Red"))
    encoder = StaticEncoder("cased", "cased:1", np.eye(4, dtype=np.float32), tokenizer)
    assert encoder.embed_query("Red").tolist() == [0, 0, 0, 1]
    assert encoder.embed_query("red").tolist() == [0, 0, 1, 0]


def test_the_cache_is_emptied_when_full() -> None:
    """A stream of ever new words neither grows the cache without bound nor changes what comes out."""
    tokenizer = tiny_tokenizer()
    small = WordCache(tokenizer, lowercase=True, unknown=1, max_words=10)
    for round_number in range(20):
        text = " ".join(f"w{round_number}x{number}" for number in range(7)) + " red greener"
        lists = small.split([text, "red"])
        assert lists.tokens.tolist() == [2, 3, 4, 2]
        assert lists.bounds.tolist() == [0, 3, 4]
        assert len(small) <= 10 + 9


def test_huge_words_are_not_kept() -> None:
    """A word longer than the limit is tokenised each time instead of staying in memory."""
    cache = WordCache(tiny_tokenizer(), lowercase=True, unknown=1)
    long_words = ["red" + "er" * 40, "ré" + "d" * MAX_CACHED_BYTES]
    first = cache.split([*long_words, "red"])
    assert len(cache) == 1
    assert np.array_equal(cache.split([*long_words, "red"]).tokens, first.tokens)
    assert first.bounds.tolist() == [0, 41, 41, 42]


def test_an_interrupt_leaves_no_half_known_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an interrupt hits while new words are being recorded, the next call starts anew and is right."""
    cache = WordCache(tiny_tokenizer(), lowercase=True, unknown=1)
    cache.split(["red"])

    def interrupt(_numbers: object, _word: bytes) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_Numbering, "__delitem__", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cache.split(["green " + "x" * (MAX_CACHED_BYTES + 1)])
    assert cache.split(["greener red"]).tokens.tolist() == [3, 4, 2]


def test_threads_share_one_encoder(bundled: Embedder) -> None:
    """Calls from several threads at once give the same vectors as one after the other."""
    batches = [
        [f"{word} {number} thread{number}q{place}" for place in range(40)] for number, word in enumerate(AWKWARD)
    ]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(bundled.embed_documents, batches))
    fresh = load_embedder("bundled")
    for batch, vectors in zip(batches, at_once, strict=True):
        assert np.array_equal(fresh.embed_documents(batch), vectors)


def test_other_tokenizers_are_not_understood() -> None:
    """Only BERT's way of cutting text can be done word by word."""
    assert understands(tiny_tokenizer())
    other_normalizer = tiny_tokenizer()
    other_normalizer.normalizer = Lowercase()
    unclean = tiny_tokenizer()
    unclean.normalizer = BertNormalizer(clean_text=False)
    other_splitter = tiny_tokenizer()
    other_splitter.pre_tokenizer = Whitespace()
    added_words = tiny_tokenizer()
    added_words.add_tokens(["New York"])
    for tokenizer in (other_normalizer, unclean, other_splitter, added_words):
        assert not understands(tokenizer)


def test_vectors_that_are_not_finite_are_refused() -> None:
    """NaN and infinity never leave an encoder."""
    for value in (np.nan, np.inf):
        with pytest.raises(ValueError, match="not finite"):
            normalised(np.array([[1.0, value]], np.float32))
