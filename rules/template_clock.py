"""The chat template prints a date: its own, or one that the builder hands it.

## What it does
Reports text of the chat template itself that moves with the clock: a template may
call `strftime_now`, or print an argument (`date_string`) in which the builder hands it
a time.

## Why it breaks the prefix
The builder's text can be perfectly still and the rendered prompt move all the same.
Most of the templates that print a date print it at the very top, so the first request
after midnight recomputes everything. No public template prints more than a date.

## Example
    {{- "Current date: " + strftime_now("%Y-%m-%d") + "\\n" }}
    chat_template_kwargs={"date_string": f"{datetime.now():%d %b %Y %H:%M}"}

## Use instead
For the template's own date nothing in your code: know that a session that crosses
midnight is paid for once more. Where the template takes the date as an argument, hand it
the date on which the session started, and no time of day. A clock finer than a day in a
template is a fault: cut it to the date.

## When to ignore
A date costs one recomputation a day and is reported as information.

## References
- 23 of 847 public templates print a date by default, 20 of them before the system text
- 17 of 786 public templates print a date that the caller hands in
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Part, Source
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import SUB_DAY_AXES

_FREEZE = "hand the template the date on which the session started"
_OWN_DATE = (
    "hand the template the session's date if it takes one, "
    "else know that a session across midnight is paid for once more"
)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each run of the template's own text that moves with the clock."""
    for span in layout.moving():
        move = span.move_on(*SUB_DAY_AXES, Axis.DAY)
        if move is None or span.part is not Part.TEMPLATE:
            continue
        own = span.cause is None or span.cause.kind is CauseKind.TEMPLATE
        date = move.axis is Axis.DAY
        shown = "a date" if date else f"a clock with {move.axis.value} precision"
        advice = _OWN_DATE if date else "cut the template's clock to the date"
        yield report(
            layout,
            span,
            move,
            options,
            message=f"the chat template prints {shown} "
            + ("of its own" if own else "that the builder hands it"),
            advice=advice if own else _FREEZE,
            at_most=Severity.INFO if date else Severity.ERROR,
        )


RULE = Rule(
    name="template-clock",
    summary="the chat template prints a date: its own, or one that the builder hands it",
    check=check,
    bad=(
        Bad(
            layout(
                moving(Source.TEMPLATE, 8, Axis.DAY, kind=CauseKind.TEMPLATE, detail="%Y-%m-%d"),
                still(Source.BASE, 900),
                still(Source.TOOLS, 3000),
            ),
            at=("template",),
            severity=Severity.INFO,
        ),
        Bad(
            layout(
                moving(Source.TEMPLATE, 8, Axis.MINUTE, kind=CauseKind.TEMPLATE, detail="%H:%M"),
                still(Source.BASE, 900),
            ),
            at=("template",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(
                moving(Source.TEMPLATE, 8, Axis.MINUTE, kind=CauseKind.CLOCK, detail="%H:%M"),
                still(Source.BASE, 900),
            ),
            at=("template",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(
                moving(Source.TEMPLATE, 8, Axis.DAY, kind=CauseKind.CLOCK, detail="%d %b %Y"),
                still(Source.BASE, 900),
            ),
            at=("template",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(
            layout(still(Source.TEMPLATE, 20), still(Source.BASE, 900)),
            "a fixed cutoff date never moves",
        ),
        Good(
            layout(
                still(Source.BASE, 900), moving(Source.TIMESTAMP, 6, Axis.DAY, kind=CauseKind.CLOCK)
            ),
            "a date that the builder wrote is not the template's",
        ),
    ),
)
