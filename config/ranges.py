"""The ranges of settings, in a form that both pydantic and the reference read, and that costs no import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Range(NamedTuple):
    """What is allowed for a number, or how long a text must be; None means no limit.

    Attributes:
        ge: Least value.
        gt: Value it must be above.
        le: Greatest value.
        min_length: Least number of characters.
    """

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    min_length: int | None = None

    def __get_pydantic_core_schema__(
        self,
        source: Any,  # noqa: ANN401  pydantic's own
        handler: Callable[[Any], dict[str, Any]],
    ) -> dict[str, Any]:
        """Add the limits to the schema of the annotated type: pydantic calls this where it builds a validator."""
        limits = {name: value for name, value in self._asdict().items() if value is not None}
        return {**handler(source), **limits}


Share = Annotated[float, Range(ge=0.0, le=1.0)]
"""A number from 0 to 1."""
NotNegative = Annotated[float, Range(ge=0.0)]
Positive = Annotated[float, Range(gt=0.0)]
Count = Annotated[int, Range(ge=1)]
Name = Annotated[str, Range(min_length=1)]
Folders = tuple[Name, ...]
