"""What a rule reports."""

from enum import IntEnum

from msgspec import Struct

from promptlint.layout import Axis, Confidence, Scope, Span
from promptlint.location import Location


class Severity(IntEnum):
    """How bad a finding is, by the loss that can be avoided."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    def __str__(self) -> str:
        return self.name.lower()


class Related(Struct, frozen=True):
    """A second place that belongs to a finding: a span, a line, another prompt."""

    note: str
    location: Location | None = None
    span: Span | None = None


class Finding(Struct, frozen=True):
    """One moving span, reported by the rule of its cause.

    `lost_tokens` and `total_tokens` are tokens of the rendered prompt.
    `facts` are the labelled lines of the full report (`moved when`, `loses`);
    `advice` says where to move the text.
    """

    rule: str
    severity: Severity
    confidence: Confidence
    message: str
    advice: str
    prompt: str | None = None
    model: str | None = None
    location: Location | None = None
    span: Span | None = None
    axis: Axis | None = None
    scope: Scope | None = None
    lost_tokens: int = 0
    history_lost: bool = False
    total_tokens: int = 0
    facts: tuple[tuple[str, str], ...] = ()
    related: tuple[Related, ...] = ()
