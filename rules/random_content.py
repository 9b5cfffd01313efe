"""Random content is in the prompt.

## What it does
Reports text that a random choice put into the prompt: a tip of the day, shuffled
examples, a sampled persona.

## Why it breaks the prefix
The first token that another choice changes ends the cache, in every request if the
choice is made anew, in every session if it is stored.

## Example
    examples = random.sample(EXAMPLES, 3)

## Use instead
Choose by something that stays the same (the task's name), or seed the choice with the
session and put it behind everything that is stable.

## When to ignore
When the randomness is the experiment.

## References
- vybestack/llxprt-code, pull request 3142: a random call id at the head of the input
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_AXES = (Axis.REPEAT, Axis.STEP, Axis.TURN, Axis.NEW_SESSION)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that a random choice made."""
    for span, move in caused_by(layout, _AXES, CauseKind.RANDOM):
        each = "session" if move.axis is Axis.NEW_SESSION else "request"
        yield report(
            layout,
            span,
            move,
            options,
            message=f"a random choice that is made for every {each} is in the prompt",
            advice="choose by something that stays the same, or move it into the newest user turn",
        )


RULE = Rule(
    name="random-content",
    summary="random content is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(
                still(Source.BASE, 900),
                moving(Source.BASE, 60, Axis.REPEAT, Axis.NEW_SESSION, kind=CauseKind.RANDOM),
                still(Source.TOOLS, 3000),
            ),
            at=("base",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(
                moving(Source.BASE, 60, Axis.NEW_SESSION, kind=CauseKind.RANDOM),
                still(Source.PROJECT, 900),
            ),
            at=("base",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(layout(still(Source.BASE, 900)), "a choice with a fixed seed never moves"),
        Good(
            layout(moving(Source.IDENTITY, 9, Axis.REPEAT, kind=CauseKind.IDENTIFIER)),
            "an identifier has a rule of its own",
        ),
    ),
)
