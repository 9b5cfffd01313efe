"""JSON is written into the prompt in the order in which its keys arrived.

## What it does
Reports `json.dumps` without `sort_keys` of an object that was filled from a set, decoded
or merged, on its way into tools or messages.

## Why it breaks the prefix
A dict keeps the order in which it was filled. One that is filled from a set has another
order in every process. An object that a server sends, or that is merged from two, may be
filled in another order tomorrow: the same tool, other bytes.

## Example
    messages.append({"role": "tool", "content": json.dumps(response.json())})

## Use instead
    messages.append({"role": "tool", "content": json.dumps(response.json(), sort_keys=True)})

Never sort what the model itself wrote: send its arguments back as they came.

## When to ignore
When the text is made once and stored, so that it is sent again byte for byte.

## References
- stanfordnlp/dspy, issue 10216: arguments and results without sorted keys
- maximhq/bifrost, pull request 2082: 261 distinct hashes of one set of tools
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Confidence
from promptlint.location import Location
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source_rule import report_fact


def check(fact: SourceFact, options: Options) -> Iterator[Finding]:
    """One finding where keys reach the prompt in the order in which they arrived."""
    if fact.kind is FactKind.UNSORTED_JSON:
        yield report_fact(
            fact,
            message="JSON is written into the prompt in the order in which its keys arrived",
            advice="sort_keys=True, or store the text and send it again as it is",
        )


_PLACE = Location("agent/tools.py", 30, 24)

RULE = Rule(
    name="unsorted-json",
    summary="JSON is written into the prompt in the order in which its keys arrived",
    check=check,
    reads=SourceFact,
    bad=(
        Bad(
            SourceFact(
                FactKind.UNSORTED_JSON, _PLACE, "keys come in the order of the decoded text"
            ),
            at=(str(_PLACE),),
            severity=Severity.WARNING,
        ),
        Bad(
            SourceFact(FactKind.UNSORTED_JSON, _PLACE, "a dict", confidence=Confidence.LOW),
            at=(str(_PLACE),),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(
            SourceFact(FactKind.COMPLETION_ORDER, _PLACE, "as_completed"),
            "the order of results has a rule of its own",
        ),
    ),
)
