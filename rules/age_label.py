"""An age or a duration is in the prompt.

## What it does
Reports text such as `3 min ago` or `uptime 02:14` that moves with the clock although
it shows no time of day.

## Why it breaks the prefix
An age grows by itself. The label of one memory entry changes the prefix in every
minute, and with it all that stands behind.

## Example
    lines.append(f"{entry.text} ({age(now - entry.created)} ago)")

## Use instead
Print the date on which it happened: `(2026-11-28)`. The model can count.

## When to ignore
When the label is as coarse as days and stands at the end.

## References
- joshuadavidthomas/opencode-agent-memory, issue 29: a time of last change for each block
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import where
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import SUB_DAY_AXES

_AXES = (*SUB_DAY_AXES, Axis.CLOCK_AT_START, Axis.DAY)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that shows how long ago something was."""
    for span, move in caused_by(layout, _AXES, CauseKind.AGE):
        yield report(
            layout,
            span,
            move,
            options,
            message=f"an age that grows by itself is in {where(span)}",
            advice="print the date of the event instead, or move it into the newest user turn",
        )


_AGE = moving(Source.MEMORY, 6, Axis.MINUTE, kind=CauseKind.AGE, texts=("3 min ago", "4 min ago"))

RULE = Rule(
    name="age-label",
    summary="an age or a duration is in the prompt",
    check=check,
    bad=(
        Bad(layout(_AGE, still(Source.PROJECT, 900)), at=("memory",), severity=Severity.ERROR),
        Bad(
            layout(
                moving(Source.MEMORY, 6, Axis.DAY, kind=CauseKind.AGE), still(Source.PROJECT, 40)
            ),
            at=("memory",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(layout(still(Source.MEMORY, 40)), "the date of an event never moves"),
        Good(
            layout(moving(Source.TIMESTAMP, 6, Axis.MINUTE, kind=CauseKind.CLOCK)),
            "a time of day is a clock and has a rule of its own",
        ),
    ),
)
