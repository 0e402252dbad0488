"""Models are found by name, and a missing one is one clear line."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import numpy as np
import pytest
from model2vec import StaticModel
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import Unigram, WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, Whitespace

from retrieval.embedding import BUNDLED, fingerprint_of, load_embedder
from retrieval.embedding.general_encoder import GeneralEncoder
from retrieval.embedding.loading import BUNDLED_FOLDER
from retrieval.embedding.model_files import hash_of
from retrieval.embedding.static_encoder import StaticEncoder
from retrieval.errors import ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

WORDS = ("[PAD]", "[UNK]", "red", "green", "##er", ",")


@pytest.fixture(name="table")
def _table() -> NDArray[np.float32]:
    return np.random.default_rng(7).normal(size=(len(WORDS), 5)).astype(np.float32)


def word_piece_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordPiece({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def unigram_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(Unigram([(word, -float(place)) for place, word in enumerate(WORDS)], unk_id=1))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer


def save_model(
    folder: Path,
    vectors: NDArray[np.float32],
    tokenizer: Tokenizer | None = None,
    **parts: NDArray[np.float32],
) -> None:
    model = StaticModel(vectors, tokenizer or word_piece_tokenizer(), normalize=True, **parts)  # type: ignore[arg-type]
    model.save_pretrained(folder)


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def message_of(model: str) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        load_embedder(model)
    message = str(caught.value)
    assert message.isprintable()
    assert repr(model) in message
    assert "Search goes on by keywords" in message
    assert "embedding.model: bundled" in message
    assert len(message) < 500
    return message


def test_the_bundled_model_knows_related_words() -> None:
    """A question is nearer to its answer than to another text."""
    model = load_embedder(BUNDLED)
    assert (model.name, model.dimension, model.prompts.query) == ("bundled", 256, "")
    query = model.embed_query("how do I undo the last commit")
    near, far = model.embed_documents(["git reset reverts recent changes", "Bake the cake for an hour"])
    assert query @ near > query @ far + 0.2


def test_the_bundled_files_are_fit_for_shipping() -> None:
    """They stay below 10 MB, are readable by everyone, hold no local path, and carry their licence."""
    files = [path for path in BUNDLED_FOLDER.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 10_000_000
    assert all(path.stat().st_mode & 0o444 == 0o444 for path in files)
    assert "tokenizer_name" not in json.loads((BUNDLED_FOLDER / "config.json").read_text())
    assert "Apache License" in (BUNDLED_FOLDER / "LICENSE-MODEL.txt").read_text()


def test_the_bundled_fingerprint_is_the_hash_of_the_files() -> None:
    """The recorded hash, which spares hashing at every start, is the one of the files that are shipped."""
    assert (BUNDLED_FOLDER / "fingerprint.txt").read_text().strip() == hash_of(BUNDLED_FOLDER)
    assert fingerprint_of(BUNDLED) == load_embedder(BUNDLED).fingerprint
    assert hash_of(BUNDLED_FOLDER) in fingerprint_of(BUNDLED)


def test_the_bundled_model_needs_neither_model2vec_nor_network_code() -> None:
    """Loading it and embedding imports no slow package, and its fingerprint not even numpy."""
    code = (
        "import sys; from retrieval.embedding import fingerprint_of, load_embedder; fingerprint_of('bundled');"
        "assert not {'numpy', 'tokenizers'} & set(sys.modules); load_embedder('bundled').embed_query('hello');"
        "print(sorted({'model2vec', 'huggingface_hub', 'httpx', 'httpx2', 'tqdm', 'joblib'} & set(sys.modules)))"
    )
    finished = run_python(code)
    assert (finished.stdout.strip(), finished.stderr) == ("[]", "")


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8])
def test_a_folder_is_a_model(tmp_path: Path, dtype: type[np.generic]) -> None:
    """A folder saved by model2vec embeds like model2vec, by the fast path, at any precision."""
    vectors = (np.random.default_rng(7).normal(size=(len(WORDS), 5)) * 30).astype(dtype)
    save_model(tmp_path, vectors)
    model = load_embedder(str(tmp_path))
    reference = StaticModel.from_pretrained(tmp_path, force_download=False)
    assert isinstance(model, StaticEncoder)
    assert (model.name, model.dimension) == (str(tmp_path), 5)
    tolerance = 2e-3 if dtype is np.float16 else 1e-5
    for text in ("red greener, red", "GREEN", "purple", ""):
        expected = reference.encode(text, max_length=None, normalize=True)
        assert np.allclose(model.embed_query(text), expected, atol=tolerance)


@pytest.mark.parametrize("layout", ["unigram", "weights", "mapping", "sentence-transformers"])
def test_models_the_fast_path_does_not_know_go_through_model2vec(
    tmp_path: Path, layout: str, table: NDArray[np.float32]
) -> None:
    """Other tokenizers, token weights, shared vectors and other folder layouts embed like model2vec."""
    match layout:
        case "unigram":
            save_model(tmp_path, table, unigram_tokenizer())
        case "weights":
            save_model(tmp_path, table, weights=np.linspace(1, 2, len(WORDS), dtype=np.float32))
        case "mapping":
            save_model(tmp_path, table[:3], token_mapping=np.array([0, 1, 2, 0, 1, 2]))
        case _:
            nested = tmp_path / "0_StaticEmbedding"
            nested.mkdir()
            save_file({"embedding.weight": table}, nested / "model.safetensors")
            word_piece_tokenizer().save(str(nested / "tokenizer.json"))
            (tmp_path / "config_sentence_transformers.json").write_text("{}")
    model = load_embedder(str(tmp_path))
    reference = StaticModel.from_pretrained(tmp_path, force_download=False)
    texts = ["red green, red", "green", "", "red " * 600 + "green " * 900]
    expected = reference.encode(texts, max_length=None, normalize=True)
    assert isinstance(model, GeneralEncoder)
    assert np.allclose(model.embed_documents(texts), expected, atol=1e-5)
    assert np.allclose(model.embed_query(texts[0]), expected[0], atol=1e-5)
    assert model.embed_documents([]).shape == (0, model.dimension)
    assert np.array_equal(model.embed_query("red\ud800"), model.embed_query("red"))
    assert model.fingerprint == fingerprint_of(str(tmp_path))


def test_a_fingerprint_follows_the_files(tmp_path: Path, table: NDArray[np.float32]) -> None:
    """It is the same for equal models, and another one once a weight or the tokenizer changes."""
    save_model(tmp_path / "one", table)
    save_model(tmp_path / "twin", table)
    save_model(tmp_path / "heavier", table + 0.5)
    save_model(tmp_path / "unigram", table, unigram_tokenizer())
    one, twin, heavier, unigram = (
        fingerprint_of(str(tmp_path / name)) for name in ("one", "twin", "heavier", "unigram")
    )
    assert one == twin == load_embedder(str(tmp_path / "one")).fingerprint
    assert len({one, heavier, unigram, fingerprint_of(BUNDLED)}) == 4


@pytest.mark.parametrize("name", ["/no/such/folder", "./none", "../none", "a/b/c", "~/no such folder", "a\\b"])
def test_a_missing_folder_is_named(name: str) -> None:
    """A name that can only be a folder is not asked for on the hub."""
    assert "no such folder" in message_of(name)
    with pytest.raises(ModelUnavailable, match="no such folder"):
        fingerprint_of(name)


def remove_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


def remove_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def cut_weights(folder: Path) -> None:
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[:-3])


def spoil_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text('{"version": \x00')


def add_nan(folder: Path) -> None:
    save_file({"embeddings": np.full((len(WORDS), 5), np.nan, np.float32)}, folder / "model.safetensors")


def drop_a_row(folder: Path) -> None:
    save_file({"embeddings": np.ones((2, 5), np.float32)}, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("spoil", "cause"),
    [
        (remove_weights, "model files"),
        (remove_tokenizer, "model files"),
        (cut_weights, "model.safetensors is damaged"),
        (spoil_tokenizer, "tokenizer.json cannot be read"),
        (add_nan, "not finite"),
        (drop_a_row, "does not match number of vectors"),
    ],
)
def test_an_incomplete_folder_is_one_line(
    tmp_path: Path,
    table: NDArray[np.float32],
    spoil: Callable[[Path], None],
    cause: str,
) -> None:
    """A folder with missing or damaged files names the model, what is wrong, and the way out."""
    save_model(tmp_path, table)
    spoil(tmp_path)
    assert cause in message_of(str(tmp_path))


def test_an_empty_folder_is_one_line(tmp_path: Path) -> None:
    """A folder without any model is unavailable too."""
    assert "no model.safetensors" in message_of(str(tmp_path))


def test_a_malformed_hub_id_is_one_line() -> None:
    """A name that is neither a folder nor a hub id is refused before any network."""
    message_of("not a model!")


class _Hub(BaseHTTPRequestHandler):
    """Answers every request with one status."""

    status = 404

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("content-length", "0")
        self.end_headers()

    do_HEAD = do_GET  # noqa: N815  the name http.server asks for

    def log_message(self, *_args: object) -> None:
        """Keep quiet."""


@pytest.fixture(name="hub_address", params=[404, 500])
def _hub_address(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    handler = type("Hub", (_Hub,), {"status": request.param})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", str(request.param)
        server.shutdown()
        thread.join()


ASK_THE_HUB = """
from retrieval.embedding import load_embedder
from retrieval.errors import ModelUnavailable
try:
    load_embedder("someone/some-model")
except ModelUnavailable as err:
    print(err)
"""


def assert_one_line(finished: subprocess.CompletedProcess[str], cause: str) -> None:
    assert finished.stderr == ""
    assert finished.stdout.count("\n") == 1
    assert "'someone/some-model'" in finished.stdout
    assert cause in finished.stdout
    assert "embedding.model: bundled" in finished.stdout


def test_a_hub_that_refuses_is_one_line(hub_address: tuple[str, str], tmp_path: Path) -> None:
    """A model the hub does not know, and a hub that fails, end at once with the status it answered."""
    address, status = hub_address
    assert_one_line(run_python(ASK_THE_HUB, HF_ENDPOINT=address, HF_HOME=str(tmp_path)), status)


def test_an_unreachable_hub_is_one_line(tmp_path: Path) -> None:
    """If nobody listens at the hub's address, the model is unavailable without long retries."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
        finished = run_python(ASK_THE_HUB, HF_ENDPOINT=address, HF_HOME=str(tmp_path))
    assert_one_line(finished, "cannot be reached")


def test_a_model_in_the_hub_cache_needs_no_network(tmp_path: Path, table: NDArray[np.float32]) -> None:
    """A hub id that was fetched before loads while the hub is unreachable."""
    commit = "0" * 40
    repository = tmp_path / "hub" / "models--someone--some-model"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit)
    save_model(repository / "snapshots" / commit, table)
    code = "from retrieval.embedding import load_embedder; print(load_embedder('someone/some-model').dimension)"
    finished = run_python(code, HF_ENDPOINT="http://127.0.0.1:9", HF_HOME=str(tmp_path))
    assert (finished.stdout.strip(), finished.stderr) == ("5", "")
