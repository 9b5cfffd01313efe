"""The order of a set is in the prompt.

## What it does
Reports text that moves when a process is started with another hash seed: the names of
a set, joined or listed in the order in which the set happens to hold them.

## Why it breaks the prefix
Python seeds the hashes of texts anew in every process. Within one process the order is
fixed, so the fault never shows in a test that calls the builder twice; every new
session, and every worker of a server, has another prompt.

## Example
    imports = ", ".join(set(base_imports) | set(extra_imports))

## Use instead
    imports = ", ".join(sorted(set(base_imports) | set(extra_imports)))

## When to ignore
Never: sorting costs nothing.

## References
- huggingface/smolagents, issue 997: authorised imports in the order of a set
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, CauseKind, Layout, Source
from promptlint.phrases import where
from promptlint.rule import Bad, Good, Rule, report
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still


def check(layout: Layout, options: Options) -> Iterator[Finding]:
    """One finding for each span that moves with the hash seed."""
    for span in layout.moving():
        move = span.move_on(Axis.HASH_SEED)
        if move is None:
            continue
        yield report(
            layout,
            span,
            move,
            options,
            message=f"the order of a set is in {where(span)}: it differs in every process",
            advice="sort it where it is joined or listed: sorted(...)",
        )


_SET = moving(
    Source.BASE,
    20,
    Axis.HASH_SEED,
    kind=CauseKind.SET_ORDER,
    texts=("re, json, os", "os, re, json"),
    order=True,
)

RULE = Rule(
    name="unordered-set",
    summary="the order of a set is in the prompt",
    check=check,
    bad=(
        Bad(layout(_SET, still(Source.BASE, 900)), at=("base",), severity=Severity.WARNING),
        Bad(layout(still(Source.BASE, 900), _SET), at=("base",), severity=Severity.INFO),
    ),
    good=(Good(layout(still(Source.BASE, 900)), "a sorted set never moves"),),
)
