"""Moving fields stand between the still lines of one section.

## What it does
Reports a section in which short moving fields alternate with text that stays: a state
beside each device's name, a date beside each note.

## Why it breaks the prefix
The first field that moves ends the cache, and every still line behind it is recomputed
with it. Two lists, names first and states last, keep the names.

## Example
    for device in devices:
        lines.append(f"{device.name} in the {device.room}: {device.state}")

## Use instead
Put what stays (names, rooms) into one block and what moves (states) into another, at
the end or in the newest user message. Or let the model ask for the states with a tool.

## When to ignore
When the section is short.

## References
- michelle-avery/custom-conversation, pull request 110: names stayed, states became a tool
"""

from collections.abc import Iterator
from itertools import groupby

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Layout, Part, Source, Span
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still

_FEWEST_FIELDS = 3


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each section whose moving fields enclose enough still text."""
    for section, group in groupby(layout.spans, key=lambda span: span.section):
        spans = list(group)
        fields = [span for span in spans if span.moving]
        between = _still_between(spans)
        if len(fields) < _FEWEST_FIELDS or between < options.threshold:
            continue
        if fields[0].part is Part.SYSTEM:
            yield report(
                layout,
                fields[0],
                fields[0].moves[0],
                options,
                message=f"{len(fields)} moving fields stand between the still lines of {section}",
                advice=f"split it: {between:,} tokens that stay first, the fields last "
                "or in the newest user turn",
            )


def _still_between(spans: list[Span]) -> int:
    at = [index for index, span in enumerate(spans) if span.moving]
    inside = spans[at[0] : at[-1]] if at else []
    return sum(span.tokens for span in inside if not span.moving)


_FIELD = moving(Source.ENVIRONMENT, 2, Axis.REPEAT)
_LINE = still(Source.ENVIRONMENT, 150)

RULE = Rule(
    name="interleaved-section",
    summary="moving fields stand between the still lines of one section",
    check=check,
    general=True,
    bad=(
        Bad(
            layout(_LINE, _FIELD, _LINE, _FIELD, _LINE, _FIELD, still(Source.TOOLS, 3000)),
            at=("environment",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            layout(_LINE, _LINE, _LINE, _FIELD, _FIELD, _FIELD, still(Source.TOOLS, 3000)),
            "the fields stand together behind the still lines",
        ),
        Good(
            layout(
                still(Source.ENVIRONMENT, 9), _FIELD, still(Source.ENVIRONMENT, 9), _FIELD, _FIELD
            ),
            "what stands between them is shorter than the threshold",
        ),
    ),
)
