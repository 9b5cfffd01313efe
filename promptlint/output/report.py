"""The report: the rendered section order of one prompt, as people show it to each other."""

from collections.abc import Iterator
from textwrap import wrap

from promptlint.cost import Costs
from promptlint.layout import (
    Axis,
    AxisState,
    Layout,
    Lifetime,
    Move,
    Scope,
    Source,
    Span,
    ToolsPosition,
)
from promptlint.output.plain import excerpt, one_line
from promptlint.output.rows import Row, rows
from promptlint.output.styled import LIFETIME_STYLES, Line
from promptlint.phrases import count, when
from promptlint.secrets import masked_part
from promptlint.stable import (
    first_mover,
    stable_between_tokens,
    stable_unedited_tokens,
    stable_within_tokens,
)

WIDTH = 80
_SHADES = {
    Lifetime.STATIC: "█",
    Lifetime.EDIT: "▓",
    Lifetime.DAY: "▒",
    Lifetime.SESSION: "▒",
    Lifetime.TURN: "░",
    Lifetime.REQUEST: "░",
}
_TOOLS = {
    ToolsPosition.AFTER_SYSTEM: "prints the tools after the system text",
    ToolsPosition.BEFORE_SYSTEM: "prints the tools before the system text",
    ToolsPosition.LAST_USER: "prints the tools in the newest user turn",
    ToolsPosition.NOT_RENDERED: "prints no tools",
}
_MOST_CHANGES = 8
_MOST_NAME = 18
_MOST_AXES = 26
_LEAST_ORIGIN = 11
_CONTEXT = 20
_VALUE = 24


def report_lines(layout: Layout, costs: Costs) -> Iterator[Line]:
    """The report of one layout, at most 80 columns wide where the names allow it."""
    yield from _head(layout)
    found = rows(layout)
    yield _bar(found, layout.tokens)
    yield from _table(found, layout)
    yield from _sentence(_stable(layout))
    yield from _changes(found, layout)
    yield from _cost(costs)
    yield from _remarks(layout)


def _head(layout: Layout) -> Iterator[Line]:
    about = "about " if layout.estimated else ""
    yield (
        (one_line(layout.prompt), "bold"),
        (f" · {one_line(layout.model)} · {about}{count(layout.tokens, 'token')}", ""),
    )
    whose = "assumed order: " if layout.assumed_order else "this template "
    position = _TOOLS.get(layout.tools_position) if layout.tools_position else None
    facts = [f"{whose}{position}"] if position else []
    yield from _sentence(" · ".join([*facts, "longest common prefix assumed"]), "dim")


def _bar(found: list[Row], total: int) -> Line:
    cells: list[tuple[str, str]] = []
    done = 0
    for row in found:
        before, done = done, done + row.tokens
        width = WIDTH * done // max(total, 1) - WIDTH * before // max(total, 1)
        cells.append((_SHADES[row.lifetime] * width, LIFETIME_STYLES[row.lifetime]))
    return tuple(cells)


def _table(found: list[Row], layout: Layout) -> Iterator[Line]:
    names = min(max([7, *(len(one_line(row.section)) for row in found)]), _MOST_NAME)
    axes = min(max([8, *(len(", ".join(row.axes)) for row in found)]), _MOST_AXES)
    head = f"{'#':>3} {'section':<{names}} {'tokens':>7} {'share':>5}  {'lifetime':<8}"
    yield ((f"{head}  {'moves on':<{axes}}  from", "bold"),)
    first = first_mover(layout)
    for number, row in enumerate(found, 1):
        share = round(100 * row.tokens / max(layout.tokens, 1))
        name = f"{excerpt(row.section, names):<{names}}"
        left = f"{number:>3} {name} {row.tokens:>7,} {share:>4}%  "
        mark = " ◀" if any(span is first for span in row.spans) else ""
        room = max(WIDTH - len(left) - 8 - 2 - axes - 2 - len(mark), _LEAST_ORIGIN)
        moves_on = f"{excerpt(', '.join(row.axes), axes):<{axes}}"
        rest = f"  {moves_on}  {_tail(_origin(row), room)}{mark}".rstrip()
        lifetime = f"{row.lifetime!s:<8}" if rest else str(row.lifetime)
        yield ((left, ""), (lifetime, LIFETIME_STYLES[row.lifetime]), (rest, ""))


def _origin(row: Row) -> str:
    if row.origin is None:
        return "chat template" if row.section == Source.TEMPLATE else ""
    line = f":{row.origin.line}" if row.origin.line else ""
    return one_line(f"{row.origin.path}{line}")


def _tail(text: str, width: int) -> str:
    return text if len(text) <= width else f"…{text[1 - width :]}"


def _stable(layout: Layout) -> str:
    total = max(layout.tokens, 1)
    within, between = stable_within_tokens(layout), stable_between_tokens(layout)
    unedited = stable_unedited_tokens(layout)
    text = f"Stable within a session: {within:,} of {layout.tokens:,} tokens"
    text += f" ({within * 100 // total}%); between sessions: {between:,}"
    text += f" ({between * 100 // total}%)"
    if unedited > between:
        edited = next(s.section for s in layout.spans if s.start_token == between and s.moving)
        text += f", or {unedited:,} while {edited} is not edited"
    return f"{text}."


def _changes(found: list[Row], layout: Layout) -> Iterator[Line]:
    """The first change of every moving section."""
    moving = [next(span for span in row.spans if span.moving) for row in found if row.axes]
    for span in moving[:_MOST_CHANGES]:
        move = min(span.moves, key=lambda move: list(Scope).index(move.scope))
        yield from _sentence(f"{span.section}, token {span.start_token:,}, when {when(move.axis)}:")
        yield _change(layout, span, move)
    if len(moving) > _MOST_CHANGES:
        yield ((f"… and {count(len(moving) - _MOST_CHANGES, 'more section')}", "dim"),)


def _change(layout: Layout, span: Span, move: Move) -> Line:
    assert span.start_char is not None
    start = max(span.start_char - _CONTEXT, 0)
    before = one_line(masked_part(layout.text, start, span.start_char))
    return (
        (f"    …{before[-_CONTEXT:]}", "dim"),
        (f"⟨{excerpt(move.before, _VALUE)}⟩", "bold"),
        (" → ", ""),
        (f"⟨{excerpt(move.after, _VALUE)}⟩", "bold"),
    )


def _cost(costs: Costs) -> Iterator[Line]:
    if not costs.today:
        yield from _sentence("Nothing of it is ever recomputed.")
        return
    text = f"Recomputed per 100 requests: {costs.today:,.0f} tokens"
    text += f" · best order this template allows: {costs.best:,.0f}"
    text += f" · frozen, coarsened or moved to the newest user turn: {costs.cured:,.0f}."
    yield from _sentence(text)
    if costs.best < costs.today:
        yield from _sentence(f"Best order of the system text: {' → '.join(costs.order)}.")


def _remarks(layout: Layout) -> Iterator[Line]:
    for state in (AxisState.NOT_EXERCISED, AxisState.FAILED):
        reasons: dict[str, list[str]] = {}
        for report in layout.axes:
            # That the model is not a world is no news in the report of one model.
            if report.state is state and report.axis is not Axis.MODEL:
                reasons.setdefault(report.why, []).append(report.axis)
        for why, axes in reasons.items():
            yield from _sentence(f"{state.value.capitalize()}: {', '.join(axes)} ({why}).", "dim")
    if not layout.exact:
        text = "Provenance is approximate: this template hides where some of its text came from."
        yield from _sentence(text, "dim")
    if layout.estimated:
        text = "Tokens are estimated: this model publishes no tokenizer, or none was given."
        yield from _sentence(text, "dim")
    for note in layout.notes:
        yield from _sentence(f"Note: {note}.", "dim")


def _sentence(text: str, style: str = "") -> Iterator[Line]:
    lines = wrap(one_line(text), WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return (((line, style),) for line in lines)
