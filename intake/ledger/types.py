"""What the ledger hands out beside the types of `intake.types`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003  field types may be evaluated by readers
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from intake.types import Decision, SignalId


@dataclass(frozen=True, slots=True)
class RecordReport:
    """What recording some signals came to; ids that were known before are in neither list.

    Attributes:
        new: Recorded as SEEN, in the order given.
        duplicates: Recorded as DUPLICATE, in the order given.
    """

    new: tuple[SignalId, ...] = ()
    duplicates: tuple[SignalId, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A person's decision: a label to learn from.

    Attributes:
        signal_id: The signal it is about.
        decision: Kept or dropped.
        domain: The domain it was kept in, or would have been kept in.
        at: Aware UTC time.
    """

    signal_id: SignalId
    decision: Decision
    domain: str
    at: datetime
