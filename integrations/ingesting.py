"""One ingest run: collect from every source, then take every signal to its end."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from config.process_lock import process_lock
from intake.collecting import collect_entries, collect_feeds
from intake.fetching import HttpFetcher
from intake.ledger import Ledger
from intake.scoring import Scorer
from intake.sources.drop_folder import DroppedFile, read_drop_folder
from intake.types import CollectReport, Problem, SourceKind, SourceRef
from vault_router import DeliveredItem, DeliveryReport, NoteWriter, deliver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from config.feeds import Feed
    from intake.fetching import Fetcher
    from intake.types import RawEntry
    from integrations.workspace import Workspace

JOB = "ingest"
"""Name of the run in the ledger."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest run did.

    Attributes:
        collected: What the sources brought.
        delivered: What became of every signal.
    """

    collected: CollectReport
    delivered: DeliveryReport

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that failed, from sources to notes."""
        return (*self.collected.problems, *self.delivered.problems)

    def as_dict(self) -> dict[str, object]:
        """Return the run as `sluice ingest --json` prints it."""
        return {
            "feeds": self.collected.feeds,
            "failed": self.collected.failed,
            "unchanged": self.collected.unchanged,
            "new": self.collected.new,
            "duplicates": self.collected.duplicates,
            "written": self.delivered.written,
            "queued": self.delivered.queued,
            "dropped": self.delivered.dropped,
            "problems": [asdict(problem) for problem in self.problems],
            "warnings": [asdict(warning) for warning in self.collected.warnings],
            "items": [_item_as_dict(item) for item in self.delivered.items],
        }


def ingest(
    workspace: Workspace,
    *,
    now: datetime,
    force: bool = False,
    fetcher: Fetcher | None = None,
    progress: Callable[[str], None] = lambda _step: None,
) -> IngestReport:
    """Fetch what is due, read the drop folder, and score, route and write what is new.

    A run that was killed is finished by the next one: signals are recorded before anything is done with them.

    Args:
        workspace: The vault.
        now: Time of the run.
        force: Ask feeds that are waiting after a failure, too.
        fetcher: How addresses are fetched; None fetches over HTTP.
        progress: Told what is being done.

    Raises:
        LockHeld: Another process is ingesting into this vault.
        ConfigError: Feeds or domains cannot be read.
        LedgerError: The ledger cannot be used.
    """
    feeds = workspace.feeds()
    with _ledger(workspace) as ledger:
        progress(f"fetching {len(feeds)} feeds")
        collected = _collect_feeds(feeds, ledger, workspace, fetcher, now=now, force=force)
        collected = _merge(collected, _collect_drop_folder(workspace, ledger, now=now))
        progress("scoring and routing")
        return IngestReport(collected, _deliver(workspace, ledger, now=now))


def take_in(workspace: Workspace, entries: Iterable[tuple[str, RawEntry]], *, now: datetime) -> IngestReport:
    """Record what a person captured, and score, route and write it.

    Args:
        workspace: The vault.
        entries: (identity, entry) pairs; an identity that was taken in before is left alone.
        now: Time of the capture.

    Raises:
        LockHeld: Another process is ingesting into this vault.
        LedgerError: The ledger cannot be used.
    """
    source = SourceRef(SourceKind.CAPTURE, "capture", title="Capture")
    with _ledger(workspace) as ledger:
        collected = collect_entries(entries, source, ledger, now=now)
        return IngestReport(collected, _deliver(workspace, ledger, now=now))


@contextmanager
def _ledger(workspace: Workspace) -> Iterator[Ledger]:
    """Open the ledger under the lock that makes this process the only one that writes notes."""
    state = workspace.vault.open_state()
    with process_lock(state / "ingest.lock"), Ledger.open(workspace.vault.ledger_file) as ledger:
        yield ledger


def _collect_feeds(  # noqa: PLR0913  a thin step of `ingest`
    feeds: tuple[Feed, ...],
    ledger: Ledger,
    workspace: Workspace,
    fetcher: Fetcher | None,
    *,
    now: datetime,
    force: bool,
) -> CollectReport:
    settings = workspace.settings.intake
    if fetcher is not None:
        return collect_feeds(feeds, ledger, fetcher, settings, now=now, force=force)
    with HttpFetcher(settings.fetch) as http:
        return collect_feeds(feeds, ledger, http, settings, now=now, force=force)


def _collect_drop_folder(workspace: Workspace, ledger: Ledger, *, now: datetime) -> CollectReport:
    name = workspace.settings.intake.drop_folder
    folder = workspace.vault.root / name
    if not folder.is_dir():
        return CollectReport()
    found = list(read_drop_folder(folder))
    entries = [(file.identity, file.entry) for file in found if isinstance(file, DroppedFile)]
    problems = tuple(problem for problem in found if isinstance(problem, Problem))
    report = collect_entries(entries, SourceRef(SourceKind.DROP, name, title="Drop folder"), ledger, now=now)
    return replace(report, problems=(*report.problems, *problems))


def _deliver(workspace: Workspace, ledger: Ledger, *, now: datetime) -> DeliveryReport:
    domains = workspace.domains()
    scorer = Scorer(domains, workspace.settings.intake)
    writer = NoteWriter(workspace.vault.root, workspace.settings.routing)
    return deliver(ledger, partial(scorer.score, now=now), domains, writer, workspace.settings.routing)


def _item_as_dict(item: DeliveredItem) -> dict[str, object]:
    fields = asdict(item)
    return {"id": fields.pop("signal_id"), **fields, "composite": round(item.composite, 4)}


def _merge(first: CollectReport, second: CollectReport) -> CollectReport:
    return CollectReport(
        feeds=first.feeds + second.feeds,
        failed=first.failed + second.failed,
        unchanged=first.unchanged + second.unchanged,
        new=first.new + second.new,
        duplicates=first.duplicates + second.duplicates,
        problems=(*first.problems, *second.problems),
        warnings=(*first.warnings, *second.warnings),
    )
