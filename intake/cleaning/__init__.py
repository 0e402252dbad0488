"""From hostile HTML to clean Markdown, and from raw entries to signals."""

from __future__ import annotations

from intake.cleaning.entry_cleaning import clean_entry

__all__ = ["clean_entry"]
