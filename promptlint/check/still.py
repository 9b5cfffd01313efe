"""One story: what a rendering ran and saw stay still, reading does not take for moving."""

from collections.abc import Sequence

from msgspec.structs import replace

from promptlint.layout import CauseKind, Layout, Lifetime, Move, Span
from promptlint.measure.prompt import MeasuredPrompt
from promptlint.source.reading import SourceReading
from promptlint.worlds.axes import EDITS, lifetime_of

_TIMES = frozenset({CauseKind.CLOCK, CauseKind.AGE})


def without_still(reading: SourceReading, measured: Sequence[MeasuredPrompt]) -> SourceReading:
    """The reading without the moves of text that was measured to stay still."""
    layouts = (
        replace(layout, spans=tuple(_moving(span, layout, measured) for span in layout.spans))
        for layout in reading.layouts
    )
    return replace(reading, layouts=tuple(layouts))


def may_be_still(layout: Layout) -> bool:
    """Whether a rendering can tell of some move of a layout from source that there is none."""
    return any(_can_be_told(span, move) for span in layout.moving() for move in span.moves)


def _moving(span: Span, layout: Layout, measured: Sequence[MeasuredPrompt]) -> Span:
    moves = tuple(
        move
        for move in span.moves
        if not any(_stayed_still(span, move, layout, prompt) for prompt in measured)
    )
    if len(moves) == len(span.moves):
        return span
    lasting = (lifetime_of(move.axis, move.scope) for move in moves)
    return replace(span, moves=moves, lifetime=min(lasting, default=Lifetime.STATIC))


def _can_be_told(span: Span, move: Move) -> bool:
    """Whether a rendering that moved nothing proves anything.

    That a file was edited does not say that it is the one which the line reads, and chance
    may give the same answer twice.
    """
    random = span.cause is None or span.cause.kind is CauseKind.RANDOM
    return not random and move.axis not in EDITS


def _stayed_still(span: Span, move: Move, layout: Layout, prompt: MeasuredPrompt) -> bool:
    """Whether the builder's call made this very prompt, and nothing of the kind moved.

    A line that ran, perhaps when its module was imported, may still serve another prompt:
    the whole way must have run, and the call itself the place where the prompt is made.
    """
    cause, tried = span.cause, prompt.exercised
    if cause is None or cause.location is None or layout.location is None:
        return False
    return (
        _can_be_told(span, move)
        and (move.axis, move.scope) in tried.axes
        and all(map(tried.ran, (cause.location, *cause.trail)))
        and tried.called(layout.location)
        and not any(_moved(measured, move, cause.kind) for measured in prompt.layouts)
    )


def _moved(measured: Layout, move: Move, kind: CauseKind) -> bool:
    """Whether text moved on the same axis that such a call may have made."""
    kinds = {*(_TIMES if kind in _TIMES else {kind}), CauseKind.OTHER}
    return any(
        span.cause is None or span.cause.kind in kinds
        for span in measured.moving()
        if any((own.axis, own.scope) == (move.axis, move.scope) for own in span.moves)
    )
