"""The template prints the tool definitions behind text that moves.

## What it does
Reports moving system text under a chat template that prints the tools after the
system text, where no rule of the cause speaks already.

## Why it breaks the prefix
Tool definitions are often most of a prompt. Qwen3, Llama 3 and many others print them
behind the system text: when anything in there changes, the tools are recomputed as
well, although they never changed. Qwen3.5, GLM and Kimi print them first, and keep them.

## Example
    system = f"{BASE}\\n\\n# Memory\\n{memory}"    # and 3,000 tokens of tools behind it

## Use instead
Freeze the moving text for the session, or put it into the newest user message. A
later place in the system text does not save the tools.

## When to ignore
When the text changes only between sessions and you accept one prompt's price for each
change: that is reported as information.

## References
- HKUDS/nanobot, issue 4867 and can1357/oh-my-pi, issue 7324: tools behind a moving line
- home-assistant/core, pull request 152408: three quarters of the prompt were tools
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Layout, Part, Source, Span
from promptlint.phrases import subject
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options, avoidable_tokens
from promptlint.sketch import layout, moving, still


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each moving span of the system text with still tools behind it."""
    for span in layout.moving():
        if span.part is not Part.SYSTEM:
            continue
        move = min(span.moves, key=lambda move: (move.scope.value != "within", -move.lost_tokens))
        tools = sum(
            behind.tokens
            for behind in _tools_behind(layout, span)
            if behind.move_on(move.axis) is None
        )
        if not tools or avoidable_tokens(layout, span, move) >= options.threshold:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{subject(span)} moves in front of {tools:,} tokens of tools, "
            "which this template prints behind the system text",
            advice="freeze it for the session, or move it into the newest user turn",
        )


def _tools_behind(layout: Layout, span: Span) -> Iterator[Span]:
    return (behind for behind in layout.behind(span) if behind.part is Part.TOOLS)


RULE = Rule(
    name="tools-after-volatile",
    summary="the template prints the tools behind text that moves",
    check=check,
    general=True,
    bad=(
        Bad(
            layout(
                still(Source.BASE, 900),
                moving(Source.MEMORY, 150, Axis.MID_SESSION_EDIT, Axis.EDIT_MEMORY),
                still(Source.TOOLS, 3000),
            ),
            at=("memory",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(
                still(Source.BASE, 900),
                moving(Source.MEMORY, 150, Axis.EDIT_MEMORY),
                still(Source.TOOLS, 3000),
            ),
            at=("memory",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(
            layout(
                still(Source.TOOLS, 3000),
                still(Source.BASE, 900),
                moving(Source.MEMORY, 150, Axis.MID_SESSION_EDIT),
            ),
            "a template that prints the tools first keeps them",
        ),
        Good(
            layout(
                moving(Source.MEMORY, 150, Axis.EDIT_MEMORY),
                still(Source.PROJECT, 600),
                still(Source.TOOLS, 3000),
            ),
            "another order helps more, and volatile-before-stable says so",
        ),
    ),
)
