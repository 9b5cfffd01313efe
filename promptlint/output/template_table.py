"""Several templates side by side, and one prompt under several models."""

from collections.abc import Iterator, Sequence

from promptlint.layout import Layout
from promptlint.output.plain import excerpt, one_line
from promptlint.output.styled import Line
from promptlint.phrases import count
from promptlint.probes.compare import lost_per_axis
from promptlint.probes.template_facts import TemplateFacts

_COLUMN = 30
_DIFFERENT = "≠"

Row = tuple[str, tuple[str, ...]]
"""A label, and one value for each model."""


def templates_table(facts: Sequence[TemplateFacts]) -> Iterator[Line]:
    """The facts of several templates, one column each; rows that differ are marked."""
    yield from _table([fact.name for fact in facts], list(_template_rows(facts)))


def layouts_table(layouts: Sequence[Layout]) -> Iterator[Line]:
    """One prompt under several models: where the tools stand, and what each axis loses."""
    yield from _table([layout.model for layout in layouts], list(_layout_rows(layouts)))


def _template_rows(facts: Sequence[TemplateFacts]) -> Iterator[Row]:
    yield "tools", tuple(fact.tools.value for fact in facts)
    yield "date", tuple(_date(fact) for fact in facts)
    yield "system text", tuple(fact.system_text.value for fact in facts)
    yield "default system", tuple(fact.default_system or "none" for fact in facts)
    yield "second system", tuple(fact.second_system.value for fact in facts)
    yield "developer", tuple(fact.developer.value for fact in facts)
    yield "user parts", tuple(fact.user_parts.value for fact in facts)
    yield "system parts", tuple(fact.system_parts.value for fact in facts)
    yield "call arguments", tuple(fact.arguments.value for fact in facts)
    yield "tool key order", tuple("shows" if f.key_order_matters else "hidden" for f in facts)
    yield "arguments", tuple(", ".join(p.name for p in f.parameters) or "none" for f in facts)
    steps = sorted({made.step for fact in facts for made in fact.breaks})
    for step in steps:
        yield f"request {step} loses", tuple(_lost(fact, step) for fact in facts)
    switches = [dict.fromkeys(str(m.switch) for m in f.breaks if m.switch) for f in facts]
    yield "switch", tuple(", ".join(names) or "none" for names in switches)


def _date(facts: TemplateFacts) -> str:
    if not facts.dates:
        return "none"
    first = facts.dates[0]
    return f"{first.format} at {first.char:,}{f' {first.when}' if first.when else ''}"


def _lost(facts: TemplateFacts, step: int) -> str:
    for made in facts.breaks:
        if made.step == step:
            return f"{count(made.lost_chars, 'char')}: {made.cause.value}"
    return "nothing"


def _layout_rows(layouts: Sequence[Layout]) -> Iterator[Row]:
    yield "tools", tuple(str(layout.tools_position or "unknown") for layout in layouts)
    yield "tokens", tuple(f"{layout.tokens:,}" for layout in layouts)
    lost = [lost_per_axis(layout) for layout in layouts]
    for axis, scope in dict.fromkeys(key for one in lost for key in one):
        values = tuple(_loss(one.get((axis, scope))) for one in lost)
        yield f"{axis} ({scope})", values


def _loss(found: tuple[int, bool] | None) -> str:
    if found is None:
        return "does not move"
    tokens, history = found
    return f"{count(tokens, 'token')}{' and the history' if history else ''}"


def _table(names: Sequence[str], rows: Sequence[Row]) -> Iterator[Line]:
    label = max(len(name) for name, _ in (("", ()), *rows))
    widths = [
        min(max(len(name), *(len(one_line(values[i])) for _, values in rows)), _COLUMN)
        for i, name in enumerate(names)
    ]
    head = [f"{excerpt(name, width):<{width}}" for name, width in zip(names, widths, strict=True)]
    yield ((f"  {'':<{label}}  {'  '.join(head)}".rstrip(), "bold"),)
    for name, values in rows:
        same = len(set(values)) == 1
        mark = " " if same else _DIFFERENT
        cells = [f"{excerpt(v, width):<{width}}" for v, width in zip(values, widths, strict=True)]
        line = f"{mark} {name:<{label}}  {'  '.join(cells)}".rstrip()
        yield ((line, "dim" if same else ""),)
