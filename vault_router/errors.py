"""The error tree of `vault_router`.

RouterError
├── UnsafeNotePath      a note would have to be written outside the vault
├── VaultNotWritable    the vault's folder refuses a note (permissions, full disk)
├── ReviewConflict      a signal is no longer in the queue: another window decided it
└── UnknownDomain       a person named a domain that is not configured
"""

from __future__ import annotations


class RouterError(Exception):
    """Any failure to route, write or review."""


class UnsafeNotePath(RouterError):
    """A path resolves to a place outside the vault, by name or through a link."""


class VaultNotWritable(RouterError):
    """The file system refused the note; the signal keeps its place in the ledger for the next run."""


class ReviewConflict(RouterError):
    """The signal was decided elsewhere in the meantime."""


class UnknownDomain(RouterError):
    """No configured domain has the name; the message lists those that have one."""
