"""The output of a command is in the prompt.

## What it does
Reports text that a subprocess printed (`git status`, `git log`, `uname`) and that
moved when the workspace changed.

## Why it breaks the prefix
An agent changes the workspace with every edit that it makes. Git's state in front of
the project's instructions, or of the tools, throws them away each time it is read
again, and in every session at the least.

## Example
    parts.append(subprocess.check_output(["git", "status", "--short"], text=True))
    parts.append(Path("AGENTS.md").read_text())

## Use instead
Take the snapshot once, when the session starts, and put it behind everything that
stays the same. Or let the model ask for it with a tool.

## When to ignore
A snapshot at the session's start that stands last, and is labelled as one.

## References
- anthropics/claude-code, issue 47107: git status in the last system block
- mistral-vibe 3.0.3 prints the git log in front of AGENTS.md
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import EDIT_AXES

_AXES = (Axis.REPEAT, Axis.STEP, Axis.TURN, Axis.MID_SESSION_EDIT, *EDIT_AXES)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that a command printed."""
    for span, move in caused_by(layout, _AXES, CauseKind.PROCESS):
        command = span.cause.detail if span.cause else ""
        yield report(
            layout,
            span,
            move,
            options,
            message=f"the output of a command is in the prompt{f': {command}' if command else ''}",
            advice="take it once per session and put it behind what stays the same, "
            "or into the newest user turn",
        )


_GIT = moving(
    Source.WORKSPACE, 90, Axis.EDIT_WORKSPACE, kind=CauseKind.PROCESS, detail="git status"
)

RULE = Rule(
    name="subprocess-state",
    summary="the output of a command is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_GIT, still(Source.PROJECT, 900), still(Source.TOOLS, 3000)),
            at=("workspace",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(still(Source.PROJECT, 900), _GIT, still(Source.TOOLS, 3000)),
            at=("workspace",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(layout(still(Source.WORKSPACE, 90)), "a command that prints the same never moves"),
        Good(
            layout(moving(Source.WORKSPACE, 90, Axis.EDIT_WORKSPACE, kind=CauseKind.LISTING)),
            "a listing has a rule of its own",
        ),
    ),
)
