"""From two trained tables to the files of a model."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from model2vec import StaticModel

from scripts.build_model.student import encode

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from scripts.build_model.student import TokenizedTexts

MAX_BYTES = 10_000_000
"""What the files may weigh together."""

IMITATION_SHARE = 0.4
"""Weight of stage A: it is better at questions, stage B at code and claims."""

_CONFIG = {"model_type": "model2vec", "architectures": ["StaticModel"], "base": "all-MiniLM-L6-v2"}
_ROTATION_TEXTS = 5600
_INT8_MAX = 127

SANITY = (
    ("how do I undo the last commit", "git reset moves the branch back", "bake the cake for an hour"),
    ("reset a forgotten password", "how users recover access to their account", "the river flows to the sea"),
    ("speed up a slow database query", "add an index to the table", "the history of the violin"),
)
"""Query, a text that must be nearer, a text that must be farther."""


def average(imitated: NDArray[np.float32], contrasted: NDArray[np.float32]) -> NDArray[np.float32]:
    """Average two tables after turning the second onto the first.

    Args:
        imitated: (vocabulary, dimension) float32, the result of stage A.
        contrasted: (vocabulary, dimension) float32, the result of stage B.

    Returns:
        (vocabulary, dimension) float32.

    Source:
        The orthogonal Procrustes problem, Schönemann 1966: the best rotation is U V' of the product's SVD.
    """
    left, _values, right = np.linalg.svd(contrasted.T @ imitated)
    turned = contrasted @ (left @ right)
    first, second = (table / np.linalg.norm(table, axis=1).mean() for table in (imitated, turned))
    mean: NDArray[np.float32] = (IMITATION_SHARE * first + (1 - IMITATION_SHARE) * second).astype(np.float32)
    return mean


def turn_to_axes(table: NDArray[np.float32], texts: TokenizedTexts, rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """Rotate token vectors onto the principal axes of encoded passages, so that leading numbers say most.

    Args:
        table: (vocabulary, dimension) float32.
        texts: Tokenised texts.
        rows: Which of them are passages; at most 5,600 are used.

    Returns:
        (vocabulary, dimension) float32.
    """
    vectors = encode(table, texts, rows[:_ROTATION_TEXTS])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    _values, axes = np.linalg.eigh(np.cov(vectors.T))
    turned: NDArray[np.float32] = (table @ axes[:, ::-1]).astype(np.float32)
    return turned


def quantized(table: NDArray[np.float32]) -> NDArray[np.int8]:
    """Round to 8-bit integers with one scale for all, which normalising takes out again."""
    rounded: NDArray[np.int8] = np.rint(table * (_INT8_MAX / np.abs(table).max())).astype(np.int8)
    return rounded


def save(table: NDArray[np.int8], tokenizer: Tokenizer, folder: Path) -> None:
    """Write the files of a model2vec model, without a model card and readable by everyone.

    Args:
        table: (vocabulary, dimension) int8.
        tokenizer: The student's.
        folder: Where; created.
    """
    StaticModel(table, tokenizer, config=_CONFIG, normalize=True).save_pretrained(folder)
    (folder / "README.md").unlink()
    config = json.loads((folder / "config.json").read_text())
    config.pop("tokenizer_name", None)  # may hold a path of this machine
    (folder / "config.json").write_text(json.dumps(config, indent=4) + "\n")
    for file in folder.iterdir():
        file.chmod(0o644)


def check(folder: Path) -> list[str]:
    """Load a model and look whether it is fit for use.

    Args:
        folder: The folder of a model.

    Returns:
        What is wrong with it; empty where nothing is.
    """
    problems: list[str] = []
    size = sum(file.stat().st_size for file in folder.iterdir())
    if size > MAX_BYTES:
        problems.append(f"the files weigh {size:,} bytes, more than {MAX_BYTES:,}")
    model = StaticModel.from_pretrained(folder, force_download=False)
    for query, near, far in SANITY:
        vectors = model.encode([query, near, far], normalize=True)
        nearer, farther = (float(vectors[0] @ vectors[place]) for place in (1, 2))
        print(f"  {query!r}: {nearer:.3f} to the right text, {farther:.3f} to a wrong one")
        if nearer <= farther:
            problems.append(f"{query!r} is nearer to {far!r} than to {near!r}")
    return problems
