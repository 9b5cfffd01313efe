from itertools import groupby, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptlint.cost import costs, layout_cost, rate
from promptlint.layout import Axis, Layout, Move, Part, Scope, Span

_AXES = [Axis.MINUTE, Axis.DAY, Axis.EDIT_MEMORY, Axis.MID_SESSION_EDIT, Axis.NEW_SESSION]


def _span(part: Part, section: str, tokens: int, axes: list[Axis]) -> Span:
    moves = tuple(Move(axis, Scope.BETWEEN) for axis in axes)
    return Span(section, part, 0, 0, 0, 0, section, tokens, moves)


def _layout(spans: list[Span]) -> Layout:
    return Layout("p", "m", tuple(spans), sum(span.tokens for span in spans))


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    system = [
        _span(
            Part.SYSTEM,
            f"s{i}",
            draw(st.integers(0, 500)),
            draw(st.lists(st.sampled_from(_AXES), max_size=2)),
        )
        for i in range(draw(st.integers(1, 5)))
    ]
    head = _span(Part.TEMPLATE, "template", 5, draw(st.lists(st.sampled_from(_AXES), max_size=1)))
    tools = _span(Part.TOOLS, "tools", draw(st.integers(0, 3000)), [])
    return _layout([head, *system, tools] if draw(st.booleans()) else [tools, head, *system])


def _brute_force(layout: Layout) -> float:
    fixed = [i for i, span in enumerate(layout.spans) if span.part is Part.SYSTEM]
    first, last = fixed[0], fixed[-1] + 1
    groups = [list(group) for _, group in groupby(layout.spans[first:last], lambda s: s.section)]
    return min(
        layout_cost(
            _layout([*layout.spans[:first], *(s for g in order for s in g), *layout.spans[last:]])
        )
        for order in permutations(groups)
    )


@given(layouts())
def test_the_best_order_is_what_brute_force_finds(layout: Layout) -> None:
    found = costs(layout)
    assert found.best == pytest.approx(_brute_force(layout))
    assert found.cured <= found.best <= found.today
    assert sorted(found.order) == sorted({s.section for s in layout.spans if s.part is Part.SYSTEM})


def test_nested_clocks_count_once() -> None:
    assert rate([Axis.MINUTE, Axis.HOUR, Axis.DAY, Axis.CLOCK_AT_START]) == rate([Axis.MINUTE])


def test_the_rate_is_capped_at_every_request() -> None:
    assert rate([Axis.REPEAT, Axis.MINUTE, Axis.EDIT_MEMORY]) == 100


def test_everything_behind_a_moving_section_is_recomputed() -> None:
    clock = _span(Part.SYSTEM, "timestamp", 10, [Axis.MINUTE])
    base = _span(Part.SYSTEM, "base", 1000, [])
    tools = _span(Part.TOOLS, "tools", 2000, [])
    found = costs(_layout([clock, base, tools]))
    assert found.today == 60 * 3010
    assert found.best == 60 * 2010
    assert found.cured == 0
    assert found.order == ("base", "timestamp")


def test_history_is_lost_on_axes_within_a_session() -> None:
    within = Span("t", Part.SYSTEM, 0, 0, 0, 0, "t", 10, (Move(Axis.MINUTE, Scope.WITHIN),))
    assert layout_cost(_layout([within]), history_tokens=1000) == 60 * 1010


def test_many_sections_fall_back_to_rate_per_token_and_are_never_worse() -> None:
    spans = [_span(Part.SYSTEM, f"s{i}", 10 * i, [_AXES[i % 5]]) for i in range(1, 20)]
    found = costs(_layout(spans))
    assert found.best <= found.today
