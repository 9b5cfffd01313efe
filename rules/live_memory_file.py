"""A memory file is read again within a session.

## What it does
Reports text that moved when a memory or skills file was edited between two calls of
the same object: the prompt is rebuilt from the disk while the session runs.

## Why it breaks the prefix
An agent writes its memory in the middle of a task, when the history is longest. If the
note shows in the system prompt at once, the whole conversation and everything else
behind the memory is paid for again: in a public experiment 16.8 times the price of the
request. Writing a note and having it take effect are two things.

## Example
    def system_prompt(self):
        return f"{BASE}\\n# Memory\\n{self.path.read_text()}"

## Use instead
Read the file once when the session starts and keep the text. The note is on disk at
once, and in the prompt of the next session. What must be known now stands in the
conversation anyway: the model has just written it.

## When to ignore
When the file changes a few times a day and sessions are short.

## References
- shareAI-lab/learn-claude-code, issue 311: the prompt is rebuilt in every loop
- omdsh-dev/dsh-mnemon, issue 26: the system prompt changed seven times in 50 turns
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Part, Source
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

# A command or a listing that shows a file's change has a rule of its own.
_SHOWN_FILES = frozenset({CauseKind.PROCESS, CauseKind.LISTING})


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that follows a file within a session."""
    for span in layout.moving():
        move = span.move_on(Axis.MID_SESSION_EDIT)
        shown = span.cause is not None and span.cause.kind in _SHOWN_FILES
        if move is None or span.part is Part.TOOLS or shown:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"{span.section} is read again within a session",
            advice="read it once when the session starts: a note is on disk at once "
            "and in the next session's prompt",
        )


_MEMORY = moving(Source.MEMORY, 150, Axis.MID_SESSION_EDIT, Axis.EDIT_MEMORY, kind=CauseKind.FILE)

RULE = Rule(
    name="live-memory-file",
    summary="a memory file is read again within a session",
    check=check,
    bad=(
        Bad(
            layout(still(Source.BASE, 900), _MEMORY, still(Source.TOOLS, 3000)),
            at=("memory",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(still(Source.TOOLS, 3000), still(Source.BASE, 900), _MEMORY),
            at=("memory",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            layout(
                still(Source.BASE, 900),
                moving(Source.MEMORY, 150, Axis.EDIT_MEMORY, kind=CauseKind.FILE),
                still(Source.TOOLS, 3000),
            ),
            "a snapshot of the session's start does not move within it",
        ),
    ),
)
