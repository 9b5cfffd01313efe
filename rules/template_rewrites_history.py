"""The chat template rewrites the history that it has printed before.

## What it does
Reports requests that only append to the request before them, while the rendered text is
no longer the same: the template drops reasoning from earlier turns, moves the system
text, or writes earlier messages another way.

## Why it breaks the prefix
The agent did everything right, and no comparison of its requests shows a difference. But
the template is a program that sees the whole conversation each time. Most reasoning
models print the reasoning of the running turn only: as soon as the next user message
arrives, all that stands behind the first reasoning of the last turn is recomputed.

## Example
    {%- if loop.index0 > ns.last_query_index %}<think>{{ reasoning_content }}</think>{% endif %}

## Use instead
Where the template has a switch for it, set it for every request of the session:
`chat_template_kwargs={"preserve_thinking": true}`. The finding names the switch that was
found to work. Without one, the loss is the price of this model.

## When to ignore
When earlier reasoning would cost more context than the recomputation costs time. Without
a switch it is reported as information only.

## References
- QwenLM/Qwen3, issue 1826: earlier turns lose their think blocks
- 133 of 385 public templates that print tools do this, 36 of them with a switch
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Source
from promptlint.phrases import count
from promptlint.probes.breaks import Break, Cause, Event
from promptlint.probes.report import AXES, Loss, loses_at_least, report
from promptlint.probes.session_facts import SessionFacts
from promptlint.probes.sketch import lost_at, session
from promptlint.probes.switch import Switch
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options

_WHAT = {
    Cause.SYSTEM_MOVED: "moves the system text, or leaves it out",
    Cause.REASONING_DROPPED: "drops the reasoning of earlier turns",
    Cause.TEXT_DROPPED: "drops text of earlier messages",
    Cause.CALLS_REWRITTEN: "writes earlier tool calls another way",
    Cause.MESSAGES_REWRITTEN: "writes earlier messages another way",
    Cause.OWN_TEXT_CHANGED: "changes its own text around earlier messages",
}
_WHEN = {Event.STEP: "one more tool result was added", Event.TURN: "the next user message came"}


def check(facts: SessionFacts, options: Options) -> Iterator[Finding]:
    """One finding for each cause, about the request in which it loses most."""
    for cause, what in _WHAT.items():
        breaks = [made for made in facts.breaks if made.cause is cause]
        if not breaks:
            continue
        worst = max(breaks, key=lambda made: made.lost_tokens)
        yield report(
            facts,
            Loss(Source.HISTORY, AXES[worst.event], worst.lost_tokens, worst.char),
            _severity(facts, worst, options),
            message=f"the chat template {what}",
            advice=_advice(worst),
            moved_when=f"{_WHEN[worst.event]} (measured)",
            loses=_loses(facts, breaks),
        )


def _severity(facts: SessionFacts, worst: Break, options: Options) -> Severity:
    if worst.switch is None or not loses_at_least(facts, worst.lost_tokens, options.threshold):
        return Severity.INFO
    return Severity.WARNING if facts.continued else Severity.ERROR


def _advice(worst: Break) -> str:
    if worst.switch is None:
        return "nowhere: no switch of this template keeps it, a model that has one does"
    return f"nowhere: set {worst.switch} in chat_template_kwargs for every request"


def _loses(facts: SessionFacts, breaks: list[Break]) -> str:
    total = sum(made.lost_tokens for made in breaks)
    if not facts.continued:
        return f"{count(total, 'token')} in {count(len(breaks), 'request')}"
    if total:
        return f"{count(total, 'token')} of this prompt, and the history behind them"
    return "nothing of this prompt, but the history from the running turn's first answer on"


_KEEP = Switch("preserve_thinking", True)
_DROPPED = lost_at(4, Event.TURN, Cause.REASONING_DROPPED, 2000)
_CURABLE = lost_at(4, Event.TURN, Cause.REASONING_DROPPED, 2000, _KEEP)

RULE = Rule(
    name="template-rewrites-history",
    summary="the chat template rewrites the history that it has printed before",
    check=check,
    reads=SessionFacts,
    bad=(
        Bad(session(_CURABLE), at=("history",), severity=Severity.ERROR),
        Bad(session(_CURABLE, continued=True), at=("history",), severity=Severity.WARNING),
        Bad(session(_DROPPED), at=("history",), severity=Severity.INFO),
        Bad(
            session(lost_at(4, Event.TURN, Cause.REASONING_DROPPED, 90, _KEEP)),
            at=("history",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(session(), "each request extends the one before"),
        Good(
            session(lost_at(2, Event.STEP, Cause.GENERATION_PROMPT, 4)),
            "what the template writes behind the last message is a few tokens of its own",
        ),
        Good(
            session(lost_at(4, Event.TURN, Cause.TOOLS_MOVED, 3000)),
            "tools that move have a rule of their own",
        ),
    ),
)
