"""Something that changes is inserted at the head of the messages.

## What it does
Reports `messages.insert(0, ...)` and `insert(1, ...)`, on messages or system blocks, of
text that moves or that was looked up.

## Why it breaks the prefix
Position 0 or 1 is in front of everything that was sent before. Whatever stands there
decides whether any of it is read from the cache.

## Example
    messages.insert(0, {"role": "system", "content": memory.recall(question)})

## Use instead
Put it right before the newest user message, or into it.

## When to ignore
When the inserted text is made once per session and stays.

## References
- diegosouzapw/OmniRoute, pull request 3936: memory at index 0, about five times the cost
- joshuadavidthomas/opencode-agent-memory, issue 24: a plug-in's block at index 1
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.location import Location
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source_rule import report_fact


def check(fact: SourceFact, options: Options) -> Iterator[Finding]:
    """One finding where something that changes is inserted at the head."""
    if fact.kind is FactKind.HEAD_INSERT:
        yield report_fact(
            fact,
            message="something that changes is inserted at the head of the messages",
            advice="right before the newest user message, or into it",
        )


_PLACE = Location("agent/loop.py", 41, 5)

RULE = Rule(
    name="head-insert",
    summary="something that changes is inserted at the head of the messages",
    check=check,
    reads=SourceFact,
    bad=(
        Bad(
            SourceFact(FactKind.HEAD_INSERT, _PLACE, "messages.insert(0, recalled memory)"),
            at=(str(_PLACE),),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            SourceFact(FactKind.FRAMEWORK_SWITCH, _PLACE, "add_datetime_to_context"),
            "a framework's switch has a rule of its own",
        ),
    ),
)
