"""The ledger's file: opening it, damage, versions, other processes, and being killed."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from intake.errors import LedgerError
from intake.ledger import Ledger
from intake.ledger.migrations import MIGRATIONS, Migration
from intake.ledger.signals import _PENDING_PAGE, _STATE_PAGE
from intake.types import FeedState, SignalState

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from intake.types import Signal

_OPEN_AND_RECORD = """
import sys
from pathlib import Path
from intake.ledger import Ledger
sys.stdin.readline()
with Ledger.open(Path(sys.argv[1])) as ledger:
    ledger.save_feed(ledger.feed_state("https://example.org/" + sys.argv[2]))
"""

_SAVE_FOR_EVER = """
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from intake.identity import signal_id
from intake.ledger import Ledger
from intake.types import FeedState, Signal, SourceKind, SourceRef

source = SourceRef(SourceKind.FEED, "https://example.org/feed")
now = datetime(2026, 3, 1, tzinfo=UTC)
plain = Signal("", source, "", "", "A title", "", now, False, now, (), "A text. " * 500)
with Ledger.open(Path(sys.argv[1])) as ledger:
    for batch in count(1):
        signals = [replace(plain, id=signal_id(str(batch), str(number))) for number in range(20)]
        ledger.save_feed(FeedState(source.key, etag=str(batch)), signals)
        print(batch, flush=True)
"""


def test_a_reopened_ledger_has_everything(tmp_path: Path, make_signal: Callable[..., Signal]) -> None:
    """What was recorded is there after closing and opening, and closing twice is harmless."""
    path = tmp_path / "new" / "state.db"
    with Ledger.open(path) as ledger:
        ledger.record([make_signal(1)])
    ledger.close()
    with Ledger.open(path) as ledger:
        assert ledger.counts()[SignalState.SEEN] == 1


def test_the_file_is_in_wal_mode_with_every_migration(tmp_path: Path) -> None:
    """Readers never block a run, and each step of the schema is recorded by its name."""
    path = tmp_path / "state.db"
    Ledger.open(path).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    names = [name for (name,) in connection.execute("SELECT name FROM migrations ORDER BY name")]
    assert names == [migration.name for migration in MIGRATIONS]
    connection.close()


def test_signals_in_a_state_are_found_by_an_index(tmp_path: Path) -> None:
    """Reading what is pending or queued neither walks over everything that was ever seen nor sorts."""
    path = tmp_path / "state.db"
    with Ledger.open(path) as ledger:
        plans = {
            sql: [row[3] for row in ledger._database.rows(f"EXPLAIN QUERY PLAN {sql}", parameters)]
            for sql, parameters in ((_PENDING_PAGE, (5,)), (_STATE_PAGE, ("queued", 5)))
        }
    assert plans == {
        _PENDING_PAGE: ["SEARCH signals USING INDEX signals_pending (sequence>?)"],
        _STATE_PAGE: ["SEARCH signals USING INDEX signals_by_state (state=? AND rowid>?)"],
    }


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A damaged file is named together with a way out, and is left as it is."""
    path = tmp_path / "state.db"
    path.write_bytes(b"this is no database, but it is long enough to be read as one" * 100)
    before = path.read_bytes()
    with pytest.raises(LedgerError, match=r"state\.db cannot be used: .*; restore it from a backup"):
        Ledger.open(path)
    assert path.read_bytes() == before


def test_damage_within_the_file_is_a_ledger_error(tmp_path: Path, make_signal: Callable[..., Signal]) -> None:
    """Damage that only shows when a page is read is reported in the same way."""
    path = tmp_path / "state.db"
    with Ledger.open(path) as ledger:
        ledger.record([make_signal(number, body="text " * 2000) for number in range(50)])
    data = bytearray(path.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(LedgerError, match="cannot be used"), Ledger.open(path) as ledger:
        list(ledger.entries())


def test_a_folder_in_its_place_is_a_ledger_error(tmp_path: Path) -> None:
    """Whatever keeps the file from being opened is an error of the ledger, not of the driver."""
    (tmp_path / "state.db").mkdir()
    with pytest.raises(LedgerError, match="cannot be used"):
        Ledger.open(tmp_path / "state.db")


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    """A schema with an unknown step is not touched: an older program would break it."""
    path = tmp_path / "state.db"
    Ledger.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO migrations VALUES ('999_something_new')")
    connection.commit()
    connection.close()
    with pytest.raises(LedgerError, match=r"newer version .it has 999_something_new."):
        Ledger.open(path)


def test_an_older_file_is_brought_up_to_date(tmp_path: Path, make_signal: Callable[..., Signal]) -> None:
    """A file that lacks the last step gets it and keeps its signals."""
    path = tmp_path / "state.db"
    with Ledger.open(path) as ledger:
        ledger.record([make_signal(1)])
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE decisions; DROP TABLE runs; DELETE FROM migrations WHERE name LIKE '003%'")
    connection.close()
    with Ledger.open(path) as ledger:
        assert list(ledger.decisions()) == []
        assert ledger.counts()[SignalState.SEEN] == 1


def test_threads_that_open_a_new_ledger_at_once_all_succeed(tmp_path: Path) -> None:
    """Whoever comes first makes the tables; the others wait for them."""
    path = tmp_path / "state.db"

    def open_and_save(number: int) -> None:
        with Ledger.open(path) as ledger:
            ledger.save_feed(FeedState(f"https://example.org/{number}"))

    with ThreadPoolExecutor(8) as executor:
        list(executor.map(open_and_save, range(8)))
    with Ledger.open(path) as ledger:
        assert len(ledger.feed_states()) == 8


@pytest.mark.kill
def test_processes_that_open_a_new_ledger_at_once_all_succeed(tmp_path: Path) -> None:
    """Two processes that make the file in the same moment both find a whole ledger."""
    path = tmp_path / "state.db"
    processes = [
        subprocess.Popen([sys.executable, "-c", _OPEN_AND_RECORD, str(path), str(number)], stdin=subprocess.PIPE)
        for number in range(3)
    ]
    for process in processes:
        process.communicate(b"\n")
    assert [process.returncode for process in processes] == [0, 0, 0]
    with Ledger.open(path) as ledger:
        assert len(ledger.feed_states()) == 3


@pytest.mark.kill
def test_a_killed_process_leaves_whole_transactions(tmp_path: Path) -> None:
    """After kill -9 at any moment, a feed's validator and the signals it stands for are both there or neither."""
    path = tmp_path / "state.db"
    for lines in (1, 7, 13):
        path.unlink(missing_ok=True)
        with subprocess.Popen(
            [sys.executable, "-c", _SAVE_FOR_EVER, str(path)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for _ in range(lines):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        with Ledger.open(path) as ledger:
            saved = int(ledger.feed_state("https://example.org/feed").etag)
            assert saved >= lines
            assert ledger.counts()[SignalState.SEEN] == 20 * saved
            assert ledger._database.row("PRAGMA integrity_check") == ("ok",)


def test_a_failure_within_a_transaction_undoes_it(tmp_path: Path, make_signal: Callable[..., Signal]) -> None:
    """Where a feed's signals cannot be recorded, its validators are not stored either."""
    with Ledger.open(tmp_path / "state.db") as ledger:
        ledger._database.run("CREATE TRIGGER refuse BEFORE INSERT ON feeds BEGIN SELECT raise(ABORT, 'no'); END")
        with pytest.raises(LedgerError, match="no"):
            ledger.save_feed(FeedState("https://example.org/", etag="x"), [make_signal(1)])
        assert ledger.counts()[SignalState.SEEN] == 0
        assert ledger.record([make_signal(1)]).new


def test_a_writer_that_does_not_end_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where another process keeps the write lock, waiting ends with what to do; reading goes on."""
    monkeypatch.setattr("intake.ledger.database.BUSY_TIMEOUT_MS", 20)
    path = tmp_path / "state.db"
    with Ledger.open(path) as first, Ledger.open(path) as second, first._database.transaction():
        with pytest.raises(LedgerError, match="another process is writing to it"):
            second.save_feed(FeedState("https://example.org/"))
        assert second.feed_states() == {}


def test_a_full_disk_is_named_and_undoes_the_transaction(tmp_path: Path, make_signal: Callable[..., Signal]) -> None:
    """Where there is no room, nothing of the transaction stays, and the ledger can be used afterwards."""
    with Ledger.open(tmp_path / "state.db") as ledger:
        ledger._database.run("PRAGMA max_page_count = 40")
        with pytest.raises(LedgerError, match="make room on the disk"):
            ledger.record([make_signal(number, body="text " * 2000) for number in range(100)])
        assert ledger.counts()[SignalState.SEEN] == 0
        assert ledger.record([make_signal(1)]).new


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step and its record are one transaction: a half-applied step is never seen."""
    broken = Migration("004_broken", ("CREATE TABLE half (a)", "CREATE TABLE half (a)"))
    path = tmp_path / "state.db"
    with monkeypatch.context() as patch:
        patch.setattr("intake.ledger.migrations.MIGRATIONS", (*MIGRATIONS, broken))
        patch.setattr("intake.ledger.database.MIGRATIONS", (*MIGRATIONS, broken))
        with pytest.raises(LedgerError, match="already exists"):
            Ledger.open(path)
    with Ledger.open(path) as ledger:
        assert ledger._database.rows("SELECT name FROM sqlite_schema WHERE name = 'half'") == []
