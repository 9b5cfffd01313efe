"""No marked prefix is long enough to be cached.

## What it does
Reports a session that asks for caching and whose longest marked prefix is shorter than
what the model's cache keeps. The minimum is that of each request's own model on the day of
the request, today's where its time is not known. Where it was not published, the provider's
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
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.layout import Confidence
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import report_turn
from promptlint.session_sketch import request, session, text, user
from promptlint.severity import Options


def check(session: JudgedSession, _: Options) -> Iterator[Finding]:
    """One finding for each model none of whose breakpoints can count."""
    if not session.policy.marks:
        return
    for turns in session.by_model():
        marked = [turn for turn in turns if session.breakpoints(turn)]
        if not marked or len(turns) < 2:
            continue
        nearest = max(marked, key=lambda turn: _surplus(session, turn))
        if _surplus(session, nearest) < 0:
            yield _finding(session, marked[0], nearest)


def _surplus(session: JudgedSession, turn: Turn) -> int:
    """The tokens of the longest marked prefix, less the minimum."""
    return session.breakpoints(turn)[-1] - session.minimum(turn)


def _finding(session: JudgedSession, first: Turn, nearest: Turn) -> Finding:
    known = session.minimum_known(nearest)
    whose = "of this model" if known else "that is assumed for this model"
    about = "about " if session.estimated else ""
    found = report_turn(
        session,
        first,
        Severity.INFO,
        message="nothing is cached: the longest marked prefix has "
        f"{about}{session.breakpoints(nearest)[-1]:,} tokens, "
        f"the minimum {whose} is {session.minimum(nearest):,}",
        advice="put the breakpoint behind more text, or leave it out",
    )
    return found if known else replace(found, confidence=Confidence.LOW)


def _marked(tokens: int, *models: str) -> JudgedSession:
    """Two requests of each model, all with one marked system text of that many tokens."""
    questions = [user(text(f"question{n}_", 9)) for n in range(2 * len(models))]
    system = (text("base", tokens, ""),)
    requests = [
        replace(request(*questions[: n + 1], system=system), model=models[n // 2])
        for n in range(len(questions))
    ]
    return session(*requests, cache="anthropic/messages")


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
        Bad(
            _marked(2000, "claude-opus-5-5", "claude-haiku-4-5"),
            at=("session.jsonl:3",),
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
