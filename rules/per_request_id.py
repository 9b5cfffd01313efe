"""An identifier that is made anew is in the prompt.

## What it does
Reports text that `uuid`, `secrets`, a process id, a temporary name or another
generated identifier put into the prompt.

## Why it breaks the prefix
An id per request makes every request a new prompt from its first character on. An
id per session keeps the cache within the session and loses it between two: all that
stands behind the id is paid for again by every session.

## Example
    prompt = f"Session {uuid.uuid4()}. Write to {tempfile.mkdtemp()}."

## Use instead
Send the id beside the prompt (a header, `metadata`), or put it into the newest user
message. Give scratch folders a fixed name inside the workspace.

## When to ignore
When the model has to name the id in its answers and it stands as late as possible.

## References
- anthropics/claude-code, issue 92524: a session id in a scratch folder's path
- openclaw/openclaw, pull request 19013: message ids in the system prompt
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_AXES = (Axis.REPEAT, Axis.STEP, Axis.TURN, Axis.NEW_SESSION)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that holds a generated identifier."""
    for span, move in caused_by(layout, _AXES, CauseKind.IDENTIFIER):
        each = "session" if move.axis is Axis.NEW_SESSION else "request"
        yield report(
            layout,
            span,
            move,
            options,
            message=f"an identifier that is made for every {each} is in the prompt",
            advice="into metadata or a header, or into the newest user turn",
        )


_PER_REQUEST = moving(
    Source.IDENTITY, 20, Axis.REPEAT, Axis.NEW_SESSION, kind=CauseKind.IDENTIFIER, detail="uuid4"
)
_PER_SESSION = moving(Source.IDENTITY, 20, Axis.NEW_SESSION, kind=CauseKind.IDENTIFIER)

RULE = Rule(
    name="per-request-id",
    summary="an identifier that is made anew is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_PER_REQUEST, still(Source.BASE, 900)),
            at=("identity",),
            severity=Severity.ERROR,
        ),
        Bad(
            layout(still(Source.BASE, 900), _PER_SESSION, still(Source.TOOLS, 3000)),
            at=("identity",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(layout(still(Source.BASE, 900)), "an id that only a log line shows moves no text"),
        Good(
            layout(
                moving(Source.IDENTITY, 9, Axis.USER, kind=CauseKind.HOST), still(Source.BASE, 9)
            ),
            "a user's name is not made anew",
        ),
    ),
)
