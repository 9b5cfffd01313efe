"""The order in which tools are registered is in the prompt.

## What it does
Reports tool definitions, or a text that lists tools, that move when the same tools are
handed over in another order.

## Why it breaks the prefix
Tools come from plug-ins and from servers that answer when they are ready. Two swapped
definitions change everything behind the first of them, and the definitions are often
most of the prompt.

## Example
    tools = [schema(tool) for server in servers for tool in server.tools]

## Use instead
    tools = sorted((schema(t) for s in servers for t in s.tools), key=lambda t: t["name"])

## When to ignore
When the list is written by hand in one place: it is reported as information unless the
order is seen to be free.

## References
- skye-harris/hass_local_openai_llm, pull request 119: two swapped tools, 0.53 s became 25.4 s
- zeroclaw-labs/zeroclaw, pull request 10959: 65 equal names in four orders
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Layout, Source
from promptlint.phrases import where
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that moves with the order of the tools."""
    for span in layout.moving():
        move = span.move_on(Axis.TOOL_ORDER)
        if move is None:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"the order in which tools are handed over is in {where(span)}",
            advice="sort the tools by name before they are sent",
        )


_TOOLS = moving(Source.TOOLS, 3000, Axis.TOOL_ORDER, order=True)

RULE = Rule(
    name="unsorted-tools",
    summary="the order in which tools are registered is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_TOOLS, still(Source.BASE, 900)),
            at=("tools",),
            severity=Severity.INFO,
        ),
        Bad(
            layout(_TOOLS, still(Source.BASE, 900)),
            at=("tools",),
            severity=Severity.WARNING,
            options=Options(many=True),
        ),
    ),
    good=(Good(layout(still(Source.TOOLS, 3000), still(Source.BASE, 900)), "sorted tools stay"),),
)
