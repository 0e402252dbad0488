"""The files of a model2vec model on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

WEIGHTS = "model.safetensors"
TOKENIZER = "tokenizer.json"

MODEL_FILES = tuple(
    folder + file
    for folder in ("", "0_StaticEmbedding/")
    for file in ("config.json", "config_sentence_transformers.json", WEIGHTS, TOKENIZER, "README.md")
)
"""Every file of the layouts that model2vec 0.10 reads; a hub repository may hold gigabytes of others."""

MAX_WEIGHT = 1e12
"""Largest magnitude of a weight that is believed; beyond it sums of long texts could overflow float32."""


def hash_of(folder: Path) -> str:
    """Hash what the vectors of a model depend on.

    Args:
        folder: A model folder.

    Returns:
        SHA-256, hexadecimal, over the names and contents of weights and tokenizer.

    Raises:
        OSError: The folder holds neither, or one cannot be read.
    """
    parts = [name for name in MODEL_FILES if name.endswith((WEIGHTS, TOKENIZER)) and (folder / name).is_file()]
    if not parts:
        raise FileNotFoundError(f"no {WEIGHTS} in the folder")
    import hashlib  # noqa: PLC0415  the bundled model needs no hash

    digest = hashlib.sha256()
    for name in parts:
        with (folder / name).open("rb") as file:
            digest.update(f"{name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()


def read_table(path: Path) -> NDArray[np.float32] | None:
    """Read the token vectors of a model in model2vec's own layout.

    Args:
        path: `model.safetensors`.

    Returns:
        (vocabulary, dimension) float32, or None where the file holds more than one plain matrix of token
        vectors, such as token weights or a mapping of tokens to shared vectors.

    Raises:
        ValueError: The file is malformed, or a weight is not finite.
        OSError: It cannot be read.
    """
    import numpy as np  # noqa: PLC0415  a search by keywords does without it
    from safetensors import SafetensorError, safe_open  # noqa: PLC0415  same

    try:
        with safe_open(path, framework="numpy") as tensors:
            if set(tensors.keys()) != {"embeddings"}:
                return None
            stored = tensors.get_tensor("embeddings")
    except SafetensorError as err:
        raise ValueError(f"{path.name} is damaged ({err})") from err
    if stored.ndim != 2 or stored.dtype not in (np.int8, np.float16, np.float32):  # noqa: PLR2004  a matrix
        return None
    table: NDArray[np.float32] = stored.astype(np.float32)
    if stored.dtype != np.int8 and not (np.abs(table) < MAX_WEIGHT).all():
        raise ValueError(f"{path.name} holds weights that are not finite")
    return table


def read_tokenizer(path: Path) -> Tokenizer:
    """Read a tokenizer.

    Args:
        path: `tokenizer.json`.

    Returns:
        The tokenizer.

    Raises:
        ValueError: The file is missing, or no tokenizer.
    """
    from tokenizers import Tokenizer  # noqa: PLC0415  a search by keywords does without it

    try:
        return Tokenizer.from_file(str(path))
    except Exception as err:  # the library raises plain Exception for whatever is wrong with the file
        raise ValueError(f"{path.name} cannot be read ({err})") from err
