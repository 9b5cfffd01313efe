"""Layout cost: tokens recomputed per 100 requests, and the order that costs least."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Axis, Layout, Part, Scope, Span
from promptlint.worlds.axes import CLOCK_AXES

# Changes per 100 requests. Assumed for a session of 50 requests, five to a user turn, about one a
# minute; a user who knows better sets `rates` in the config.
DEFAULT_RATES: Mapping[Axis, float] = {
    Axis.REPEAT: 100,
    Axis.STEP: 80,
    Axis.TURN: 20,
    Axis.SECOND: 100,
    Axis.MINUTE: 60,
    Axis.HOUR: 2,
    Axis.DAY: 0.5,
    Axis.MID_SESSION_EDIT: 4,
    Axis.CLOCK_AT_START: 2,
    Axis.HASH_SEED: 2,
    Axis.NEW_SESSION: 2,
    Axis.LISTING_ORDER: 0,
    Axis.TOOL_ORDER: 0,
    Axis.EDIT_MEMORY: 1,
    Axis.EDIT_SKILLS: 0.5,
    Axis.EDIT_WORKSPACE: 2,
    Axis.EDIT_PROJECT: 0.1,
    Axis.USER: 0,
    Axis.MACHINE: 0,
    Axis.MODEL: 0,
}

_ALWAYS = 100.0
_MOST_EXACT = 12

# What is left on these axes when the usual cures are applied: a date, and files that people edit.
_INCURABLE = frozenset(
    {Axis.DAY, Axis.EDIT_MEMORY, Axis.EDIT_SKILLS, Axis.EDIT_WORKSPACE, Axis.EDIT_PROJECT}
)


class Costs(Struct, frozen=True):
    """Tokens recomputed per 100 requests: today, in the best order, with the cures applied.

    `order` names the sections of the system text in the best order.
    """

    today: float
    best: float
    cured: float
    order: tuple[str, ...]


class _Run(Struct, frozen=True):
    tokens: int
    axes: frozenset[Axis]


class _Section(Struct, frozen=True):
    label: str
    runs: tuple[_Run, ...]

    @property
    def axes(self) -> frozenset[Axis]:
        return frozenset[Axis]().union(*(run.axes for run in self.runs))

    @property
    def tokens(self) -> int:
        return sum(run.tokens for run in self.runs)


def rate(axes: Iterable[Axis], rates: Mapping[Axis, float] = DEFAULT_RATES) -> float:
    """How many of 100 requests change on any of these axes; of nested clocks the largest counts."""
    moved = frozenset(axes)
    clocks = max((rates[axis] for axis in moved & frozenset(CLOCK_AXES)), default=0.0)
    others = sum(rates[axis] for axis in sorted(moved - frozenset(CLOCK_AXES)))
    return min(clocks + others, _ALWAYS)


def layout_cost(
    layout: Layout, rates: Mapping[Axis, float] = DEFAULT_RATES, history_tokens: int = 0
) -> float:
    """Tokens recomputed per 100 requests, with a history of `history_tokens` behind the prompt."""
    runs = [_Run(span.tokens, _axes(span)) for span in layout.spans]
    return _cost(runs, rates) + history_tokens * rate(_within(layout.spans), rates)


def costs(
    layout: Layout, rates: Mapping[Axis, float] = DEFAULT_RATES, history_tokens: int = 0
) -> Costs:
    """Today's cost, the best order that the template allows, and the cost with the cures applied.

    Only sections of the system text can be moved; the template fixes the rest. The
    order is exact for up to 12 moving sections and by rate per token beyond, and
    never worse than today's.
    """
    today = layout_cost(layout, rates, history_tokens)
    history = history_tokens * rate(_within(layout.spans), rates)
    best, order = _best(layout.spans, rates)
    cured, _ = _best([_cured(span) for span in layout.spans], rates)
    if best + history >= today:
        best, order = today - history, tuple(section.label for section in _split(layout.spans)[1])
    names = tuple(label for label, _ in groupby(order))
    return Costs(today, best + history, min(cured, best + history), names)


def _axes(span: Span) -> frozenset[Axis]:
    return frozenset(move.axis for move in span.moves)


def _within(spans: Iterable[Span]) -> frozenset[Axis]:
    return frozenset(move.axis for span in spans for move in span.moves_in(Scope.WITHIN))


def _cured(span: Span) -> Span:
    kept = (
        move
        for move in span.moves
        if move.axis in _INCURABLE and (move.scope is Scope.BETWEEN or move.axis is Axis.DAY)
    )
    return replace(span, moves=tuple(kept))


def _cost(
    runs: Iterable[_Run], rates: Mapping[Axis, float], moved: frozenset[Axis] = frozenset()
) -> float:
    total = 0.0
    for run in runs:
        moved |= run.axes
        total += run.tokens * rate(moved, rates)
    return total


def _split(spans: Sequence[Span]) -> tuple[list[_Run], list[_Section], list[_Run]]:
    """The fixed runs in front of the system text, its sections, the fixed runs behind it."""
    at = [index for index, span in enumerate(spans) if span.part is Part.SYSTEM]
    first, last = (at[0], at[-1] + 1) if at else (len(spans), len(spans))
    sections = [
        _Section(label, tuple(_Run(span.tokens, _axes(span)) for span in group))
        for label, group in groupby(spans[first:last], key=lambda span: span.section)
    ]
    before = [_Run(span.tokens, _axes(span)) for span in spans[:first]]
    after = [_Run(span.tokens, _axes(span)) for span in spans[last:]]
    return before, sections, after


def _best(spans: Sequence[Span], rates: Mapping[Axis, float]) -> tuple[float, tuple[str, ...]]:
    before, sections, after = _split(spans)
    still = [section for section in sections if not section.axes]
    moving = [section for section in sections if section.axes]
    head = frozenset[Axis]().union(*(run.axes for run in before))
    if len(moving) <= _MOST_EXACT:
        order = _exact(moving, head, rates)
    else:
        order = sorted(moving, key=lambda s: rate(s.axes, rates) / max(s.tokens, 1))
    ordered = [*still, *order]
    runs = [*before, *(run for section in ordered for run in section.runs), *after]
    return _cost(runs, rates), tuple(section.label for section in ordered)


def _exact(
    sections: Sequence[_Section], head: frozenset[Axis], rates: Mapping[Axis, float]
) -> list[_Section]:
    """The cheapest order by dynamic programming over the sets of sections already placed."""

    @cache
    def cheapest(placed: int) -> tuple[float, int | None]:
        rest = [i for i in range(len(sections)) if not placed >> i & 1]
        if not rest:
            return 0.0, None
        moved = head.union(*(s.axes for i, s in enumerate(sections) if placed >> i & 1))
        return min(
            (_cost(sections[i].runs, rates, moved) + cheapest(placed | 1 << i)[0], i) for i in rest
        )

    return list(_walk(sections, cheapest))


def _walk(
    sections: Sequence[_Section], cheapest: Callable[[int], tuple[float, int | None]]
) -> Iterator[_Section]:
    placed = 0
    while (chosen := cheapest(placed)[1]) is not None:
        yield sections[chosen]
        placed |= 1 << chosen
