"""One mail, such as a newsletter saved as .eml.

Source: RFC 5322 and RFC 2045 ff., as the standard library reads them.
"""

from __future__ import annotations

import html
import re
from datetime import UTC
from email import message_from_bytes, policy
from email.errors import MessageError
from email.utils import parseaddr, parsedate_to_datetime
from typing import TYPE_CHECKING

from intake.types import RawEntry

if TYPE_CHECKING:
    from datetime import datetime

# What the standard library lets through on mails with broken headers, charsets or encodings.
_PARSER_FAILURES = (MessageError, ValueError, LookupError, AttributeError, TypeError, AssertionError, RecursionError)


def read_mail(data: bytes) -> RawEntry | str:
    """Read a mail: subject, sender, date and the HTML part, else the text part.

    Args:
        data: The bytes of the file.

    Returns:
        The entry, or why the mail cannot be taken in.
    """
    try:
        message = message_from_bytes(data, policy=policy.default)
        part = message.get_body(preferencelist=("html", "plain"))
        content = part.get_content() if part is not None else ""
        kind = part.get_content_subtype() if part is not None else "plain"
        subject, sender, identity = (str(message.get(name, "")) for name in ("Subject", "From", "Message-ID"))
        published = _date(str(message.get("Date", "")))
    except _PARSER_FAILURES as err:
        return f"is a mail that cannot be read ({type(err).__name__})"
    if not subject and not content.strip():
        return "is a mail without subject and text"
    body = content if kind == "html" else _as_html(content)
    author = parseaddr(sender)[0] or parseaddr(sender)[1]
    return RawEntry(guid=identity.strip(), title=subject, author=author, published=published, html=body)


def _as_html(text: str) -> str:
    """Write plain text as paragraphs, so that it is cleaned like every other text of a stranger."""
    paragraphs = re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n"))
    return "".join(f"<p>{html.escape(paragraph).replace(chr(10), '<br>')}</p>" for paragraph in paragraphs)


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
