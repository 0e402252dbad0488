"""The vocabulary of the router: where a signal goes, how a note came to the disk, what a delivery did."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from intake.types import Problem, SignalId  # noqa: TC001  field types are evaluated by readers of reports


@dataclass(frozen=True, slots=True)
class Routed:
    """The signal becomes a note at once.

    Attributes:
        domain: Name of the domain whose folder the note goes to.
        runner_up: Domain that fits nearly as well, or None; it becomes a tag.
    """

    domain: str
    runner_up: str | None = None


@dataclass(frozen=True, slots=True)
class Queued:
    """The signal waits for a person.

    Attributes:
        domain: Name of the domain it would be kept in unless the person names another.
        runner_up: Domain that fits nearly as well, or None.
    """

    domain: str
    runner_up: str | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """The signal stays in the ledger only.

    Attributes:
        domain: Name of the domain it would have been kept in; empty where no domain matches it.
        reason: Why, in words a person understands.
    """

    domain: str
    reason: str


Routing = Routed | Queued | Dropped


@dataclass(frozen=True, slots=True)
class Written:
    """The note is on the disk, and was not before.

    Attributes:
        path: Relative to the vault, with forward slashes.
    """

    path: str


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    """The note of this very signal lay there already and was left as it is: a person may have edited it.

    Attributes:
        path: Relative to the vault, with forward slashes.
    """

    path: str


@dataclass(frozen=True, slots=True)
class NameTaken:
    """Another file has the name; nothing was written.

    Attributes:
        path: Relative to the vault, with forward slashes.
    """

    path: str


WriteOutcome = Written | AlreadyThere | NameTaken


class Outcome(StrEnum):
    """How the way of a signal ended in one delivery."""

    WRITTEN = "written"  # its note is in the vault
    QUEUED = "queued"  # waits for a person
    DROPPED = "dropped"  # kept in the ledger only


@dataclass(frozen=True, slots=True)
class DeliveredItem:
    """One signal that came to its end in a delivery.

    Attributes:
        signal_id: Which signal.
        title: Its title.
        outcome: What became of it.
        domain: Domain it was routed to; empty where it was dropped and no domain matches it.
        composite: Its composite score, from 0 to 1.
        note_path: Path of its note relative to the vault; empty unless written.
        reason: Why it was dropped; empty otherwise.
        why: The strongest reason of each dimension.
    """

    signal_id: SignalId
    title: str
    outcome: Outcome
    domain: str
    composite: float
    note_path: str = ""
    reason: str = ""
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """What one delivery did.

    Attributes:
        written: Notes that are in the vault now, those a crashed run had begun included.
        queued: Signals that wait for a person since.
        dropped: Signals that were put aside.
        problems: One row per signal that stays pending, and why.
        items: One row per signal that came to its end, in the order of recording.
    """

    written: int = 0
    queued: int = 0
    dropped: int = 0
    problems: tuple[Problem, ...] = ()
    items: tuple[DeliveredItem, ...] = ()
