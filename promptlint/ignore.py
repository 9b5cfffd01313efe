"""Ignores that accept nothing."""

from msgspec import Struct

from promptlint.location import Location


class UnusedIgnore(Struct, frozen=True):
    """One rule of an ignore, as it is written, and why the ignore accepts nothing.

    It stands at `location`, or in the configuration of `prompt`.
    """

    rule: str
    why: str
    location: Location | None = None
    prompt: str | None = None

    def __str__(self) -> str:
        return f"{self.rule} ({self.location or self.prompt})"
