"""`sluice review`: decide what waits for a person."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from integrations.cli.session import Session, command_options, emit_json, emit_lines, now, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from intake.types import LedgerEntry
    from vault_router import ReviewQueue


@click.group()
def review() -> None:
    """Decide what waits for a person: keep it as a note, or drop it.

    A signal is named by its id, or by as many leading characters of it as are needed.

    Example: sluice review keep 3f2a --domain security
    """


@review.command("list")
@command_options
def list_waiting(session: Session) -> None:
    """List what waits, best first."""
    with _queue(session) as queue:
        entries = queue.waiting()
    if session.json_wanted:
        emit_json([_as_dict(entry) for entry in entries])
        return
    emit_lines(
        f"{entry.signal.id}  {entry.card.composite if entry.card else 0:.2f}  {entry.domain:14} {entry.signal.title}"
        for entry in entries
    )
    say(f"{len(entries)} waiting")


@review.command()
@click.argument("signal_id", metavar="ID")
@command_options
def show(session: Session, signal_id: str) -> None:
    """Show a signal with its scores, their evidence and its text."""
    with _queue(session) as queue:
        entry = queue.show(signal_id)
    if session.json_wanted:
        emit_json({**_as_dict(entry), "body": entry.signal.body})
        return
    emit_lines(_describe(entry))


@review.command()
@click.argument("signal_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--domain", help="Keep it in this domain instead of the suggested one.")
@command_options
def keep(session: Session, signal_ids: tuple[str, ...], domain: str | None) -> None:
    """Write signals as notes."""
    with _queue(session) as queue:
        for signal_id in signal_ids:
            path = queue.keep(signal_id, at=now(), domain=domain)
            click.echo(path)


@review.command()
@click.argument("signal_ids", metavar="ID...", nargs=-1, required=True)
@command_options
def drop(session: Session, signal_ids: tuple[str, ...]) -> None:
    """Drop signals; the ledger keeps them."""
    with _queue(session) as queue:
        for signal_id in signal_ids:
            queue.drop(signal_id, at=now())
    say(f"dropped {len(signal_ids)}")


@contextmanager
def _queue(session: Session) -> Iterator[ReviewQueue]:
    from integrations.reviewing import open_queue  # noqa: PLC0415  imports the ledger and the router

    with open_queue(session.workspace()) as queue:
        yield queue


def _as_dict(entry: LedgerEntry) -> dict[str, object]:
    from intake.serialization import card_to_dict  # noqa: PLC0415  imported with the queue already

    signal = entry.signal
    return {
        "id": signal.id,
        "title": signal.title,
        "url": signal.url,
        "source": signal.source.title or signal.source.key,
        "published": signal.published.isoformat(),
        "domain": entry.domain,
        "state": entry.state.value,
        "card": card_to_dict(entry.card) if entry.card else None,
    }


def _describe(entry: LedgerEntry) -> Iterator[str]:
    signal = entry.signal
    yield signal.title
    yield f"{signal.source.title or signal.source.key}, {signal.published:%Y-%m-%d}  {signal.url}"
    if entry.card:
        yield f"composite {entry.card.composite:.2f}, suggested domain {entry.domain or 'none'}"
        for name in ("relevance", "actionability", "depth", "authority"):
            dimension = getattr(entry.card, name)
            reasons = ", ".join(f"{row.label} {row.amount:+.2f}" for row in dimension.evidence[:5])
            yield f"  {name:14} {dimension.value:.2f}  {reasons}"
    yield ""
    yield from signal.body.splitlines()
