"""The chat template prints the tools in the newest user turn.

## What it does
Reports a prompt whose tools stand in front of the newest user message, and not at the
head: they move each time the user writes.

## Why it breaks the prefix
Tool definitions are the largest part of most agents' prompts and never change within a
session. These templates take them away from where they stood and print them again
further down: everything behind their old place is recomputed with each user message,
and the tools themselves with it. Some move the system text along.

## Example
    {%- if tools and loop.last %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{% endif %}

## Use instead
Give the engine a template that prints the tools once: later revisions for the same model
family do, and engines take one (`--chat-template FILE`). `promptlint template OLD NEW`
shows both side by side.

## When to ignore
When sessions have one user message each: the tools then never move.

## References
- 7 of 385 public templates that print tools, all in the tradition of Mistral's first ones
"""

from collections.abc import Iterator

from promptlint.finding import Finding, Severity
from promptlint.layout import Axis, Source, ToolsPosition
from promptlint.phrases import count
from promptlint.probes.breaks import Break, Cause, Event
from promptlint.probes.report import Loss, loses_at_least, report
from promptlint.probes.session_facts import SessionFacts
from promptlint.probes.sketch import lost_at, session
from promptlint.rule import Bad, Good, Rule
from promptlint.severity import Options


def check(facts: SessionFacts, options: Options) -> Iterator[Finding]:
    """One finding if the tools stand in the newest user turn."""
    if facts.tools is not ToolsPosition.LAST_USER:
        return
    moves = [made for made in facts.breaks if made.cause is Cause.TOOLS_MOVED]
    lost = max((made.lost_tokens for made in moves), default=facts.tools_tokens)
    yield report(
        facts,
        Loss(Source.TOOLS, Axis.TURN, lost, _char(moves)),
        Severity.WARNING if loses_at_least(facts, lost, options.threshold) else Severity.INFO,
        message="the chat template prints the tools in the newest user turn",
        advice="to the head: give the engine a template that prints the tools once",
        moved_when="the next user message came (measured)",
        loses=f"{count(lost, 'token')} with every user message, the tools among them"
        + (", and the history behind them" if facts.continued else ""),
    )


def _char(moves: list[Break]) -> int | None:
    return min((made.char for made in moves), default=None)


_MOVED = lost_at(4, Event.TURN, Cause.TOOLS_MOVED, 8000)

RULE = Rule(
    name="template-tools-follow-user",
    summary="the chat template prints the tools in the newest user turn",
    check=check,
    reads=SessionFacts,
    bad=(
        Bad(
            session(_MOVED, tools=ToolsPosition.LAST_USER),
            at=("tools",),
            severity=Severity.WARNING,
        ),
        Bad(
            session(lost_at(4, Event.TURN, Cause.TOOLS_MOVED, 200), tools=ToolsPosition.LAST_USER),
            at=("tools",),
            severity=Severity.INFO,
        ),
    ),
    good=(
        Good(session(), "the tools stay at the head"),
        Good(session(tools=ToolsPosition.NOT_RENDERED), "no tools are printed"),
    ),
)
