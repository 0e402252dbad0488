"""The error tree of `intake`.

IntakeError
├── LedgerError         state.db cannot be opened, is damaged, or was written by a newer version
├── UnknownSignal       no signal in the ledger has the given id
├── MalformedOpml       a subscription list cannot be read
└── MalformedSignal     a line handed to `sluice score` or `sluice eval intake` is not a signal

What a feed does wrong is not an exception but a value: fetching returns `FetchFailed`, reading returns `NotAFeed`.
"""

from __future__ import annotations


class IntakeError(Exception):
    """Any failure of intake that a caller has to know about."""


class LedgerError(IntakeError):
    """The ledger cannot be used; the message says why and what to do."""


class UnknownSignal(IntakeError):
    """No signal has the id that was asked for, or more than one begins with it."""


class MalformedOpml(IntakeError):
    """A subscription list cannot be read, or names no feed."""


class MalformedSignal(IntakeError):
    """A line of a signals file cannot be read as a signal."""
