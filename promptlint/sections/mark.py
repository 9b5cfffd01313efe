"""A named run of one unit's text."""

from dataclasses import dataclass

from promptlint.layout import Confidence
from promptlint.location import Location


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start` to `end` of a unit's text belong to `source`.

    `label` is the name shown to people, `origin` where the text was written.
    """

    start: int
    end: int
    source: str
    label: str
    confidence: Confidence = Confidence.HIGH
    origin: Location | None = None
