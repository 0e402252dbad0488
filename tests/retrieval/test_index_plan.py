"""The difference between a vault and its index."""

from __future__ import annotations

import pytest

from retrieval.errors import MassDeletion
from retrieval.indexing.plan import Plan, check_deletions, make_plan
from retrieval.indexing.walk import FoundFile, Walk
from retrieval.store.writer import FileStat, StoredFile


def _walk(*stats: FileStat, unreadable: tuple[str, ...] = ()) -> Walk:
    return Walk({s.path: FoundFile(s, f"/vault/{s.path}") for s in stats}, unreadable=list(unreadable))


def _stored(*stats: FileStat) -> dict[str, StoredFile]:
    return {s.path: StoredFile(number, s, b"hash") for number, s in enumerate(stats, 1)}


def _gone(plan: Plan) -> list[str]:
    return [file.stat.path for file in plan.gone]


def _fresh(plan: Plan) -> list[str]:
    return [found.stat.path for found in plan.fresh]


SAME = FileStat("same.md", 1, 1)


def test_only_another_time_or_size_makes_a_file_worth_reading() -> None:
    """New files and files with another time or size are read; equal ones are left alone."""
    walk = _walk(SAME, FileStat("new.md", 1, 1), FileStat("later.md", 2, 1), FileStat("longer.md", 1, 2))
    plan = make_plan(walk, _stored(SAME, FileStat("later.md", 1, 1), FileStat("longer.md", 1, 1)))
    assert _fresh(plan) == ["new.md", "later.md", "longer.md"]
    assert (plan.gone, plan.unchanged, plan.lost) == ((), 1, 0)


def test_an_older_time_counts_as_a_change() -> None:
    """A file restored from a backup has another text although its time lies in the past."""
    assert _fresh(make_plan(_walk(FileStat("a.md", 1, 1)), _stored(FileStat("a.md", 2, 1)))) == ["a.md"]


def test_a_file_that_is_no_longer_there_is_gone() -> None:
    """What the index has and the vault has not is to be deleted."""
    plan = make_plan(_walk(SAME), _stored(SAME, FileStat("old.md", 1, 1)))
    assert (_gone(plan), plan.lost) == (["old.md"], 1)


def test_what_lies_out_of_sight_is_not_gone() -> None:
    """Files in a folder that cannot be listed, or that cannot be looked at themselves, stay in the index."""
    stored = _stored(FileStat("a/b/c.md", 1, 1), FileStat("d.md", 1, 1), FileStat("ab/e.md", 1, 1))
    assert _gone(make_plan(_walk(unreadable=("a", "d.md")), stored)) == ["ab/e.md"]
    assert _gone(make_plan(_walk(unreadable=("",)), stored)) == []


def test_a_moved_file_is_not_lost() -> None:
    """Moving keeps time and size, so reorganising a vault is no mass deletion; each arrival excuses one departure."""
    stored = _stored(*(FileStat(f"old/{i}.md", 7, 7) for i in range(3)))
    plan = make_plan(_walk(FileStat("new/0.md", 7, 7), FileStat("new/1.md", 7, 7)), stored)
    assert (len(plan.gone), plan.lost) == (3, 1)


@pytest.mark.parametrize(("stored", "lost", "refused"), [(100, 20, False), (100, 21, True), (20, 20, False)])
def test_losing_more_than_the_allowed_share_is_refused(stored: int, lost: int, refused: bool) -> None:  # noqa: FBT001
    """A fifth may go, more asks first; an index of a few files may lose them all."""
    plan = Plan((), (), 0, lost)
    if not refused:
        check_deletions(plan, stored, 0.2)
        return
    with pytest.raises(MassDeletion, match=r"21 of 100 .* --allow-mass-delete"):
        check_deletions(plan, stored, 0.2)
