"""A parameter of the request is printed at the head of the prompt.

## What it does
Reports parameters (`reasoning_effort`, `enable_thinking`, `date_string`, ...) that the
template prints in front of the system text or the tools.

## Why it breaks the prefix
A parameter looks like something outside the prompt. But a template may print it in the
first line: another effort for one hard question then recomputes everything, and once more
on the way back.

## Example
    {{ "Reasoning: " + reasoning_effort + "\\n\\n" }}{# in front of the system text and the tools #}

## Use instead
Choose the value once per session. A value that must change per question belongs into the
user message, or into a session of its own.

## When to ignore
When no request of a session ever changes it: that is reported as information.

## References
- gpt-oss prints its reasoning effort at character 148, Llama 3.1 its date at 120
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Source
from promptlint.phrases import count
from promptlint.probes.report import Loss, report
from promptlint.probes.session_facts import HeadParameter, SessionFacts
from promptlint.probes.sketch import session
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options


def check(facts: SessionFacts, options: Options) -> Iterator[Finding]:
    """One finding for each parameter that the requests set and the template prints at the head."""
    for parameter in facts.parameters:
        if parameter.lost_tokens < options.threshold and not parameter.changes:
            continue
        yield report(
            facts,
            Loss(Source.TEMPLATE, Axis.MODEL, parameter.lost_tokens, parameter.char),
            _severity(parameter, options),
            message=f"the parameter {parameter.name} is printed at the head of the prompt",
            advice="nowhere: choose it once per session",
            moved_when="the requests of the session set it to "
            + ", ".join(repr(value) for value in parameter.values)
            if parameter.changes
            else "a request sets it to another value",
            loses=f"{count(parameter.lost_tokens, 'token')} behind it, with every change",
        )


def _severity(parameter: HeadParameter, options: Options) -> Severity:
    changes = parameter.changes and parameter.lost_tokens >= options.threshold
    return Severity.ERROR if changes else Severity.INFO


RULE = Rule(
    name="template-parameter-at-head",
    summary="a parameter of the request is printed at the head of the prompt",
    check=check,
    reads=SessionFacts,
    bad=(
        Bad(
            session(parameters=(HeadParameter("reasoning_effort", ("low", "high"), 148, 8900),)),
            at=("template",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(parameters=(HeadParameter("reasoning_effort", ("low",), 148, 8900),)),
            at=("template",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(session(), "no parameter is printed in front of the request's own text"),
        Good(
            session(parameters=(HeadParameter("reasoning_effort", ("low",), 148, 90),)),
            "a small prompt that always sets the same value",
        ),
    ),
)
