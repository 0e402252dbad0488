"""What the ledger remembers of signals, and the moves it allows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from intake.errors import LedgerError, UnknownSignal
from intake.ledger import RecordedDecision, RecordReport
from intake.ledger.runs import KEPT_RUNS
from intake.ledger.signals import MAX_CHOICES, PAGE_SIZE
from intake.types import (
    Decision,
    Dimension,
    DomainMatch,
    FeedState,
    ScoreCard,
    SignalId,
    SignalState,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from intake.ledger import Ledger
    from intake.types import Signal

_NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
_CARD = ScoreCard(
    Dimension(0.5), Dimension(0.25), Dimension(0.0), Dimension(1.0), 0.4, (DomainMatch("data", 0.9),), "1"
)


def test_a_new_signal_is_seen(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """A signal is recorded as it is, waits as SEEN, and its id is known from then on."""
    signal = make_signal(1, title="Käse \U0001f9c0", body="Text.\n")
    assert ledger.record([signal]) == RecordReport(new=(signal.id,))
    (entry,) = ledger.pending()
    assert (entry.signal, entry.state, entry.card, entry.domain) == (signal, SignalState.SEEN, None, "")
    assert ledger.seen([signal.id, SignalId("f" * 16)]) == {signal.id}


def test_a_known_id_is_not_recorded_again(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """The same id, in another run or twice in one, changes nothing and is reported in neither list."""
    first, changed = make_signal(1), make_signal(1, title="Another headline")
    assert ledger.record([first, changed]).new == (first.id,)
    assert ledger.record([changed]) == RecordReport()
    assert [entry.signal for entry in ledger.entries()] == [first]


def test_more_ids_than_a_statement_takes_can_be_asked(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """Thousands of ids are looked up in one call."""
    ledger.record([make_signal(number) for number in range(0, 3000, 2)])
    found = ledger.seen(SignalId(f"{number:016x}") for number in range(3000))
    assert len(found) == 1500


def test_the_same_page_is_a_duplicate(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """A signal with a known canonical address, even from the same batch, refers to the first one."""
    page = "https://example.org/post"
    first, second, third = (make_signal(number, canonical_url=page) for number in (1, 2, 3))
    assert ledger.record([first, second]) == RecordReport(new=(first.id,), duplicates=(second.id,))
    assert ledger.record([third]).duplicates == (third.id,)
    assert ledger.original_of(second.id) == ledger.original_of(third.id) == first.id
    assert ledger.original_of(first.id) is None
    assert [entry.signal for entry in ledger.pending()] == [first]


def test_signals_without_address_and_fingerprint_are_no_duplicates(
    ledger: Ledger, make_signal: Callable[..., Signal]
) -> None:
    """Empty addresses and zero fingerprints say nothing, however often they occur."""
    assert len(ledger.record([make_signal(1), make_signal(2), make_signal(3)]).new) == 3


@pytest.mark.parametrize("base", [0x1234_5678_9ABC_DEF0, 0xFFFF_FFFF_FFFF_FFFF, 1 << 63])
@pytest.mark.parametrize(
    ("flipped", "duplicate"),
    [((), True), ((0, 20, 40), True), ((0, 1, 2), True), ((15, 31, 63), True), ((0, 20, 40, 60), False)],
)
def test_nearly_the_same_text_is_a_duplicate(
    ledger: Ledger,
    make_signal: Callable[..., Signal],
    base: int,
    flipped: tuple[int, ...],
    duplicate: bool,  # noqa: FBT001  a parameter of the case
) -> None:
    """Fingerprints up to three bits apart are one text, in whatever bands the bits lie; four bits are not."""
    near = base
    for bit in flipped:
        near ^= 1 << bit
    ledger.record([make_signal(1, fingerprint=base)])
    report = ledger.record([make_signal(2, fingerprint=near)])
    assert bool(report.duplicates) is duplicate
    assert [entry.signal.fingerprint for entry in ledger.entries()] == [base, near]


def test_a_duplicate_of_a_duplicate_refers_to_the_first(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """What repeats the text of a duplicate refers to the signal which that one repeats."""
    first = make_signal(1, canonical_url="https://example.org/a")
    second = make_signal(2, canonical_url="https://example.org/a", fingerprint=0xABCDEF)
    third = make_signal(3, canonical_url="https://example.org/b", fingerprint=0xABCDEE)
    ledger.record([first, second, third])
    assert ledger.original_of(third.id) == first.id


def test_pending_may_be_written_to_while_it_is_read(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """Every signal is handed out once, in the order of recording, although the reader moves each on."""
    numbers = range(2 * PAGE_SIZE + 5, 0, -1)
    ledger.record([make_signal(number) for number in numbers])
    handed_out = []
    for entry in ledger.pending():
        handed_out.append(int(entry.signal.id, 16))
        ledger.save_card(entry.signal.id, _CARD)
        ledger.drop(entry.signal.id, "")
    assert handed_out == list(numbers)
    assert list(ledger.pending()) == []


def test_pending_holds_what_a_run_has_to_finish(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """SEEN, SCORED and WRITING signals are pending with all that is known; queued and finished ones are not."""
    ledger.record([make_signal(number) for number in range(1, 6)])
    ids = [entry.signal.id for entry in ledger.entries()]
    for signal_id in ids[1:]:
        ledger.save_card(signal_id, _CARD)
    ledger.begin_writing(ids[2], "data", "Data/a.md")
    ledger.queue(ids[3], "data")
    ledger.begin_writing(ids[4], "data", "Data/b.md")
    ledger.finish_writing(ids[4])
    pending = list(ledger.pending())
    assert [entry.state for entry in pending] == [SignalState.SEEN, SignalState.SCORED, SignalState.WRITING]
    assert (pending[2].card, pending[2].domain, pending[2].note_path) == (_CARD, "data", "Data/a.md")
    assert [entry.signal.id for entry in ledger.entries(SignalState.WRITTEN)] == [ids[4]]
    assert ledger.counts() == {
        SignalState.SEEN: 1,
        SignalState.SCORED: 1,
        SignalState.QUEUED: 1,
        SignalState.DROPPED: 0,
        SignalState.WRITING: 1,
        SignalState.WRITTEN: 1,
        SignalState.DUPLICATE: 0,
    }


def test_a_move_checks_where_the_signal_is(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """A signal that is through is not moved back by a run that still has it in hand."""
    signal = make_signal(1)
    ledger.record([signal])
    ledger.save_card(signal.id, _CARD)
    ledger.begin_writing(signal.id, "data", "Data/a.md")
    ledger.finish_writing(signal.id)
    with pytest.raises(LedgerError, match="is written; it cannot become queued"):
        ledger.queue(signal.id, "data")
    with pytest.raises(LedgerError, match="is written; it cannot become scored"):
        ledger.save_card(signal.id, _CARD)
    with pytest.raises(UnknownSignal):
        ledger.drop(SignalId("f" * 16), "")


def test_a_note_keeps_its_place_to_itself(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """A path is taken for every spelling that some file system takes for the same file."""
    ledger.record([make_signal(1), make_signal(2)])
    first, second = (entry.signal.id for entry in ledger.entries())
    ledger.save_card(first, _CARD)
    ledger.save_card(second, _CARD)
    ledger.begin_writing(first, "data", "Data/Größe.md")
    assert ledger.path_taken("data/GRÖSSE.md") == first
    assert ledger.path_taken("Data/Gro\u0308ße.md") == first
    assert ledger.path_taken("Data/Other.md") is None
    assert ledger.path_taken("") is None
    with pytest.raises(LedgerError, match="belongs to signal"):
        ledger.begin_writing(second, "data", "data/größe.md")
    ledger.begin_writing(first, "data", "Data/Größe 2.md")
    ledger.begin_writing(second, "data", "data/größe.md")


def test_a_signal_is_found_by_the_beginning_of_its_id(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """A whole id or an unambiguous beginning finds one signal, in either case of letters."""
    ledger.record([make_signal(0xAB << 56), make_signal(0xAC << 56)])
    assert ledger.find("ab").signal.id == ledger.find("AB00000000000000 ").signal.id
    with pytest.raises(UnknownSignal, match=r"several ids.*ab00000000000000.*ac00000000000000"):
        ledger.find("a")
    for text in ("f", "", "%", "\udcff", "ab000000000000000"):
        with pytest.raises(UnknownSignal, match="no signal"):
            ledger.find(text)


def test_a_long_list_of_choices_is_cut(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """The message about an ambiguous id names some signals and says that there are more."""
    ledger.record([make_signal(number) for number in range(MAX_CHOICES + 5)])
    with pytest.raises(UnknownSignal, match="and more") as caught:
        ledger.find("0")
    assert str(caught.value).count("(A title)") == MAX_CHOICES


@pytest.fixture
def queued(ledger: Ledger, make_signal: Callable[..., Signal]) -> SignalId:
    signal = make_signal(1)
    ledger.record([signal])
    ledger.save_card(signal.id, _CARD)
    ledger.queue(signal.id, "data")
    return signal.id


def test_keeping_gives_the_note_its_place_at_once(ledger: Ledger, queued: SignalId) -> None:
    """A kept signal is WRITING in the same transaction that records the label."""
    assert ledger.decide(queued, Decision.KEEP, domain="ai", at=_NOW, note_path="AI/a.md")
    entry = ledger.find(queued)
    assert (entry.state, entry.domain, entry.note_path) == (SignalState.WRITING, "ai", "AI/a.md")
    assert list(ledger.decisions()) == [RecordedDecision(queued, Decision.KEEP, "ai", _NOW)]


def test_keeping_without_a_place_leaves_it_to_be_written(ledger: Ledger, queued: SignalId) -> None:
    """Without a path a kept signal goes back to SCORED, from where writing may begin."""
    assert ledger.decide(queued, Decision.KEEP, domain="ai", at=_NOW)
    assert ledger.find(queued).state is SignalState.SCORED
    ledger.begin_writing(queued, "ai", "AI/a.md")


def test_dropping_leaves_the_signal_in_the_ledger(ledger: Ledger, queued: SignalId) -> None:
    """A dropped signal is DROPPED with a label; deciding again changes nothing and says so."""
    assert ledger.decide(queued, Decision.DROP, domain="data", at=_NOW)
    assert not ledger.decide(queued, Decision.KEEP, domain="data", at=_NOW, note_path="Data/a.md")
    assert ledger.find(queued).state is SignalState.DROPPED
    assert [row.decision for row in ledger.decisions()] == [Decision.DROP]


def test_a_decision_that_cannot_be_carried_out_leaves_no_label(
    ledger: Ledger, queued: SignalId, make_signal: Callable[..., Signal]
) -> None:
    """Where the note's place belongs to another signal, neither state nor label changes."""
    other = make_signal(2)
    ledger.record([other])
    ledger.save_card(other.id, _CARD)
    ledger.begin_writing(other.id, "data", "Data/a.md")
    with pytest.raises(LedgerError, match="belongs to signal"):
        ledger.decide(queued, Decision.KEEP, domain="data", at=_NOW, note_path="Data/A.md")
    assert ledger.find(queued).state is SignalState.QUEUED
    assert list(ledger.decisions()) == []


def test_feeds_are_remembered(ledger: Ledger) -> None:
    """Everything about a feed comes back as it was; an unknown feed has a fresh state."""
    url = "https://example.org/feed"
    assert ledger.feed_state(url) == FeedState(url=url, current_url=url)
    state = FeedState(
        url=url,
        current_url="https://example.org/new",
        title="Ein Feed",
        etag='W/"a\u00ffb"',
        last_modified="Sun, 01 Mar 2026 12:00:00 GMT",
        next_try=_NOW + timedelta(microseconds=5),
        failures=3,
        gone=True,
        id_policy="hash",
        last_status=410,
        last_error="gone",
        checked=_NOW,
    )
    ledger.save_feed(FeedState(url=url))
    ledger.save_feed(state)
    assert ledger.feed_state(url) == state
    assert ledger.feed_states() == {url: state}


def test_text_that_is_no_unicode_is_stored_all_the_same(ledger: Ledger, make_signal: Callable[..., Signal]) -> None:
    """A lone surrogate, which a feed can smuggle in, fails neither a feed nor a signal."""
    ledger.save_feed(FeedState(url="https://example.org/", title="a\udc80b"), [make_signal(1, title="a\udc80b")])
    assert ledger.feed_state("https://example.org/").title == "a?b"
    assert ledger.find("0").signal.title == "a\udc80b"


def test_the_last_run_of_a_job_is_remembered(ledger: Ledger) -> None:
    """The start of the last run counts, for each job on its own; only so many runs are kept."""
    assert ledger.last_run("ingest") is None
    for minutes in range(KEPT_RUNS + 3):
        started = _NOW + timedelta(minutes=minutes)
        ledger.save_run("ingest", started=started, finished=started, outcome="ok")
    ledger.save_run("index", started=_NOW, finished=_NOW, outcome="failed: \udcff")
    assert ledger.last_run("ingest") == _NOW + timedelta(minutes=KEPT_RUNS + 2)
    assert ledger.last_run("index") == _NOW
    assert ledger._database.row("SELECT count(*) FROM runs") == (KEPT_RUNS + 1,)
