"""A date is in the prompt.

## What it does
Reports text that moves when the clock goes on by a day and by nothing less.

## Why it breaks the prefix
The first request after midnight, and the first of every later day's sessions,
recomputes all that stands behind the date. That is a fair price for a model that
knows the day, as long as the date stands as late as the template allows.

## Example
    prompt = f"Today is {date.today()}.\\n\\n{INSTRUCTIONS}\\n\\n{project_rules}"

## Use instead
Put the date behind everything that stays the same for longer, or into the newest
user message. Where the template prints the tools behind the system text, only the
user message keeps them.

## When to ignore
A date at the very end of the system prompt is usually meant: it is reported as
information and never fails a check.

## References
- anomalyco/opencode, issue 32622: a full rewrite across midnight
- can1357/oh-my-pi, issue 7324: the same trailing line cost 100 %, 54 % and 0 % at three providers
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Part, Source
from promptlint.phrases import count
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options, avoidable_tokens
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import SUB_DAY_AXES


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that shows a date."""
    for span in layout.moving():
        move = span.move_on(Axis.DAY)
        finer = span.move_on(*SUB_DAY_AXES, Axis.CLOCK_AT_START, Axis.REPEAT)
        if move is None or finer is not None or span.part is Part.TEMPLATE:
            continue
        if span.cause is not None and span.cause.kind is CauseKind.AGE:
            continue
        behind = avoidable_tokens(layout, span, move)
        late = behind < options.threshold
        yield report(
            layout,
            span,
            move,
            options,
            message="a date is in the prompt" + _how_late(behind, late=late),
            advice="into the newest user turn"
            if late
            else "behind the sections that change less often, or into the newest user turn",
        )


def _how_late(behind: int, *, late: bool) -> str:
    if not behind:
        return ", as late as the template allows"
    return f", with only {count(behind, 'token')} that could stand before it" if late else ""


_DATE = moving(
    Source.TIMESTAMP,
    6,
    Axis.DAY,
    kind=CauseKind.CLOCK,
    detail="%Y-%m-%d",
    texts=("2026-11-30", "2026-12-01"),
)

RULE = Rule(
    name="date-in-prefix",
    summary="a date is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_DATE, still(Source.BASE, 900), still(Source.TOOLS, 3000)),
            at=("timestamp",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(still(Source.BASE, 900), _DATE, still(Source.TOOLS, 3000)),
            at=("timestamp",),
            severity=Severity.INFO,
        ),
        Bad(
            layout(still(Source.BASE, 900), _DATE, still(Source.PROJECT, 100)),
            at=("timestamp",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(layout(still(Source.PROJECT, 300)), "a date that is quoted in AGENTS.md never moves"),
        Good(
            layout(
                moving(Source.TIMESTAMP, 9, Axis.MINUTE, Axis.DAY, kind=CauseKind.CLOCK),
                still(Source.BASE, 900),
            ),
            "what moves within a day is a clock and has a rule of its own",
        ),
    ),
)
