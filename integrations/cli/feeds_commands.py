"""`sluice feeds`: the subscriptions of a vault."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from config.errors import InvalidSettings
from config.feeds import Feed, load_feeds, parse_feed
from config.feeds_editing import add_feeds, remove_feed
from integrations.cli.session import NOTHING_TO_DO, Session, command_options, emit_json, emit_lines, fail, say

if TYPE_CHECKING:
    from datetime import datetime


@click.group()
def feeds() -> None:
    """Add, list, remove, import and export feeds.

    Example: sluice feeds add https://example.org/feed.xml --tag python
    """


@feeds.command()
@click.argument("urls", metavar="URL...", nargs=-1, required=True)
@click.option("--title", default="", help="What you call it; else the feed's own title.")
@click.option("--tag", "tags", multiple=True, help="Put on every note from it; may be given again.")
@click.option("--local", is_flag=True, help="Allow loopback and private addresses.")
@command_options
def add(session: Session, urls: tuple[str, ...], title: str, tags: tuple[str, ...], *, local: bool) -> None:
    """Subscribe to one or more feeds."""
    wanted = [Feed(url, title=title, tags=tags, local=local) for url in urls]
    _add(session, wanted)


@feeds.command("list")
@command_options
def list_feeds(session: Session) -> None:
    """List subscriptions with the outcome of the last try."""
    from intake.ledger import Ledger  # noqa: PLC0415  not needed for adding

    workspace = session.workspace()
    with Ledger.open(workspace.vault.ledger_file) as ledger:
        states = {feed.url: ledger.feed_state(feed.url) for feed in workspace.feeds()}
    rows = [
        {
            **asdict(feed),
            "title": feed.title or states[feed.url].title,
            "status": states[feed.url].last_status,
            "error": states[feed.url].last_error,
            "checked": _as_text(states[feed.url].checked),
        }
        for feed in workspace.feeds()
    ]
    if session.json_wanted:
        emit_json(rows)
    else:
        emit_lines(f"{row['url']}  {row['title']}  {row['error'] or row['status'] or 'not asked yet'}" for row in rows)


@feeds.command()
@command_options
def health(session: Session) -> None:
    """Show what each feed has been worth, and which ones to remove.

    Example: sluice feeds health
    """
    from integrations.feed_health import examine_feeds  # noqa: PLC0415  not needed for adding

    rows = examine_feeds(session.workspace())
    if session.json_wanted:
        emit_json([asdict(row) for row in rows])
    else:
        emit_lines(
            f"{row.kept:5} kept {row.queued:5} queued {row.dropped:5} dropped  {row.title or row.url}"
            f"  {row.suggestion or row.last_error}".rstrip()
            for row in rows
        )


@feeds.command()
@click.argument("url")
@command_options
def remove(session: Session, url: str) -> None:
    """Unsubscribe; notes and what was seen stay."""
    if not remove_feed(session.workspace().vault.feeds_file, url):
        fail(f"{url} is not among the feeds; see: sluice feeds list")


@feeds.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--local", is_flag=True, help="Allow loopback and private addresses for these feeds.")
@command_options
def import_opml(session: Session, file: Path, *, local: bool) -> None:
    """Subscribe to every feed of an OPML file."""
    from intake.sources.opml import read_opml  # noqa: PLC0415  only here

    _add(session, [replace(feed, local=local) for feed in read_opml(file.read_bytes())])


@feeds.command()
@command_options
def export(session: Session) -> None:
    """Print the subscriptions as OPML."""
    from intake.sources.opml import write_opml  # noqa: PLC0415  only here

    click.echo(write_opml(session.workspace().feeds(), title="Vaultsluice feeds"), nl=False)


def _add(session: Session, wanted: list[Feed]) -> None:
    path = session.workspace().vault.feeds_file
    refused = {feed.url: reason for feed in wanted if (reason := _refusal(feed))}
    if len(refused) == len(wanted) == 1:
        fail(next(iter(refused.values())))
    added = add_feeds(path, [feed for feed in wanted if feed.url not in refused])
    for reason in refused.values():
        say(f"left out: {reason}")
    if session.json_wanted:
        emit_json({"added": [f.url for f in added], "left_out": list(refused), "feeds": len(load_feeds(path))})
    else:
        say(f"added {len(added)}; {len(wanted) - len(added) - len(refused)} were there already")
    if not added:
        raise SystemExit(NOTHING_TO_DO)


def _as_text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _refusal(feed: Feed) -> str:
    """Return why an address cannot be subscribed to, or an empty string: one bad line must not stop an import."""
    try:
        parse_feed(feed.url, "feed")
    except InvalidSettings as err:
        return str(err)
    return ""
