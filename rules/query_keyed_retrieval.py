"""Text that is chosen by the user's message stands in the system prompt.

## What it does
Reports text of the system prompt that moved because the user's message was another
one: retrieved passages, memories picked by relevance, skills ranked by the question.

## Why it breaks the prefix
Every user message picks other text. In the system prompt that text stands in front of
the whole conversation, so every turn recomputes everything.

## Example
    system = BASE + "\\n".join(memory.search(user_message, limit=5))

## Use instead
Put what was retrieved into the user message that it was retrieved for, and keep it
there. An index of what could be retrieved may stay in the system prompt.

## When to ignore
When a session has one user message.

## References
- shareAI-lab/learn-claude-code, issue 311: bodies moved into the current user message
- google/adk-python, issue 3227: a preloaded memory in the system instruction
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import subject
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that the user's message chose."""
    for span, move in caused_by(layout, (Axis.TURN,), CauseKind.QUERY):
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{subject(span)} is chosen by the user's message",
            advice="into the user message that it was retrieved for, stored there",
        )


_RETRIEVED = moving(Source.RETRIEVAL, 300, Axis.TURN, kind=CauseKind.QUERY)

RULE = Rule(
    name="query-keyed-retrieval",
    summary="text that is chosen by the user's message stands in the system prompt",
    check=check,
    bad=(
        Bad(
            layout(still(Source.BASE, 900), _RETRIEVED, still(Source.TOOLS, 3000)),
            at=("retrieval",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(_RETRIEVED, rebuilt=None),
            at=("retrieval",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            layout(still(Source.BASE, 900), still(Source.USER, 400)),
            "passages in the newest user message never count as moving",
        ),
        Good(
            layout(moving(Source.BASE, 2, Axis.TURN, kind=CauseKind.COUNTER)),
            "a number that counts turns is a counter",
        ),
    ),
)
