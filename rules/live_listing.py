"""A listing of files is in the prompt.

## What it does
Reports text made from a directory listing that moved when a file was created, edited
or removed.

## Why it breaks the prefix
A coding agent creates files. The tree in the system prompt is another one in the next
session, or in the next request if it is read again, and all behind it is recomputed.

## Example
    tree = "\\n".join(str(p) for p in sorted(root.rglob("*"))[:200])
    prompt = f"{BASE}\\n{tree}\\n{project_rules}"

## Use instead
Put the tree behind what stays the same, list only folders, or let the model list files
with a tool.

## When to ignore
A listing that is taken once and stands last.

## References
- anomalyco/opencode, issue 5224: the first 200 files in the system prompt
- Hmbown/Codewhale, issue 979: a tree that is scanned in every turn
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import where
from promptlint.rule import Bad, Good, Rule, caused_by, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still
from promptlint.worlds.axes import EDIT_AXES

_AXES = (Axis.REPEAT, Axis.STEP, Axis.TURN, Axis.MID_SESSION_EDIT, *EDIT_AXES)


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that lists files."""
    for span, move in caused_by(layout, _AXES, CauseKind.LISTING):
        yield report(
            layout,
            span,
            move,
            options,
            message=f"a listing of files is in {where(span)}",
            advice="behind what stays the same, or let the model list files with a tool",
        )


_TREE = moving(Source.WORKSPACE, 300, Axis.EDIT_WORKSPACE, kind=CauseKind.LISTING)

RULE = Rule(
    name="live-listing",
    summary="a listing of files is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_TREE, still(Source.PROJECT, 900)),
            at=("workspace",),
            severity=Severity.WARNING,
        ),
        Bad(
            layout(still(Source.PROJECT, 900), _TREE),
            at=("workspace",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(layout(still(Source.WORKSPACE, 300)), "a fixed list of folders never moves"),
        Good(
            layout(
                moving(Source.SKILLS, 300, Axis.LISTING_ORDER, kind=CauseKind.LISTING, order=True)
            ),
            "an order is another fault and has a rule of its own",
        ),
    ),
)
