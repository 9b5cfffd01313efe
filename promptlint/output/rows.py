"""The rows of a report: the spans of one section taken together."""

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from promptlint.layout import Axis, Layout, Lifetime, Part, Source, Span
from promptlint.location import Location
from promptlint.worlds.axes import CLOCK_AXES

_WORDS = frozenset({Source.BASE, Source.UNKNOWN})
_FEW = 16


class Row(Struct, frozen=True):
    """One section as it stands in the rendered prompt."""

    section: str
    tokens: int
    lifetime: Lifetime
    axes: tuple[Axis, ...]
    origin: Location | None
    spans: tuple[Span, ...]


def rows(layout: Layout) -> list[Row]:
    """The sections in rendered order. The template's line breaks inside a section belong to it.

    A few still words between two runs of one section (`cwd: `) are shown as part of it.
    """
    joined: list[tuple[tuple[str, bool], list[Span]]] = []
    for key, group in groupby(_named(layout), key=_row_of):
        spans = [span for _, span in group]
        if len(joined) > 1 and joined[-2][0] == key and _few_words(joined[-1][1], spans):
            between = joined.pop()[1]
            joined[-1][1].extend([*between, *spans])
        else:
            joined.append((key, spans))
    return [_row(section, spans) for (section, _), spans in joined]


def _few_words(spans: list[Span], around: list[Span]) -> bool:
    still = all(not span.moving and span.source in _WORDS for span in spans)
    one_part = {span.part for span in spans} == {span.part for span in around}
    return still and one_part and sum(span.tokens for span in spans) <= _FEW


def _row(section: str, spans: list[Span]) -> Row:
    return Row(
        section,
        sum(span.tokens for span in spans),
        min(span.lifetime for span in spans),
        _axes(spans),
        _origin(spans),
        tuple(spans),
    )


def _row_of(named: tuple[str, Span]) -> tuple[str, bool]:
    """What stands in one row. A value that moves inside the base prompt has one of its own."""
    section, span = named
    return section, span.source in _WORDS and span.moving


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
    return moving or max(spans, key=lambda span: span.tokens).origin
