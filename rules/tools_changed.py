"""The set of tools changes within a session.

## What it does
Reports tool definitions that come, go or change their order from one step or turn to
the next.

## Why it breaks the prefix
A tool that is added in the middle of a session changes the prompt where the tools
stand: at the very head for many templates and services. The system text behind it and
the whole conversation are recomputed.

## Example
    tools = BASE_TOOLS + (EDIT_TOOLS if plan.approved else [])

## Use instead
Declare all tools from the start, and refuse the call of one that is not allowed yet;
some services take a list of allowed tools beside the definitions. Services that see
this fault call it `tools_changed`.

## When to ignore
When the set changes once, before the conversation grows long.

## References
- can1357/oh-my-pi, pull request 890: a server's tools were removed and appended again
- pydantic/logfire, issue 1930: a list whose order flapped in 6 % of calls
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Layout, Part, Source
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_WHEN = {Axis.STEP: "a step", Axis.TURN: "a turn"}


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each run of tools that another step or turn changed."""
    for span in layout.moving():
        move = span.move_on(*_WHEN)
        if move is None or span.part is not Part.TOOLS:
            continue
        if not span.order and '"name"' not in move.before + move.after:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"the set of tools changes from {_WHEN[move.axis]} to the next",
            advice="declare all tools from the start, in one order, and refuse what is not allowed",
        )


RULE = Rule(
    name="tools-changed",
    summary="the set of tools changes within a session",
    check=check,
    bad=(
        Bad(
            layout(
                still(Source.TOOLS, 900),
                moving(Source.TOOLS, 90, Axis.TURN, texts=("", '{"name": "deploy"}')),
                still(Source.BASE, 900),
            ),
            at=("tools",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(
                moving(Source.TOOLS, 900, Axis.STEP, order=True),
                still(Source.BASE, 900),
            ),
            at=("tools",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            layout(moving(Source.TOOLS, 9, Axis.TURN, texts=("3 notes", "4 notes"))),
            "a description that changes under a name that stays has a rule of its own",
        ),
        Good(layout(still(Source.TOOLS, 900)), "a fixed set never moves"),
    ),
)
