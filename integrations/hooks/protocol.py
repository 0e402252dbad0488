"""The wire between a coding agent and a hook: one JSON object in, one JSON object or nothing out.

Source: Claude Code's hook contract. Context reaches the model only as `hookSpecificOutput.additionalContext` with
    `hookEventName` equal to the event; anything else is ignored or shown as an error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

MAX_CONTEXT_CHARS = 9_000
"""The host cuts a string at 10,000 characters."""


class HookEvent(StrEnum):
    """Events that are answered, by the name `sluice hook` is given."""

    USER_PROMPT_SUBMIT = "user-prompt-submit"

    @property
    def host_name(self) -> str:
        """The host's own spelling."""
        return "".join(part.capitalize() for part in self.value.split("-"))


@dataclass(frozen=True, slots=True)
class HookInput:
    """What the host says. Every field is optional in practice.

    Attributes:
        prompt: What the person typed; empty where there is none.
        cwd: The session's working directory; empty where it is not told.
    """

    prompt: str = ""
    cwd: str = ""


def parse_input(data: bytes) -> HookInput | None:
    """Read standard input; None where it is empty, cut, not JSON or not an object."""
    try:
        fields = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(fields, dict):
        return None
    return HookInput(prompt=_text(fields.get("prompt")), cwd=_text(fields.get("cwd")))


def context_output(event: HookEvent, text: str) -> str:
    """Write the answer that adds context to the conversation."""
    output = {"hookEventName": event.host_name, "additionalContext": text[:MAX_CONTEXT_CHARS]}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=True)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
