"""More cache breakpoints than the provider takes.

## What it does
Counts the breakpoints of each request, the automatic one included.

## Why it breaks the prefix
Anthropic refuses a request with more than four; others count the newest four and
forget the rest, often the one behind the tools and the system text that every
session could have shared. OpenAI stores the newest four of a request and searches the
newest eighty, so that older ones may stay: there only more than eighty are too many.

## Example
    for block in message["content"]:
        block["cache_control"] = {"type": "ephemeral"}

## Use instead
One behind the tools, one behind the stable system text, one on the newest message, and
perhaps one on the message before. Take the old ones off when new ones are set.

## When to ignore
When a gateway in between is known to take the surplus off.

## References
- oguzbilgic/kern-ai, pull request 317: one breakpoint copied onto each parallel tool result
- Anthropic, documentation of prompt caching: four breakpoints
- OpenAI, guide to prompt caching: four written, eighty searched
"""

from collections.abc import Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.cache.token_requests import automatic_mark
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import report_turn
from promptlint.session_sketch import assistant, call, request, result, session, text, user
from promptlint.severity import Options


def check(session: JudgedSession, _: Options) -> Iterator[Finding]:
    """One finding for the first request that has too many."""
    most = session.policy.searched_marks or session.policy.max_marks
    if not session.policy.marks or not most:
        return
    over = [turn for turn in session.turns if _count(session, turn) > most]
    if over:
        yield report_turn(
            session,
            over[0],
            Severity.ERROR,
            message=f"{_count(session, over[0])} cache breakpoints, of which {most} can count",
            advice="off the older messages; keep those behind the tools, the stable system "
            "text and the newest message",
            again=over[1:],
        )


def _count(session: JudgedSession, turn: Turn) -> int:
    automatic = automatic_mark(session.policy, turn.captured.body) is True
    return len(turn.marks) + automatic


_PARTS = result(text("one", 30, ""), text("two", 30, ""))
_MARKED = [assistant(text(name, 30, "")) for name in ("one", "two", "three", "four")]

RULE = Rule(
    name="too-many-markers",
    summary="more cache breakpoints than the provider takes",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            session(request(user(text("question", 30, "")), *_MARKED), cache="anthropic/messages"),
            at=("session.jsonl:1",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(
                request(user(text("question", 30)), *_MARKED[1:], call({}), _PARTS),
                cache="anthropic/messages",
            ),
            at=("session.jsonl:1",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            session(request(user(text("question", 30, "")), *_MARKED), cache="openai/5.6+"),
            "older breakpoints may stay where they are still searched",
        ),
        Good(
            session(request(user(text("question", 30)), *_MARKED), cache="anthropic/messages"),
            "four are as many as count",
        ),
        Good(
            session(request(user(text("question", 30, "")), *_MARKED)),
            "this cache knows no breakpoints",
        ),
    ),
)
