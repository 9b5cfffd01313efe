"""The rows of a report: the spans of one section taken together."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from promptlint.layout import Axis, Layout, Lifetime, Part, Span
from promptlint.location import Location
from promptlint.worlds.axes import CLOCK_AXES


@dataclass(frozen=True, slots=True)
class Row:
    """One section as it stands in the rendered prompt."""

    section: str
    tokens: int
    lifetime: Lifetime
    axes: tuple[Axis, ...]
    origin: Location | None
    spans: tuple[Span, ...]


def rows(layout: Layout) -> Iterator[Row]:
    """The sections in rendered order. The template's line breaks inside a section belong to it."""
    for section, group in groupby(_named(layout), key=lambda pair: pair[0]):
        spans = [span for _, span in group]
        yield Row(
            section,
            sum(span.tokens for span in spans),
            min(span.lifetime for span in spans),
            _axes(spans),
            _origin(spans),
            tuple(spans),
        )


def _named(layout: Layout) -> Iterator[tuple[str, Span]]:
    spans = layout.spans
    for index, span in enumerate(spans):
        around = {other.section for other in (*spans[index - 1 : index], *spans[index + 1 :][:1])}
        blank = (
            span.part is Part.TEMPLATE and not layout.text[span.start_char : span.end_char].strip()
        )
        yield (around.pop() if blank and len(around) == 1 else span.section), span


def finest(axes: list[Axis]) -> list[Axis]:
    """The axes without the coarser clocks: what moves every minute moves every hour as well."""
    clocks = [axis for axis in CLOCK_AXES if axis in axes]
    return [axis for axis in axes if axis not in clocks[1:]]


def _axes(spans: list[Span]) -> tuple[Axis, ...]:
    moves = sorted(
        {(span.lifetime, list(Axis).index(move.axis)) for span in spans for move in span.moves}
    )
    axes = list(dict.fromkeys(list(Axis)[index] for _, index in moves))
    return tuple(finest(axes))


def _origin(spans: list[Span]) -> Location | None:
    """Where the section comes from: the call that moves it, else its longest run's place."""
    moving = next((span.origin for span in spans if span.moving and span.origin), None)
    longest = max(spans, key=lambda span: span.tokens)
    return moving or longest.origin
