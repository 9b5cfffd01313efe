"""Text marked safe for HTML, which a few templates rely on: it escapes what is added to it."""

# ruff: noqa: D102 - the public methods are those of `markupsafe.Markup`, and mean the same.

from collections.abc import Iterable
from typing import Any, SupportsIndex

from markupsafe import escape

from promptlint.templates.traced_text import TracedText, concatenated, mapped, pieces_of


class TracedMarkup(TracedText):
    """A `TracedText` that behaves like `markupsafe.Markup`."""

    __slots__ = ()

    def __html__(self) -> "TracedMarkup":
        return self

    def __repr__(self) -> str:
        return f"Markup({super().__repr__()})"

    def __str__(self) -> str:
        return concatenated([self])

    def __add__(self, other: str, /) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return super().__add__(escaped(other))

    def __radd__(self, other: str, /) -> str:
        if not isinstance(other, str):
            return NotImplemented
        return super().__radd__(escaped(other))

    def join(self, iterable: Iterable[Any], /) -> str:
        return super().join(escaped(item) for item in iterable)

    def replace(self, old: str, new: str, /, count: SupportsIndex = -1) -> str:
        return super().replace(old, escaped(new), count)


def escaped(text: str) -> TracedMarkup:
    """The text with HTML escapes, unless it is marked safe."""
    if not hasattr(text, "__html__"):
        text = mapped(text, lambda plain: str(escape(plain)))
    return TracedMarkup(text, pieces_of(text))
