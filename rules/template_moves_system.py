"""The chat template moves or drops a system message that was sent later.

## What it does
Reports system and developer messages in the middle of a conversation that the template
prints at the head, or not at all.

## Why it breaks the prefix
Agents append reminders as system messages: the request is a pure append. Some templates
collect all system messages and print them together at the head. One appended reminder
then rewrites the head of the prompt, and the whole cache is lost. Others drop the
message: the model never sees the reminder.

## Example
    {%- for m in messages if m.role == 'system' %}{% set ns.head = ns.head ~ m.content %}
    {%- endfor %}

## Use instead
Put the reminder into the next user message or behind a tool result. Every template
prints those where they were sent.

## When to ignore
When the message is sent with the first request and never added later.

## References
- 46 of 786 public templates print a second system message at the head, DeepSeek's among them
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Source
from promptlint.phrases import count
from promptlint.probes.report import Loss, report
from promptlint.probes.session_facts import MovedMessage, SessionFacts
from promptlint.probes.sketch import session
from promptlint.probes.system import Fate
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options


def check(facts: SessionFacts, options: Options) -> Iterator[Finding]:
    """One finding for each role and fate, about the message that loses most."""
    worst: dict[tuple[str, Fate], MovedMessage] = {}
    for message in facts.moved:
        key = message.role, message.fate
        if key not in worst or worst[key].lost_tokens < message.lost_tokens:
            worst[key] = message
    for message in worst.values():
        hoisted = message.fate is Fate.HOISTED
        where = f"the {message.role} message at position {message.message + 1}"
        yield report(
            facts,
            Loss(Source.HISTORY, Axis.STEP, message.lost_tokens),
            _severity(message, options),
            message=f"the chat template {'moves' if hoisted else 'drops'} {where}"
            + (" to the head" if hoisted else ""),
            advice="into the next user message, or behind a tool result",
            moved_when=f"{where} was added (measured)",
            loses=f"{count(message.lost_tokens, 'token')} of the request before it"
            if hoisted
            else "the message itself: the model never sees it",
        )


def _severity(message: MovedMessage, options: Options) -> Severity:
    if message.fate is Fate.DROPPED:
        return Severity.WARNING
    return Severity.ERROR if message.lost_tokens >= options.threshold else Severity.INFO


RULE = Rule(
    name="template-moves-system",
    summary="the chat template moves or drops a system message that was sent later",
    check=check,
    reads=SessionFacts,
    bad=(
        Bad(
            session(moved=(MovedMessage(5, "system", Fate.HOISTED, 7000),)),
            at=("history",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(moved=(MovedMessage(1, "system", Fate.HOISTED, 100),)),
            at=("history",),
            severity=Severity.INFO,
        ),
        Bad(
            session(moved=(MovedMessage(5, "developer", Fate.DROPPED, 0),)),
            at=("history",),
            severity=Severity.WARNING,
        ),
    ),
    good=(Good(session(), "every message stays where it was sent"),),
)
