"""From the name of a model in the configuration to something that embeds.

A name is `bundled`, a folder, or a hub id. The bundled model needs neither model2vec nor the hub client. The
network is asked only for a hub id that is not in the local cache.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from retrieval.embedding import model_files
from retrieval.errors import ModelUnavailable

if TYPE_CHECKING:
    from retrieval.embedding.types import Embedder

BUNDLED = "bundled"
"""The name of the model that is shipped."""

BUNDLED_FOLDER = Path(__file__).parent / "bundled"
"""Where the shipped model lies."""

_ENCODING = "static-1"
"""Names the way text is encoded; to be counted up whenever other vectors come out of the same files."""

_MAX_CAUSE = 200  # characters of a library's message that are passed on


def load_embedder(model: str) -> Embedder:
    """Load an embedding model.

    Args:
        model: `bundled`, a folder of a model2vec model, or a hub id such as `minishlab/potion-base-8M`.

    Returns:
        The model, ready to embed.

    Raises:
        ModelUnavailable: It cannot be loaded; the message is one line and says why and what to do.
    """
    try:
        folder = _folder_of(model)
        return _open(model, folder)
    except (OSError, ValueError) as err:
        raise _unavailable(model, err) from err


def fingerprint_of(model: str) -> str:
    """Return the fingerprint a model has, without loading it.

    Args:
        model: As for `load_embedder`. A hub id that is not in the local cache is fetched.

    Returns:
        The same as `load_embedder(model).fingerprint`.

    Raises:
        ModelUnavailable: There is no such model.
    """
    try:
        return _fingerprint(_folder_of(model))
    except (OSError, ValueError) as err:
        raise _unavailable(model, err) from err


def _folder_of(model: str) -> Path:
    if model == BUNDLED:
        return BUNDLED_FOLDER
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder
    if model.count("/") > 1 or model.startswith(("/", "~", ".")) or "\\" in model:
        raise FileNotFoundError("there is no such folder")
    from retrieval.embedding import hub  # noqa: PLC0415  half a second that only hub ids cost

    return hub.cached_model(model) or hub.fetch_model(model)


def _fingerprint(folder: Path) -> str:
    if folder == BUNDLED_FOLDER:
        digest = (folder / "fingerprint.txt").read_text("ascii").strip()
    else:
        digest = model_files.hash_of(folder)
    return f"{_ENCODING}:{digest}"


def _open(model: str, folder: Path) -> Embedder:
    fingerprint = _fingerprint(folder)
    return _open_fast(model, folder, fingerprint) or _open_general(model, folder, fingerprint)


def _open_fast(model: str, folder: Path, fingerprint: str) -> Embedder | None:
    from retrieval.embedding.static_encoder import StaticEncoder  # noqa: PLC0415  brings numpy
    from retrieval.embedding.word_cache import understands  # noqa: PLC0415  same

    weights, tokenizer_file = folder / model_files.WEIGHTS, folder / model_files.TOKENIZER
    if not (weights.is_file() and tokenizer_file.is_file()):
        return None
    tokenizer = model_files.read_tokenizer(tokenizer_file)
    table = model_files.read_table(weights)
    if table is None or len(table) != tokenizer.get_vocab_size() or not understands(tokenizer):
        return None
    return StaticEncoder(model, fingerprint, table, tokenizer)


def _open_general(model: str, folder: Path, fingerprint: str) -> Embedder:
    from retrieval.embedding import general_encoder  # noqa: PLC0415  brings model2vec and the hub client

    return general_encoder.GeneralEncoder(model, fingerprint, general_encoder.read_model(folder))


def _unavailable(model: str, cause: Exception) -> ModelUnavailable:
    words = " ".join(str(cause).split())
    shortened = words if len(words) <= _MAX_CAUSE else words[:_MAX_CAUSE] + "…"
    way_out = "" if model == BUNDLED else "; set embedding.model: bundled for the model that is shipped"
    return ModelUnavailable(f"embedding model {model!r}: {shortened}. Search goes on by keywords{way_out}")
