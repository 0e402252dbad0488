"""Golden questions: a person's own questions with the notes that answer them, in VAULT/.sluice/golden.yaml."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING

from config.errors import InvalidSettings
from config.loading import read_yaml
from config.yaml_list_editing import append_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

HELD_OUT_SHARE = 5
"""One question in so many is kept apart from tuning (article B: keep some back). Our choice of number."""

_EXAMPLE = "- question: how do I rotate the backup keys"


class QuestionKind(StrEnum):
    """How a question came about."""

    QUESTION = "question"  # what somebody wanted to know
    KNOWN_ITEM = "known-item"  # a note somebody had in mind and looked for


@dataclass(frozen=True, slots=True)
class GoldenQuestion:
    """A question with the notes that answer it.

    Attributes:
        question: As it would be typed, on one line.
        expect: Parts of paths, such as `Ops/backup` or `keys.md`; each names one wanted note, in any case of letters.
        kind: How it came about.
        set: Name of the group it is measured with; empty for the one without a name.
        held_out: Whether it is kept apart from tuning.
    """

    question: str
    expect: tuple[str, ...]
    kind: QuestionKind = QuestionKind.QUESTION
    set: str = ""
    held_out: bool = False

    @property
    def weight(self) -> float:
        """What the question counts in tuning: a known item half (article B), for it says less about real use."""
        return 0.5 if self.kind is QuestionKind.KNOWN_ITEM else 1.0


def is_held_out(question: str) -> bool:
    """Decide by a hash of the question whether it is kept apart, so that nobody chooses and nothing is drawn."""
    digest = hashlib.sha256(_folded(" ".join(question.split())).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % HELD_OUT_SHARE == 0


def load_golden(path: Path) -> tuple[GoldenQuestion, ...]:
    """Read the golden questions in their order; a missing file means none.

    Raises:
        UnreadableConfig: The file is not readable YAML.
        InvalidSettings: An entry has no question, expects nothing, has an unknown key, or stands there twice.
    """
    data = read_yaml(path)
    if data is None:
        return ()
    if not isinstance(data, list):
        raise InvalidSettings(f"{path}: expected a list of questions, found {type(data).__name__}")
    questions = tuple(parse_golden(item, f"{path}: question {number}") for number, item in enumerate(data, 1))
    seen: set[str] = set()
    for item in questions:
        if item.question in seen:
            raise InvalidSettings(f"{path}: {item.question!r} is asked twice; merge what the two expect")
        seen.add(item.question)
    return questions


def parse_golden(item: object, origin: str) -> GoldenQuestion:
    """Validate one entry of the file.

    Args:
        item: A mapping with the fields of `GoldenQuestion`; one without `held_out` is decided by its hash.
        origin: What to call the entry in an error.

    Raises:
        InvalidSettings: It has no question, expects nothing, or has an unknown key or a value of another type.
    """
    if not isinstance(item, dict):
        raise InvalidSettings(f"{origin}: expected a mapping with question and expect, found {type(item).__name__}")
    unknown = item.keys() - {f.name for f in fields(GoldenQuestion)}
    if unknown:
        raise InvalidSettings(f"{origin}: unknown key {min(map(str, unknown))!r}")
    question, name = item.get("question"), item.get("set", "")
    if not isinstance(question, str) or not question.strip():
        raise InvalidSettings(f"{origin}: question is {question!r}; write what you would type")
    if not isinstance(name, str):
        raise InvalidSettings(f"{origin}: set is {name!r}; it must be a name")
    held_out = item.get("held_out", is_held_out(question))
    if not isinstance(held_out, bool):
        raise InvalidSettings(f"{origin}: held_out is {held_out!r}; it must be true or false")
    return GoldenQuestion(
        question=" ".join(question.split()),
        expect=_fragments(item.get("expect"), origin),
        kind=_kind(item.get("kind", QuestionKind.QUESTION), origin),
        set=name.strip(),
        held_out=held_out,
    )


def add_golden(path: Path, question: GoldenQuestion) -> bool:
    """Append a question; every byte that a person wrote stays. False where it is asked already.

    Raises:
        InvalidSettings: The file or the question is not valid; nothing is written.
        UnreadableConfig: The file cannot be edited line by line.
    """
    valid = parse_golden(_as_mapping(question), "the question")
    if any(valid.question == known.question for known in load_golden(path)):
        return False
    append_entries(path, [_as_mapping(valid)], example=_EXAMPLE)
    return True


def judge_paths(ranked: Sequence[str], expect: Iterable[str]) -> Mapping[str, int]:
    """Grade the files that were found: per fragment, the best-ranked file whose path holds it is wanted.

    A fragment that no file holds stands for itself and counts as not found.

    Args:
        ranked: Paths, best first.
        expect: Parts of paths.
    """
    folded = [(path, _folded(path)) for path in ranked]
    wanted = [next((path for path, name in folded if _folded(part) in name), f"\0{part}") for part in expect]
    return dict.fromkeys(wanted, 1)


def unknown_fragments(questions: Iterable[GoldenQuestion], paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return, by question, the fragments that no path of the index holds: those can never be found."""
    names = "\0".join(map(_folded, paths))
    unknown = {item.question: tuple(part for part in item.expect if _folded(part) not in names) for item in questions}
    return {question: parts for question, parts in unknown.items() if parts}


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _as_mapping(question: GoldenQuestion) -> dict[str, object]:
    """Keep what differs from the default, in the order of the fields; where it was put is always written down.

    Otherwise a corrected spelling could move a question from one side to the other.
    """
    entry: dict[str, object] = {"question": question.question, "expect": list(question.expect)}
    if question.kind is not QuestionKind.QUESTION:
        entry["kind"] = str(question.kind)
    if question.set:
        entry["set"] = question.set
    return entry | {"held_out": question.held_out}


def _fragments(value: object, origin: str) -> tuple[str, ...]:
    parts = [value] if isinstance(value, str) else value
    if not isinstance(parts, list | tuple) or not parts:
        raise InvalidSettings(f"{origin}: expect is {value!r}; list at least one part of a note's path")
    if not all(isinstance(part, str) and part.strip() for part in parts):
        raise InvalidSettings(f"{origin}: expect holds something other than parts of paths: {value!r}")
    return tuple(dict.fromkeys(part.strip() for part in parts))


def _kind(value: object, origin: str) -> QuestionKind:
    try:
        return QuestionKind(str(value))
    except ValueError:
        known = " or ".join(QuestionKind)
        raise InvalidSettings(f"{origin}: kind is {value!r}; it must be {known}") from None
