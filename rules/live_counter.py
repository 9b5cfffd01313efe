"""A counter that runs is in the prompt.

## What it does
Reports numbers that change with every call, step or turn of one session: tokens used,
messages so far, the number of the turn, a budget that is left.

## Why it breaks the prefix
The count changes by design in every request, so nothing behind it is ever read from
the cache.

## Example
    prompt = f"{BASE}\\nTokens used so far: {self.used:,} of {LIMIT:,}"

## Use instead
Put the count into the newest user message or into a tool result. A count that is
frozen when the session starts (the size of a memory file) is fine, and not reported.

## When to ignore
When the count is coarse and changes a few times per session.

## References
- NousResearch/hermes-agent, pull request 18547: the reviewer was right, a frozen count is no fault
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import where
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_EVERY = {Axis.REPEAT: "request", Axis.STEP: "step", Axis.TURN: "turn"}


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each number that counts on within a session."""
    for span, move in caused_by(layout, tuple(_EVERY), CauseKind.COUNTER):
        yield report(
            layout,
            span,
            move,
            options,
            message=f"a counter in {where(span)} changes with every {_EVERY[move.axis]}",
            advice="into the newest user turn or a tool result",
        )


_COUNTER = moving(Source.BASE, 2, Axis.STEP, kind=CauseKind.COUNTER, texts=("4", "5"))

RULE = Rule(
    name="live-counter",
    summary="a counter that runs is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(still(Source.BASE, 900), _COUNTER, still(Source.TOOLS, 3000)),
            at=("base",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            layout(moving(Source.MEMORY, 9, Axis.EDIT_MEMORY, kind=CauseKind.FILE)),
            "a count in the header of a frozen memory moves between sessions only",
        ),
        Good(layout(still(Source.BASE, 900)), "a limit is a constant"),
    ),
)
