"""Get signals, clean them, know what was seen, and score them."""

from __future__ import annotations

from intake.errors import IntakeError, LedgerError, MalformedOpml, MalformedSignal, UnknownSignal
from intake.types import (
    CollectReport,
    Decision,
    Dimension,
    DimensionName,
    DomainMatch,
    Evidence,
    LedgerEntry,
    Problem,
    RawEntry,
    ScoreCard,
    Signal,
    SignalId,
    SignalState,
    SourceKind,
    SourceRef,
)

__all__ = [
    "CollectReport",
    "Decision",
    "Dimension",
    "DimensionName",
    "DomainMatch",
    "Evidence",
    "IntakeError",
    "LedgerEntry",
    "LedgerError",
    "MalformedOpml",
    "MalformedSignal",
    "Problem",
    "RawEntry",
    "ScoreCard",
    "Signal",
    "SignalId",
    "SignalState",
    "SourceKind",
    "SourceRef",
    "UnknownSignal",
]
