"""A framework's switch puts something that moves into the prompt.

## What it does
Reports arguments of known frameworks that make the framework itself write a time, a
location or retrieved text into the system prompt.

## Why it breaks the prefix
The call to the clock stands in the framework's code, two packages away, and the user's
code shows a harmless flag.

## Example
    Agent(instructions=TEXT, add_datetime_to_context=True)

## Use instead
Leave the switch off, and write the time into the newest user message.

## When to ignore
When the framework at your version writes a date only, behind everything that is stable.

## References
- agno-agi/agno, issue 9094: a time with microseconds behind a flag
- google/adk-python, issue 3227: a preloaded memory
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.location import Location
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source_rule import report_fact


def check(fact: SourceFact, options: Options) -> Iterator[Finding]:
    """One finding for each switch that is on."""
    if fact.kind is FactKind.FRAMEWORK_SWITCH:
        yield report_fact(
            fact,
            message="a framework's switch puts something that moves into the prompt",
            advice="leave it off, and write the time into the newest user turn",
        )


_PLACE = Location("agent/main.py", 8, 9)

RULE = Rule(
    name="framework-switch",
    summary="a framework's switch puts something that moves into the prompt",
    check=check,
    reads=SourceFact,
    bad=(
        Bad(
            SourceFact(FactKind.FRAMEWORK_SWITCH, _PLACE, "add_datetime_to_context"),
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
