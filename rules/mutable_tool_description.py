"""A tool's description changes while its name stays.

## What it does
Reports text inside the tool definitions that moved when a file was edited, or from one
turn to the next, while the tools themselves stayed the same: a list of skills, agents
or commands written into a description.

## Why it breaks the prefix
Many templates and services put the tools first. One edited description changes the
prompt from there on: all other tools, the system text, the conversation.

## Example
    tool["description"] = f"Run a skill. Available: {', '.join(skills)}"

## Use instead
Keep descriptions constant. Put the list into the system prompt's end, or into the
message in which it changed.

## When to ignore
When the list changes between releases only.

## References
- QwenLM/qwen-code, pull request 4896: a skill list in a description, rewritten on activation
- matrixorigin/Astra, pull request 210: same name, other schema
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Layout, Part, Source
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import EDIT_AXES

_AXES = (Axis.STEP, Axis.TURN, Axis.MID_SESSION_EDIT, *EDIT_AXES)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each moving run inside a tool that keeps its name."""
    for span in layout.moving():
        move = span.move_on(*_AXES)
        if move is None or span.part is not Part.TOOLS or span.order:
            continue
        if '"name"' in move.before + move.after:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message="a tool's description changes while its name stays",
            advice="keep the description constant; the list belongs at the end of the system "
            "prompt or into the newest user turn",
        )


_LISTED = moving(
    Source.TOOLS, 30, Axis.MID_SESSION_EDIT, Axis.EDIT_SKILLS, texts=("pdf", "pdf, csv")
)

RULE = Rule(
    name="mutable-tool-description",
    summary="a tool's description changes while its name stays",
    check=check,
    bad=(
        Bad(
            layout(_LISTED, still(Source.TOOLS, 2000), still(Source.BASE, 900)),
            at=("tools",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(
                moving(Source.TOOLS, 30, Axis.TURN, texts=("3 notes", "4 notes")),
                still(Source.BASE, 900),
            ),
            at=("tools",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            layout(
                moving(Source.TOOLS, 90, Axis.TURN, texts=("", '{"name": "deploy"}')),
                still(Source.BASE, 900),
            ),
            "a tool that comes or goes is a change of the set",
        ),
        Good(layout(still(Source.TOOLS, 2000)), "constant descriptions never move"),
    ),
)
