"""A clock finer than a day is in the prompt.

## What it does
Reports text that moves when the clock goes on by a second, a minute or an hour,
or that a session freezes at a time of day when it starts.

## Why it breaks the prefix
A prefix cache ends at the first token that differs. With minutes in the system
prompt that token comes back in every minute: all that the template prints behind
it (the rest of the system text, often the tools) and the whole conversation are
paid for again. Standing last in the system prompt does not help, because the
history still stands behind it.

## Example
    parts.append(f"Current time: {now:%Y-%m-%d %H:%M}")

## Use instead
Write the time into the newest user message, once, and store it there. Or keep
the date only: `f"{now:%Y-%m-%d}"`. Or let the model ask for the time with a tool.

## When to ignore
When the builder runs once per session and nothing but the history stands behind
the clock: set `rebuilt = "session"`, then only the loss between sessions counts.

## References
- home-assistant/core, pull request 152408: the time became a tool
- NousResearch/hermes-agent, pull request 20451: a date instead of a minute
- agno-agi/agno, issue 9094: a framework's switch with microseconds
"""

import re
from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Evidence, Layout, Move, Part, Source, Span
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import SUB_DAY_AXES

_DATE = re.compile(r"%-?[YymdBbAajeF](?:[-/. ,]*%-?[YymdBbAajeF])*")


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that shows a time of day."""
    for span in layout.moving():
        move = span.move_on(*SUB_DAY_AXES, Axis.CLOCK_AT_START) or _in_every_step(span)
        if move is None or span.part is Part.TEMPLATE or _is_age(span):
            continue
        when = "of the session's start " if move.axis is Axis.CLOCK_AT_START else ""
        yield report(
            layout,
            span,
            move,
            options,
            message=f"a clock {when}with {_precision(span)} precision is in the {_place(span)}",
            advice=f"into the newest user turn, or keep the date only{_date_only(span)}",
        )


def _in_every_step(span: Span) -> Move | None:
    """The move of a clock in the newest user message that is read again at each step."""
    clock = span.cause is not None and span.cause.kind is CauseKind.CLOCK
    return span.move_on(Axis.STEP) if clock and span.part is Part.MESSAGES else None


def _is_age(span: Span) -> bool:
    return span.cause is not None and span.cause.kind is CauseKind.AGE


def _precision(span: Span) -> str:
    finest = span.move_on(*SUB_DAY_AXES)
    return finest.axis.value if finest else "sub-day"


def _place(span: Span) -> str:
    return {Part.TOOLS: "tool definitions", Part.MESSAGES: "message history"}.get(
        span.part, "system prompt"
    )


def _date_only(span: Span) -> str:
    date = _DATE.search(span.cause.detail) if span.cause else None
    return f": {date[0]}" if date else ""


_CLOCK = moving(
    Source.TIMESTAMP,
    12,
    Axis.MINUTE,
    Axis.HOUR,
    kind=CauseKind.CLOCK,
    detail="%Y-%m-%d %H:%M",
    texts=("2026-11-30 12:10", "2026-11-30 12:11"),
)
_AT_START = moving(Source.TIMESTAMP, 12, Axis.CLOCK_AT_START, kind=CauseKind.CLOCK, detail="%H:%M")

RULE = Rule(
    name="sub-day-clock",
    summary="a clock finer than a day is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(still(Source.BASE, 900), _CLOCK, still(Source.TOOLS, 3000)),
            at=("timestamp",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(still(Source.TOOLS, 3000), still(Source.BASE, 900), _CLOCK),
            at=("timestamp",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(_CLOCK, still(Source.TOOLS, 3000), rebuilt=None),
            at=("timestamp",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(still(Source.BASE, 900), _AT_START, still(Source.TOOLS, 3000)),
            at=("timestamp",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(still(Source.TOOLS, 3000), still(Source.BASE, 900), _AT_START),
            at=("timestamp",),
            severity=Severity.INFO,
        ),
        Bad(
            layout(
                moving(
                    Source.TIMESTAMP,
                    12,
                    Axis.MINUTE,
                    kind=CauseKind.CLOCK,
                    evidence=Evidence.GUESSED,
                ),
                still(Source.BASE, 900),
            ),
            at=("timestamp",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(layout(still(Source.BASE, 900)), "a time that is quoted in an example never moves"),
        Good(
            layout(
                still(Source.BASE, 900), moving(Source.TIMESTAMP, 6, Axis.DAY, kind=CauseKind.CLOCK)
            ),
            "a date moves once a day and has a rule of its own",
        ),
        Good(
            layout(
                moving(Source.MEMORY, 40, Axis.MINUTE, kind=CauseKind.AGE), still(Source.BASE, 900)
            ),
            "an age label has a rule of its own",
        ),
    ),
)
