"""The ledger: what was seen, how far it has come, what people decided, and the state of every feed."""

from intake.ledger.ledger import Ledger
from intake.ledger.types import RecordedDecision, RecordReport

__all__ = ["Ledger", "RecordReport", "RecordedDecision"]
