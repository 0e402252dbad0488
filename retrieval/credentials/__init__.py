"""The credential filter: nothing secret is stored, embedded or handed out."""

from __future__ import annotations

from retrieval.credentials.filtering import PATTERN_NAMES, redact
from retrieval.credentials.types import Redaction

__all__ = ["PATTERN_NAMES", "Redaction", "redact"]
