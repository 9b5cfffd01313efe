"""The order of a directory listing is in the prompt.

## What it does
Reports text that moves when the same files are listed in another order: `listdir`,
`glob` and `iterdir` give no order that one could rely on.

## Why it breaks the prefix
The order depends on the file system and its history. A copy of the folder, another
machine or a restored backup has the same files and another prompt.

## Example
    skills = [read(path) for path in folder.iterdir()]

## Use instead
    skills = [read(path) for path in sorted(folder.iterdir())]

## When to ignore
When all sessions run on one machine and the folder is never rewritten: it is reported
as information unless the cache is shared.

## References
- crystal-autobot/autobot, pull request 143: skills were sorted, among other repairs
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import where
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that moves with the order of a listing."""
    for span in layout.moving():
        move = span.move_on(Axis.LISTING_ORDER)
        if move is None:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"the order of a directory listing is in {where(span)}",
            advice="sort it where it is listed: sorted(...)",
        )


_LISTED = moving(Source.SKILLS, 200, Axis.LISTING_ORDER, kind=CauseKind.LISTING, order=True)

RULE = Rule(
    name="unsorted-listing",
    summary="the order of a directory listing is in the prompt",
    check=check,
    bad=(
        Bad(
            layout(_LISTED, still(Source.PROJECT, 900)),
            at=("skills",),
            severity=Severity.INFO,
        ),
        Bad(
            layout(_LISTED, still(Source.PROJECT, 900)),
            at=("skills",),
            severity=Severity.WARNING,
            options=Options(many=True),
        ),
        Bad(
            layout(_LISTED, still(Source.PROJECT, 900), source_only=True),
            at=("skills",),
            severity=Severity.WARNING,
        ),
    ),
    good=(Good(layout(still(Source.SKILLS, 200)), "a sorted listing never moves"),),
)
