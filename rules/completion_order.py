"""Results stand in the prompt in the order in which they were ready.

## What it does
Reports sections or tools that are gathered in completion order: `as_completed`, or a
list to which callbacks append as they finish.

## Why it breaks the prefix
The order is the order of a race. Two sessions with the same sections have two prompts,
and so have two requests of one session if the gathering is repeated.

## Example
    for future in as_completed(futures):
        sections.append(future.result())

## Use instead
    sections = [future.result() for future in futures]

`asyncio.gather` keeps the order of its arguments as well.

## When to ignore
When what is gathered is sorted before it reaches the prompt.

## References
- pydantic/logfire, issue 1930: a list of tools whose order flapped
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.location import Location
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source_rule import report_fact


def check(fact: SourceFact, options: Options) -> Iterator[Finding]:
    """One finding where results reach the prompt in completion order."""
    if fact.kind is FactKind.COMPLETION_ORDER:
        yield report_fact(
            fact,
            message="results reach the prompt in the order in which they were ready",
            advice="take them in the order in which they were started, or sort them by name",
        )


_PLACE = Location("agent/prompt.py", 12, 19)

RULE = Rule(
    name="completion-order",
    summary="results stand in the prompt in the order in which they were ready",
    check=check,
    reads=SourceFact,
    bad=(
        Bad(
            SourceFact(FactKind.COMPLETION_ORDER, _PLACE, "as_completed feeds sections"),
            at=(str(_PLACE),),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            SourceFact(FactKind.HEAD_INSERT, _PLACE, "insert(0, ...)"),
            "an insertion at the head has a rule of its own",
        ),
    ),
)
