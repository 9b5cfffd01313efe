"""A line about the user, the machine or the model is in the prompt.

## What it does
Reports text that differs for another user or another machine: a user's name, a host
name, a home or working directory, a locale, a time zone.

## Why it breaks the prefix
For one user on one machine it does not. Where many users or machines share a cache
(`audience = "many"`), everything behind the line is stored once for each of them.

## Example
    prompt = f"You help {user.name} on {socket.gethostname()}.\\n\\n{HANDBOOK}"

## Use instead
Put the shared text first and the line last, or into the first user message.

## When to ignore
When the cache is not shared: then it is reported as information.

## References
- NousResearch/hermes-agent, issue 100336: model and provider lines at the end of the prompt
- openclaw/openclaw, pull request 19563: a line with node and model
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Scope, Source
from promptlint.phrases import subject
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_ABOUT = {Axis.USER: "the user", Axis.MACHINE: "the machine", Axis.MODEL: "the model"}


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that moves for another user or machine, and for nothing else."""
    for span in layout.moving():
        move = span.move_on(*_ABOUT)
        if move is None or any(other.scope is not Scope.ACROSS for other in span.moves):
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{subject(span)} tells of {_ABOUT[move.axis]}",
            advice="behind what all users share, or into the first user message",
        )


_HOST = moving(Source.ENVIRONMENT, 12, Axis.MACHINE, kind=CauseKind.HOST)

RULE = Rule(
    name="identity-line",
    summary="a line about the user, the machine or the model is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_HOST, still(Source.BASE, 900)),
            at=("environment",),
            severity=Severity.INFO,
        ),
        Bad(
            layout(_HOST, still(Source.BASE, 900)),
            at=("environment",),
            severity=Severity.WARNING,
            options=Options(many=True),
        ),
    ),
    good=(
        Good(
            layout(moving(Source.TIMESTAMP, 6, Axis.MINUTE, Axis.MACHINE), still(Source.BASE, 900)),
            "a clock is another one in another time zone, but its fault is the clock",
        ),
    ),
)
