"""One prompt costs far more under one of its models than under another.

## What it does
Compares the layouts of a prompt under all its models and reports what moves at a high
price under one of them and at a low one under another.

## Why it breaks the prefix
The order in which the parts are printed is the model's, not the agent's. A clock at the
end of the system text loses the tools under a template that prints them behind it, and
nothing under one that prints them first. Measured under one model only, a prompt looks
fine that costs its whole length under the next.

## Example
    [[tool.promptlint.prompt]]
    models = ["Qwen/Qwen3-8B", "Qwen/Qwen3.5-4B"]

## Use instead
Write for the strictest of the models: what moves goes into the newest user message, or is
frozen for the session. Then the order no longer matters.

## When to ignore
When the dear model is only used now and then. The rule of the cause speaks by itself, so
this is information.

## References
- can1357/oh-my-pi, issue 7324: the same trailing line cost 100 %, 54 % and 0 % at three providers
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Source
from promptlint.phrases import count, subject, when
from promptlint.probes.compare import ComparedModels, Divergence, order_divergences
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options
from promptlint.sketch import layout, moving, still


def check(compared: ComparedModels, options: Options) -> Iterator[Finding]:
    """One finding for each section, about the axis on which the models differ most."""
    worst: dict[str, Divergence] = {}
    for made in order_divergences(compared, options.threshold):
        known = worst.get(made.span.section)
        if known is None or known.difference < made.difference:
            worst[made.span.section] = made
    for made in worst.values():
        yield _finding(compared, made)


def _finding(compared: ComparedModels, made: Divergence) -> Finding:
    dear = compared.layouts[made.lost.index(max(made.lost))]
    prices = ", ".join(
        f"{count(lost, 'token')} under {model}"
        for model, lost in zip(made.models, made.lost, strict=True)
    )
    return Finding(
        rule="",
        severity=Severity.INFO,
        confidence=made.span.confidence,
        message=f"{subject(made.span)} loses {prices}",
        advice="into the newest user turn, where no model's order makes a difference",
        prompt=dear.prompt,
        model=dear.model,
        location=made.span.origin or dear.location,
        span=made.span,
        axis=made.axis,
        scope=made.scope,
        lost_tokens=max(made.lost),
        total_tokens=dear.tokens,
        facts=(("moved when", f"{when(made.axis)} ({made.span.evidence.value})"),),
    )


_CLOCK = moving(Source.TIMESTAMP, 12, Axis.MINUTE, Axis.DAY)
_BEHIND = layout(still(Source.BASE, 900), _CLOCK, still(Source.TOOLS, 3000))
_FIRST = layout(still(Source.TOOLS, 3000), still(Source.BASE, 900), _CLOCK)

RULE = Rule(
    name="provider-order-divergence",
    summary="one prompt costs far more under one of its models than under another",
    check=check,
    reads=ComparedModels,
    bad=(
        Bad(ComparedModels((_BEHIND, _FIRST)), at=("timestamp",), severity=Severity.INFO),
        Bad(ComparedModels((_FIRST, _BEHIND)), at=("timestamp",), severity=Severity.INFO),
    ),
    good=(
        Good(ComparedModels((_BEHIND, _BEHIND)), "both models print the tools behind the clock"),
        Good(ComparedModels((_FIRST, _FIRST)), "both models print the tools first"),
    ),
)
