"""The chat template prints content parts as Python or JSON.

## What it does
Reports messages with several content parts under a template that prints such a list as
it stands: `[{'type': 'text', 'text': '...'}]`.

## Why it breaks the prefix
The text is not what the agent meant to send: brackets, quotes and escapes cost tokens and
reach the model. And the same words as one text are other bytes: a client that sends one
part as a text today and as a list tomorrow (to put a cache mark on it) loses the cache.

## Example
    {{ '<|start|>user<|message|>' + message['content'] | string }}

## Use instead
Send one text: join the parts in the agent, and always the same way.

## When to ignore
When your engine joins text parts before the template sees them, as vLLM does for
templates that expect texts. It is reported as information only.

## References
- 53 of 385 public templates that print tools do this to user messages, 95 to system messages
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Source
from promptlint.phrases import count
from promptlint.probes.report import Loss, report
from promptlint.probes.session_facts import SessionFacts
from promptlint.probes.sketch import session
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options


def check(facts: SessionFacts, options: Options) -> Iterator[Finding]:
    """One finding for all messages whose parts leak."""
    if not facts.leaked:
        return
    number = count(len(facts.leaked), "message")
    yield report(
        facts,
        Loss(Source.HISTORY, Axis.STEP, 0),
        Severity.INFO,
        message=f"the chat template prints the parts of {number} as Python or JSON",
        advice="into one text per message, unless the engine joins text parts itself",
        moved_when="the parts were printed (measured)",
        loses="nothing by itself; the model reads brackets, quotes and escapes",
    )


RULE = Rule(
    name="template-leaks-repr",
    summary="the chat template prints content parts as Python or JSON",
    check=check,
    reads=SessionFacts,
    bad=(Bad(session(leaked=(2, 6)), at=("history",), severity=Severity.INFO),),
    good=(Good(session(), "every message is one text, or the template joins its parts"),),
)
