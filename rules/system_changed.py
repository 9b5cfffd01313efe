"""The system prompt changes within a session.

## What it does
Reports system text that moved from one step or turn to the next although the user's
message did not choose it and nothing in the world was changed: text that only the
first turn has, a mode, a plan, a list of open files.

## Why it breaks the prefix
The system prompt stands in front of the conversation. When it changes in turn five,
four turns are recomputed.

## Example
    if turn == 0:
        system += recall_memories()

## Use instead
Decide when the session starts and keep the text. What changes belongs into the message
in which it changed; services that see this fault call it `system_changed`.

## When to ignore
When the change is a compaction, which throws the history away anyway.

## References
- can1357/oh-my-pi, issue 3111: recalled memories on the first turn only
- NousResearch/hermes-agent, pull request 24778: a tier that was rebuilt inside the loop
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Part, Source
from promptlint.phrases import subject
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_CAUSED = frozenset(
    {CauseKind.QUERY, CauseKind.COUNTER, CauseKind.IDENTIFIER, CauseKind.RANDOM, CauseKind.LISTING}
    | {CauseKind.PROCESS}
)
_WHEN = {Axis.STEP: "a step", Axis.TURN: "a turn"}


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span of the system text that another step or turn changed."""
    for span in layout.moving():
        move = span.move_on(*_WHEN)
        caused = span.cause is not None and span.cause.kind in _CAUSED
        if move is None or span.part is not Part.SYSTEM or caused or span.move_on(Axis.REPEAT):
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{subject(span)} changes from {_WHEN[move.axis]} to the next",
            advice="decide it once per session, or put it into the message in which it changed",
        )


_RECALLED = moving(Source.MEMORY, 300, Axis.TURN)

RULE = Rule(
    name="system-changed",
    summary="the system prompt changes within a session",
    check=check,
    bad=(
        Bad(
            layout(still(Source.BASE, 900), _RECALLED, still(Source.TOOLS, 3000)),
            at=("memory",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            layout(moving(Source.RETRIEVAL, 300, Axis.TURN, kind=CauseKind.QUERY)),
            "what the user's message chooses has a rule of its own",
        ),
        Good(
            layout(moving(Source.TOOLS, 300, Axis.TURN)),
            "tools have a rule of their own",
        ),
    ),
)
