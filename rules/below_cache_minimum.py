"""No marked prefix is long enough to be cached.

## What it does
Reports a session that asks for caching and whose longest marked prefix is shorter than
what the model's cache keeps. Where the model's minimum was not published, the provider's
usual one is assumed, and the report says so.

## Why it breaks the prefix
Shorter prefixes are not stored, and no error says so: both counts of cached tokens in the
usage stay at zero.

## Example
    system = [{"type": "text", "text": SHORT, "cache_control": {"type": "ephemeral"}}]

## Use instead
Put the breakpoint behind more text: tools, system text and the first messages together.
A prompt that is short on purpose needs no breakpoint.

## When to ignore
When the conversation is known to grow beyond the minimum in the next requests.

## References
- Anthropic, documentation of prompt caching: minimum lengths from 512 to 4,096 tokens
- anthropics/skills, shared/prompt-caching.md: the minimums by model
"""

from collections.abc import Iterator

from msgspec.structs import replace

from promptlint.cache.judged import JudgedSession
from promptlint.finding import Finding, Severity
from promptlint.layout import Confidence
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import report_turn
from promptlint.session_sketch import request, session, text, user
from promptlint.severity import Options


def check(session: JudgedSession, _: Options) -> Iterator[Finding]:
    """One finding for a session none of whose breakpoints can count."""
    minimum = session.policy.minimum
    marked = [turn for turn in session.turns if session.breakpoints(turn)]
    longest = max((session.breakpoints(turn)[-1] for turn in marked), default=minimum)
    asked = session.policy.marks and len(session.turns) > 1
    if not asked or longest >= minimum:
        return
    whose = "of this model" if session.minimum_known else "that is assumed for this model"
    about = "about " if session.estimated else ""
    found = report_turn(
        session,
        marked[0],
        Severity.INFO,
        message=f"nothing is cached: the longest marked prefix has {about}{longest:,} tokens, "
        f"the minimum {whose} is {minimum:,}",
        advice="put the breakpoint behind more text, or leave it out",
    )
    yield found if session.minimum_known else replace(found, confidence=Confidence.LOW)


def _marked(tokens: int, model: str) -> JudgedSession:
    first, second = user(text("question", 9)), user(text("next", 9))
    system = (text("base", tokens, ""),)
    return session(
        request(first, system=system),
        request(first, second, system=system),
        cache="anthropic/messages",
        model=model,
    )


RULE = Rule(
    name="below-cache-minimum",
    summary="no marked prefix is long enough to be cached",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            _marked(2000, "claude-haiku-4-5"),
            at=("session.jsonl:1",),
            severity=Severity.INFO,
        ),
        Bad(_marked(900, "my-model"), at=("session.jsonl:1",), severity=Severity.INFO),
    ),
    good=(
        Good(_marked(2000, "claude-opus-5-5"), "512 tokens are enough for this model"),
        Good(
            session(request(user(text("question", 9))), cache="anthropic/messages"),
            "nobody asked for caching",
        ),
    ),
)
