"""Stage A: the mean of a text's token vectors is to point where the teacher's vector points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn.functional import cosine_similarity

from scripts.build_model.student import encode, student_of, table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scripts.build_model.student import TokenizedTexts

EPOCHS = 3
"""Eight gave nothing more."""

LEARNING_RATE = 0.01
"""At the start; it falls linearly to zero."""

BATCH = 1024
"""Texts per step."""

_FIT_TEXTS = 20_000  # for the rotation of the start; it has 65,536 unknowns and this gives 5 million equations


def align_start(
    table: NDArray[np.float32], texts: TokenizedTexts, targets: NDArray[np.float32], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Map the start onto the targets by least squares.

    Args:
        table: (vocabulary, dimension) float32, token vectors on axes of their own.
        texts: Tokenised texts.
        targets: (texts, dimension) float32, where the teacher puts them.
        rng: Draws the texts that are fitted.

    Returns:
        (vocabulary, dimension) float32 on the targets' axes.
    """
    rows = rng.permutation(len(targets))[:_FIT_TEXTS]
    mapping, *_rest = np.linalg.lstsq(encode(table, texts, rows), targets[rows], rcond=None)
    aligned: NDArray[np.float32] = (table @ mapping).astype(np.float32)
    return aligned


def imitate(
    table: NDArray[np.float32], texts: TokenizedTexts, targets: NDArray[np.float32], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Minimise 1 - cosine between the student's and the teacher's vectors.

    Args:
        table: (vocabulary, dimension) float32, the start on the targets' axes.
        texts: Tokenised texts.
        targets: (texts, dimension) float32, L2-normalised.
        rng: Shuffles.

    Returns:
        (vocabulary, dimension) float32, the trained token vectors.
    """
    student = student_of(table)
    goals = torch.from_numpy(targets)
    optimizer = torch.optim.Adam(student.parameters(), lr=LEARNING_RATE)
    steps = EPOCHS * -(-len(targets) // BATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    for epoch in range(EPOCHS):
        losses: list[float] = []
        order = rng.permutation(len(targets))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            loss = (1 - cosine_similarity(student(*texts.bag(rows)), goals[rows])).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(float(loss.detach()))
        print(f"  stage A, epoch {epoch + 1}: 1 - cosine {np.mean(losses):.4f}")
    return table_of(student)
