"""What reading source gives."""

from enum import StrEnum

from msgspec import Struct

from promptlint.layout import Confidence, Layout
from promptlint.location import Location


class FactKind(StrEnum):
    """What only source can show: no rendering has to move for it to be true."""

    COMPLETION_ORDER = "completion-order"
    UNSORTED_JSON = "unsorted-json"
    HEAD_INSERT = "head-insert"
    FRAMEWORK_SWITCH = "framework-switch"
    UNSORTED_TOOLS = "unsorted-tools"


class SourceFact(Struct, frozen=True):
    """One such fact. `location` is the call; `trail` leads from it to the prompt, nearest first.

    `detail` is what was found: the switch and what it does, the argument of a call. Of
    unsorted tools it is what names a `tool` ("" if not known), `trail` where order was lost.
    """

    kind: FactKind
    location: Location
    detail: str
    trail: tuple[Location, ...] = ()
    confidence: Confidence = Confidence.MEDIUM

    def __str__(self) -> str:
        return f"{self.detail} ({self.location})"


class SourceError(Struct, frozen=True):
    """A file that could not be read. `cause` is one line."""

    path: str
    line: int | None
    cause: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.cause}"


class SourceReading(Struct, frozen=True):
    """The layouts and facts of a tree. `files_read` counts the files that were parsed.

    `ignoring` are those of them that speak to promptlint: they may hold ignores; `cut` those
    whose top level is too much to be evaluated to its end.
    """

    layouts: tuple[Layout, ...]
    facts: tuple[SourceFact, ...]
    errors: tuple[SourceError, ...]
    files_read: int
    ignoring: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
