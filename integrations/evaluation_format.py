"""Evaluations as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from retrieval.evaluation.tuning import Tuning

_NAME_WIDTH = 16
_COLUMN_WIDTH = 12
_SHOWN_GOLDEN = ("mrr@10", "hit@1", "hit@3", "hit@10", "recall@10")
"""Columns for golden questions: what a person sees of an answer."""


def evaluation_as_text(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that `sluice eval` prints for people.

    Args:
        report: What `--json` would print.
    """
    if "tuning" in report:
        yield from _golden(report)
    else:
        yield f"{report['set']}: {report['queries']} questions{_worth(report)}"
        yield from _table(report["legs"], tuple(next(iter(report["legs"].values()), {})))
        yield from _intervals(report["intervals"])
    if "comparison" in report:
        yield from _comparison(report["comparison"])


def tuning_as_text(found: Tuning, *, applied: bool) -> Iterator[str]:
    """Yield the lines that `sluice tune` prints for people.

    Args:
        found: What the run found.
        applied: Whether an accepted change was written down.
    """
    yield f"{found.questions} questions to tune on, {found.held_out} kept apart; {len(found.trials)} changes tried"
    yield f"weighted MRR@10 {found.mrr:.4f}; kept apart {found.held_out_mrr:.4f}"
    if found.best is None:
        yield "no change passes the guard"
        for reason, number in found.refused.items():
            yield f"  {number} times: {reason}"
        return
    change = found.best.change
    yield f"{'changed' if applied else 'would change'} {change.key} from {change.old:g} to {change.new:g}"
    yield f"weighted MRR@10 then {found.best.mrr:.4f}; kept apart {found.best.held_out_mrr:.4f}"
    if found.held_out and found.best.held_out_mrr < found.held_out_mrr:
        yield "the questions kept apart do worse with it: it may fit only the questions it was tuned on"


def _golden(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"{report['queries']} golden questions"
    for title, part in (("to tune on", report["tuning"]), ("kept apart", report["held_out"])):
        if part["queries"]:
            yield ""
            yield f"{title}: {part['queries']} questions{_worth(part)}"
            yield from _table(part["legs"], _SHOWN_GOLDEN)
            yield from _intervals({"mrr@10": part["intervals"]["mrr@10"]})
    missed = [item["question"] for item in report["questions"] if not any(item["ranks"].values())]
    if missed:
        yield ""
        yield "found by no leg among the first ten:"
        yield from (f"  {question}" for question in missed)
    for question, parts in report["unknown"].items():
        yield f"no file in the index is called {', '.join(parts)}, which is expected for: {question}"


def _worth(part: Mapping[str, Any]) -> str:
    return f"; one is worth {part['one_question'] * 100:.1f} points" if part["one_question"] else ""


def _table(legs: Mapping[str, Mapping[str, float]], columns: tuple[str, ...]) -> Iterator[str]:
    yield " " * _NAME_WIDTH + "".join(f"{name:>{_COLUMN_WIDTH}}" for name in columns)
    for name, row in legs.items():
        yield f"{name:{_NAME_WIDTH}}" + "".join(f"{row[column]:{_COLUMN_WIDTH}.4f}" for column in columns)


def _intervals(intervals: Mapping[str, Mapping[str, list[float]]]) -> Iterator[str]:
    for measure, legs in intervals.items():
        ends = ", ".join(f"{leg} [{low:.3f}, {high:.3f}]" for leg, (low, high) in legs.items())
        yield f"95 % interval of {measure}: {ends}"


def _comparison(found: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"compared by {found['leg']} {found['measure']}: {found['first']:.4f}, then {found['second']:.4f}"
    yield (
        f"{found['wins']} questions better, {found['losses']} worse, {found['ties']} equal; "
        f"p = {found['p_value']:.4f} (randomisation test)"
    )
    yield found["sentence"]
