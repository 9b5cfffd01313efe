"""What may move although the captures do not show it: a date, a working directory, by its name.

Nothing was seen to move, so this is a guess: where more than a little stands behind it.
"""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from promptlint.captures.kinds import DATE
from promptlint.layout import Axis, Cause, CauseKind, Confidence, Evidence, Layout, Scope, Span
from promptlint.location import Location
from promptlint.worlds.compare import region
from promptlint.worlds.hunks import Hunk
from promptlint.worlds.moving import Trial
from promptlint.worlds.units import Unit

_LEAST_BEHIND = 256
"""Tokens."""
_DATE_LINE = re.compile(r"^.{0,20}\b(?:date|today|now)\b.{0,60}$", re.IGNORECASE | re.MULTILINE)
_FOLDER_LINE = re.compile(
    r"^.{0,20}\b(?:working[ _]directory|cwd|workspace root)\b.{0,12}?(?P<path>(?:[A-Z]:\\|/)\S+)",
    re.IGNORECASE | re.MULTILINE,
)


def guessed_trials(system: Unit, place: Location) -> Iterator[Trial]:
    """The dates and working directories that the lines of a system text name."""
    for line in _DATE_LINE.finditer(system.text):
        date = DATE.search(line[0])
        if date is not None:
            start, end = line.start() + date.start(), line.start() + date.end()
            yield _trial(system, start, end, Axis.DAY, Cause(CauseKind.CLOCK, location=place))
    for line in _FOLDER_LINE.finditer(system.text):
        cause = Cause(CauseKind.HOST, location=place)
        yield _trial(system, *line.span("path"), Axis.MACHINE, cause)


def _trial(system: Unit, start: int, end: int, axis: Axis, cause: Cause) -> Trial:
    scope = Scope.BETWEEN if axis is Axis.DAY else Scope.ACROSS
    found = region(system, "", Hunk(start, end, 0, 0))
    return Trial(axis, scope, (replace(found, cause=cause),))


def as_guess(layout: Layout) -> Layout:
    """The layout with all that moves in it marked as guessed; what loses little stays still."""
    return replace(layout, spans=tuple(map(_guessed, layout.spans)))


def _guessed(span: Span) -> Span:
    moves = tuple(move for move in span.moves if move.lost_tokens >= _LEAST_BEHIND)
    if not span.moving:
        return span
    return replace(span, moves=moves, evidence=Evidence.GUESSED, confidence=Confidence.LOW)
