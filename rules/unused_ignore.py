"""An ignore accepts nothing.

## What it does
Reports a rule of an inline ignore, or of a prompt's `ignore`, that covers no finding, names no
rule, or does not say which rule it means.

## Why it breaks the prefix
It breaks nothing yet. An ignore that outlived its fault accepts the next one unseen.

## Example
    # promptlint: ignore[sub-day-clock] the log only
    started = load_start()

## Use instead
Take the ignore away, or name the rule that speaks at this line.

## When to ignore
Never: the ignore is what should go. Where prompts are configured, it is only looked for when
they are rendered as well, and with `--diff REV` not at all: the fault may be one that
did not count this time.

## References
- ruff, rule RUF100: the same for its own directives
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.ignore import UnusedIgnore
from promptlint.layout import Confidence
from promptlint.location import Location
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options


def check(ignore: UnusedIgnore, options: Options) -> Iterator[Finding]:
    """One finding for each rule of an ignore that accepts nothing."""
    if ignore.why:
        yield Finding(
            rule="",
            severity=Severity.INFO,
            confidence=Confidence.HIGH,
            message=f"the ignore `{ignore.rule}` {ignore.why}",
            advice="take it away, or name the rule that speaks here",
            prompt=ignore.prompt,
            location=ignore.location,
        )


_PLACE = Location("agent/prompt.py", 12)

RULE = Rule(
    name="unused-ignore",
    summary="an ignore accepts nothing",
    check=check,
    reads=UnusedIgnore,
    bad=(
        Bad(
            UnusedIgnore("sub-day-clock", "accepts nothing", _PLACE),
            at=(str(_PLACE),),
            severity=Severity.INFO,
        ),
    ),
    good=(Good(UnusedIgnore("sub-day-clock", "", _PLACE), "it accepts a finding"),),
)
