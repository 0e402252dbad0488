"""Time queries in a resident process: python benchmarks/warm.py INDEX QUERIES_FILE prints a JSON list of seconds."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from retrieval import Retriever


def main(index: str, questions: str) -> None:
    """Ask every question once, after one that loads model and vectors."""
    queries = Path(questions).read_text(encoding="utf-8").splitlines()
    times = []
    with Retriever.open(Path(index)) as retriever:
        retriever.search(queries[0])
        for query in queries:
            started = time.perf_counter()
            retriever.search(query)
            times.append(time.perf_counter() - started)
    print(json.dumps(times))


if __name__ == "__main__":
    main(*sys.argv[1:])
