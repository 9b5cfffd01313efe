"""The same object, asked twice, gives two prompts.

## What it does
Reports text that moves although nothing in the world was changed: the builder was
called again on the same object, and no clock, identifier or random choice explains it.

## Why it breaks the prefix
Whatever stands behind the text is recomputed in every request. Causes are state that
the builder leaves behind, a race between threads or scans, and results that arrive in
the order in which they are ready.

## Example
    self.notes.append(summary)                  # grows with every call
    return BASE + "\\n".join(self.notes)

## Use instead
Build the prompt from what it is given and from nothing that it changes. Sort what
arrives in no fixed order.

## When to ignore
Hardly ever: the cause is usually a fault in more than the cache.

## References
- anomalyco/opencode: one skill in two folders rendered either path, by a race of two scans
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import subject
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_EXPLAINED = frozenset(
    {CauseKind.IDENTIFIER, CauseKind.RANDOM, CauseKind.COUNTER, CauseKind.CLOCK, CauseKind.AGE}
    | {CauseKind.COMPLETION_ORDER}
)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that moved when nothing had changed."""
    for span in layout.moving():
        move = span.move_on(Axis.REPEAT)
        if move is None or (span.cause is not None and span.cause.kind in _EXPLAINED):
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{subject(span)} differs when the same object is asked twice",
            advice="build it from its inputs alone and sort what has no order; "
            "what must differ belongs into the newest user turn",
        )


RULE = Rule(
    name="nondeterministic-prompt",
    summary="the same object, asked twice, gives two prompts",
    check=check,
    bad=(
        Bad(
            layout(moving(Source.SKILLS, 60, Axis.REPEAT), still(Source.TOOLS, 3000)),
            at=("skills",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(moving(Source.SKILLS, 60, Axis.REPEAT), still(Source.TOOLS, 3000), rebuilt=None),
            at=("skills",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            layout(moving(Source.IDENTITY, 20, Axis.REPEAT, kind=CauseKind.IDENTIFIER)),
            "an identifier is explained, and has a rule of its own",
        ),
        Good(
            layout(moving(Source.MEMORY, 20, Axis.EDIT_MEMORY), still(Source.BASE, 900)),
            "an edited file is a change of the world",
        ),
    ),
)
