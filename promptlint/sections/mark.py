"""A named run of one unit's text."""

from msgspec import Struct

from promptlint.layout import Confidence
from promptlint.location import Location


class Mark(Struct, frozen=True):
    """Characters `start` to `end` of a unit's text belong to `source`.

    `label` is the name shown to people, `origin` where the text was written.
    """

    start: int
    end: int
    source: str
    label: str
    confidence: Confidence = Confidence.HIGH
    origin: Location | None = None
