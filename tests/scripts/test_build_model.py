"""What can be tested of building the model without downloading a gigabyte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.build_model.dictionaries import Entry, entries_of

ROOT = Path(__file__).parents[2]


def test_help_needs_none_of_the_heavy_packages() -> None:
    """The options can be read in an environment without torch."""
    code = (
        "import sys; sys.modules['torch'] = sys.modules['selectolax'] = None;"
        "from scripts.build_model.__main__ import main; main(['--help'])"
    )
    finished = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stderr) == (0, "")
    for option in ("--out", "--work", "--texts-share", "--seed"):
        assert option in finished.stdout


def test_a_share_outside_its_range_is_a_usage_error() -> None:
    """Neither nothing nor more than everything can be used."""
    for share in ("0", "1.5", "-1", "some"):
        command = [sys.executable, "-m", "scripts.build_model", "--out", "x", "--texts-share", share]
        finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert finished.returncode == 2
        assert "--texts-share" in finished.stderr


def test_dictionary_entries_are_cut_by_the_index() -> None:
    """Offsets in base 64 find an entry; synonyms share it; marks and etymologies are gone; stubs are left out."""
    first = b"Sluice \\Sluice\\, n. [OF. escluse.]\n   A gate that holds {water} back [Obs.] or lets it go.\n"
    second = b"Vault\n   See cellar.\n"
    index = f"00-database-info\tA\tA\nSluice\tA\t{encoded(len(first))}\nSluice gate\tA\t{encoded(len(first))}\n"
    index += f"Vault\t{encoded(len(first))}\t{encoded(len(second))}\n"
    entries = entries_of(index.encode(), first + second)
    assert entries == [Entry("Sluice", "A gate that holds water back or lets it go.")]


def encoded(number: int) -> str:
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return digits[number // 64] + digits[number % 64]
