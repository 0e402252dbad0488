"""The text of a note: properties for machines, a heading and the body for people."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import yaml

from intake.types import DimensionName
from vault_router.note_names import FALLBACK
from vault_router.plain_text import many_lines, one_line
from vault_router.routing import runner_up
from vault_router.tags import obsidian_tags

if TYPE_CHECKING:
    from pathlib import Path

    from intake.types import ScoreCard, Signal

_SCORE_DIGITS = 3
_EVIDENCE_CHARS = 120  # characters of a reason; the whole score card is in the ledger
_HEAD_BYTES = 65_536  # properties with a title of 5,000 characters take less than half of it
_NO_FOLDING = 1_000_000_000  # columns; folded lines are lost on simple readers of properties

_SLUICE_ID = re.compile(rb"sluice_id:[ \t]*[\"']?([0-9a-f]{16})[\"']?[ \t]*(?:#.*)?")
_NUMBER_LIKE = re.compile(r"[-+.]?[.0-9]")
# What Obsidian or CommonMark would read as markup inside a heading.
_MARKUP = re.compile(r"[\\`*\[\]<$]|(?<!\w)_|_(?!\w)|(?<!\S)#|#(?=\s*$)|&(?=#?\w{1,32};)|~(?=~)|=(?==)|%(?=%)")


def render_note(signal: Signal, card: ScoreCard, domain: str) -> str:
    """Write a note as text; the same bytes for the same arguments.

    The properties are `title, url, source, author, published, date_guessed` (only if so), `captured, domain, tags,
    scores, why, rules, sluice_id`. Below them stand the title as heading and the body, and one line feed at the end.

    Args:
        signal: What to write.
        card: Its score.
        domain: Name of the domain whose folder the note goes to.
    """
    properties = yaml.dump(
        _properties(signal, card, domain),
        Dumper=_PropertyDumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=_NO_FOLDING,
    )
    heading = _MARKUP.sub(r"\\\g<0>", " ".join(one_line(signal.title).split())) or FALLBACK
    body = many_lines(signal.body).strip("\n")
    return f"---\n{properties}---\n\n# {heading}\n" + (f"\n{body}\n" if body else "")


def read_sluice_id(path: Path) -> str | None:
    """Read which signal a note belongs to, from the head of the file alone.

    Returns:
        The id, or None where the file cannot be read, is no regular file, or has no such property.
    """
    try:
        if not path.is_file():  # opening a pipe would wait for its writer
            return None
        with path.open("rb") as handle:
            head = handle.read(_HEAD_BYTES)
    except OSError:
        return None
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    if not lines or lines[0].rstrip() != b"---":
        return None
    for line in lines[1:]:
        if line.rstrip() in {b"---", b"..."}:
            return None
        if found := _SLUICE_ID.fullmatch(line):
            return found[1].decode()
    return None


def _properties(signal: Signal, card: ScoreCard, domain: str) -> dict[str, object]:
    second = runner_up(card.domains, domain)
    own_tags = [domain] if second is None else [domain, second]
    properties: dict[str, object] = {
        "title": one_line(signal.title),
        "url": one_line(signal.url),
        "source": one_line(signal.source.title or signal.source.key),
        "author": one_line(signal.author),
        "published": _whole_seconds(signal.published),
    }
    if signal.date_guessed:
        properties["date_guessed"] = True
    return properties | {
        "captured": _whole_seconds(signal.captured),
        "domain": domain,
        "tags": obsidian_tags([*own_tags, *signal.source.tags, *signal.tags]),
        "scores": _scores(card),
        "why": strongest_reasons(card),
        "rules": card.rules,
        "sluice_id": _Identifier(signal.id),
    }


def _whole_seconds(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _scores(card: ScoreCard) -> dict[str, float]:
    scores = {name.value: round(card.dimension(name).value, _SCORE_DIGITS) for name in DimensionName}
    return scores | {"composite": round(card.composite, _SCORE_DIGITS)}


def strongest_reasons(card: ScoreCard) -> list[str]:
    """Name the strongest reason of each dimension that has one."""
    reasons = []
    for name in DimensionName:
        for evidence in card.dimension(name).evidence[:1]:
            label = " ".join(one_line(evidence.label).split())[:_EVIDENCE_CHARS]
            reasons.append(f"{name.value}: {label} ({evidence.amount:+.2f})")
    return reasons


class _Identifier(str):
    """Text that must stay text in every reader of YAML."""

    __slots__ = ()


class _PropertyDumper(yaml.SafeDumper):
    """The safe dumper, with times as Obsidian writes them and text that no version of YAML takes for a number.

    Not the one of libyaml, which writes emoji as escapes.
    """

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  every value is written out, none as a reference
        return True


def _represent_time(dumper: _PropertyDumper, moment: datetime) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:timestamp", moment.isoformat().replace("+00:00", "Z"))


def _represent_text(dumper: _PropertyDumper, text: str) -> yaml.ScalarNode:
    """Quote what YAML 1.2, as in Obsidian, reads as a number and YAML 1.1 does not, such as `1e5`."""
    style = "'" if _NUMBER_LIKE.match(text) and text.isprintable() else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_identifier(dumper: _PropertyDumper, identifier: _Identifier) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(identifier), style='"')


_PropertyDumper.add_representer(datetime, _represent_time)
_PropertyDumper.add_representer(str, _represent_text)
_PropertyDumper.add_representer(_Identifier, _represent_identifier)
