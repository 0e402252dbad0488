"""The retriever on 16,894 real notes."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.command import Sluice

pytestmark = pytest.mark.data


def test_16894_real_notes_are_indexed_without_losing_one(sluice: Sluice, real_vault: Path) -> None:
    """Every file is in the index or named as a problem; a second run changes nothing; searches answer."""
    shutil.copytree(real_vault, sluice.vault, dirs_exist_ok=True)
    first = sluice.json("index")
    assert first["files"] + len(first["problems"]) == 16_894
    assert first["added"] == first["files"]
    assert first["vectors"]

    second = sluice.json("index")
    assert (second["added"], second["updated"], second["deleted"]) == (0, 0, 0)
    assert second["unchanged"] == first["files"]
    assert second["chunks"] == first["chunks"]

    for query, expected in (
        ("requestAnimationFrame", "requestanimationframe"),
        ("Wie zentriere ich ein Element mit Flexbox", "flex"),
        ("document store retriever pipeline", "retriever"),
    ):
        answer = sluice.json("search", query)
        assert all(leg["ran"] for leg in answer["legs"].values())
        assert any(expected in result["path"].lower() for result in answer["results"]), query

    doctor = sluice.json("doctor")
    assert all(check["ok"] for check in doctor), doctor
