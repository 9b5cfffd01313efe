"""Text that moves stands in front of text that stays.

## What it does
Reports a moving section of the system prompt that stands in front of sections which
change less often, where no rule of the cause speaks already.

## Why it breaks the prefix
A prefix cache ends at the first token that differs. Whatever stands behind a section
is recomputed each time the section changes, however stable it is itself. The same
sections in another order, longest-lived first, say the same to the model and keep
the stable ones in the cache.

## Example
    prompt = "\\n\\n".join([IDENTITY, read("MEMORY.md"), read("AGENTS.md")])

## Use instead
    prompt = "\\n\\n".join([IDENTITY, read("AGENTS.md"), read("MEMORY.md")])

`promptlint report` prints the best order that the template allows and what it saves.

## When to ignore
When the order carries meaning for the model that is worth its price.

## References
- NousResearch/hermes-agent, pull request 37117: the skills index moved behind the stable text
- shareAI-lab/learn-claude-code, issue 311: memory in front of stable text
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Layout, Part, Source
from promptlint.phrases import subject
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options, avoidable_tokens
from promptlint.sketch import layout, moving, still


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each moving span that stands in front of longer-lived system text."""
    for span in layout.moving():
        if span.part is not Part.SYSTEM:
            continue
        move = min(span.moves, key=lambda move: (move.scope.value != "within", -move.lost_tokens))
        saved = avoidable_tokens(layout, span, move)
        if saved < options.threshold:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{subject(span)} stands in front of text that changes less often",
            advice=f"behind it, as late in the system prompt as it can stand: "
            f"saves {saved:,} tokens each time",
        )


_MEMORY = moving(Source.MEMORY, 150, Axis.EDIT_MEMORY)

RULE = Rule(
    name="volatile-before-stable",
    summary="text that moves stands in front of text that stays",
    check=check,
    general=True,
    bad=(
        Bad(
            layout(_MEMORY, still(Source.PROJECT, 600), still(Source.TOOLS, 3000)),
            at=("memory",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(
                still(Source.BASE, 900),
                moving(Source.SKILLS, 300, Axis.EDIT_SKILLS),
                moving(Source.PROJECT, 600, Axis.EDIT_PROJECT),
            ),
            at=("skills",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            layout(still(Source.PROJECT, 600), _MEMORY, still(Source.TOOLS, 3000)),
            "memory stands as late as the template allows",
        ),
        Good(
            layout(_MEMORY, still(Source.BASE, 40)),
            "what stands behind is shorter than the threshold",
        ),
    ),
)
