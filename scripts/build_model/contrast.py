"""Stage B: a short text is to be nearer to its own answer than to the other answers of the batch."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn.functional import cross_entropy, kl_div, log_softmax, normalize, softmax

from scripts.build_model.corpus import Pair
from scripts.build_model.student import student_of, table_of, tokenize

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from scripts.build_model.corpus import Corpus

EPOCHS = 3
"""Passes over all pairs; the spans are drawn anew in each."""

LEARNING_RATE = 0.003
"""At the start; it falls linearly to zero."""

TEMPERATURE = 0.05
"""Of the softmax over a batch and of the comparison with the teacher."""

BATCH = 512
"""Pairs per step; every other answer of the batch is a wrong one."""

REVERSE_WEIGHT = 0.5
"""Weight of finding the query of an answer, beside finding the answer of a query."""

_QUESTION_SHARE = 0.3
_QUESTION_OPENINGS = ("what is", "what are", "how to", "how do i", "how does", "explain", "definition of", "why")
_SPAN_WORDS = (5, 15)
_MASKED = -1e4  # as good as minus infinity, without NaN where a whole row is masked


@dataclass(frozen=True, slots=True)
class _Batch:
    """Similarities of queries (rows) and answers (columns), with what is known about them.

    Attributes:
        queries: (n, dimension) student vectors, normalised.
        answers: (n, dimension) same.
        teacher_queries: (n, d) teacher vectors, rows of zeros where the teacher was not asked.
        teacher_answers: (n, d) teacher vectors.
        repeated: (n, n) bool, True where an answer off the diagonal is right as well.
    """

    queries: torch.Tensor
    answers: torch.Tensor
    teacher_queries: torch.Tensor
    teacher_answers: torch.Tensor
    repeated: torch.Tensor


def contrast(
    table: NDArray[np.float32], corpus: Corpus, teacher: NDArray[np.float32], tokenizer: Tokenizer, seed: int
) -> NDArray[np.float32]:
    """Train on pairs.

    Args:
        table: (vocabulary, dimension) float32, the result of stage A.
        corpus: Texts and pairs.
        teacher: (texts, d) float32, the teacher's vectors of the texts, L2-normalised.
        tokenizer: The student's, without truncation and padding.
        seed: Of the shuffling and of the spans.

    Returns:
        (vocabulary, dimension) float32, the trained token vectors.
    """
    rng = random.Random(seed)  # noqa: S311  shuffling, not secrecy
    known = torch.from_numpy(np.vstack((teacher, np.zeros((1, teacher.shape[1]), np.float32))))
    student = student_of(table)
    optimizer = torch.optim.Adam(student.parameters(), lr=LEARNING_RATE)
    steps = EPOCHS * ((len(corpus.pairs) + len(corpus.prose)) // BATCH)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    for epoch in range(EPOCHS):
        pairs = [_as_question(pair, rng) for pair in corpus.pairs] + _spans(corpus, rng)
        rng.shuffle(pairs)
        losses: list[float] = []
        for start in range(0, len(pairs) - BATCH + 1, BATCH):
            loss = _loss(_batch(student, pairs[start : start + BATCH], known, tokenizer))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(float(loss.detach()))
        print(f"  stage B, epoch {epoch + 1}: loss {np.mean(losses):.4f}")
    return table_of(student)


def _as_question(pair: Pair, rng: random.Random) -> Pair:
    if rng.random() >= _QUESTION_SHARE:
        return pair
    return Pair(f"{rng.choice(_QUESTION_OPENINGS)} {pair.query}", pair.answer, pair.answer_row, pair.query_row)


def _spans(corpus: Corpus, rng: random.Random) -> list[Pair]:
    """Take a few words out of every passage: what is left is their answer."""
    pairs: list[Pair] = []
    for row in corpus.prose:
        words = corpus.texts[row].split()
        length = rng.randint(*_SPAN_WORDS)
        start = rng.randrange(len(words) - length)
        pairs.append(
            Pair(" ".join(words[start : start + length]), " ".join(words[:start] + words[start + length :]), row)
        )
    return pairs


def _batch(student: torch.nn.EmbeddingBag, pairs: list[Pair], known: torch.Tensor, tokenizer: Tokenizer) -> _Batch:
    texts = tokenize(tokenizer, [pair.query for pair in pairs] + [pair.answer for pair in pairs])
    vectors = normalize(student(*texts.bag(np.arange(2 * len(pairs)))), dim=1)
    answer_rows = torch.tensor([pair.answer_row for pair in pairs])
    same_answer = answer_rows[:, None] == answer_rows[None, :]
    numbers = {query: number for number, query in enumerate({pair.query for pair in pairs})}
    query_numbers = torch.tensor([numbers[pair.query] for pair in pairs])
    same_query = query_numbers[:, None] == query_numbers[None, :]
    return _Batch(
        queries=vectors[: len(pairs)],
        answers=vectors[len(pairs) :],
        teacher_queries=known[[pair.query_row for pair in pairs]],  # row -1 is the row of zeros
        teacher_answers=known[answer_rows],
        repeated=(same_answer | same_query) & ~torch.eye(len(pairs), dtype=torch.bool),
    )


def _loss(batch: _Batch) -> torch.Tensor:
    right = torch.arange(len(batch.queries))
    scores = (batch.queries @ batch.answers.T / TEMPERATURE).masked_fill(batch.repeated, _MASKED)
    found = cross_entropy(scores, right) + REVERSE_WEIGHT * cross_entropy(scores.T, right)
    own = torch.eye(len(right), dtype=torch.bool) | batch.repeated
    among_answers = _disagreement(batch.answers @ batch.answers.T, batch.teacher_answers @ batch.teacher_answers.T, own)
    asked = batch.teacher_queries.any(1)
    among_queries = _disagreement(
        (batch.queries @ batch.answers.T)[asked],
        (batch.teacher_queries @ batch.teacher_answers.T)[asked],
        batch.repeated[asked],
    )
    return found + among_answers + among_queries


def _disagreement(student: torch.Tensor, teacher: torch.Tensor, masked: torch.Tensor) -> torch.Tensor:
    """Return the Kullback-Leibler divergence of the student's similarities from the teacher's, mean over rows."""
    goal = softmax((teacher / TEMPERATURE).masked_fill(masked, _MASKED), dim=1)
    got = log_softmax((student / TEMPERATURE).masked_fill(masked, _MASKED), dim=1)
    return kl_div(got, goal, reduction="none").sum(1).mean() if len(student) else student.sum()
