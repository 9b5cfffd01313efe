"""Stable text stands behind the last cache breakpoint.

## What it does
Reports a session whose requests repeat text behind their last breakpoint: a system text
behind marked tools, a history behind a marked system text.

## Why it breaks the prefix
Where entries end only at breakpoints, what stands behind the last one is never stored. It
is equal in every request, and paid in full in every request.

## Example
    tools[-1]["cache_control"] = {"type": "ephemeral"}  # and no other breakpoint

## Use instead
Set a breakpoint on the newest message as well, or switch automatic caching on; the older
ones may stay.

## When to ignore
When the session has one request only: nothing is then repeated.

## References
- dhanji/g3, issue 77: four breakpoints used up, and none ever moved
- Anthropic, documentation of prompt caching: breakpoints for a growing conversation
"""

from collections.abc import Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.phrases import count
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import report_turn
from promptlint.session_sketch import assistant, request, session, text, user
from promptlint.severity import Options

_WORTH_A_BREAKPOINT = 64
"""Tokens: what stands behind a breakpoint on the last message but one is no fault."""


def check(session: JudgedSession, options: Options) -> Iterator[Finding]:
    """One finding for the first request that repeats enough behind its last breakpoint."""
    if not session.policy.marks:
        return
    behind = [(later, _behind(session, later)) for _, later in session.pairs()]
    repeated = [(turn, tokens) for turn, tokens in behind if tokens >= _WORTH_A_BREAKPOINT]
    if not repeated:
        return
    turn, _ = repeated[0]
    most = max(tokens for _, tokens in repeated)
    total = sum(tokens for _, tokens in repeated)
    yield report_turn(
        session,
        turn,
        Severity.WARNING if most >= options.threshold else Severity.INFO,
        message="text that every request repeats stands behind the last cache breakpoint",
        advice="set a breakpoint on the newest message, or on the last block that stays the same",
        lost_tokens=most,
        facts=(
            ("last mark", f"token {session.breakpoints(turn)[-1]:,} of {turn.tokens:,}"),
            ("loses", f"{count(total, 'token')} in {count(len(repeated), 'request')}"),
        ),
    )


def _behind(session: JudgedSession, turn: Turn) -> int:
    """The tokens behind the last breakpoint that an earlier request has sent as well."""
    ends = session.breakpoints(turn)
    return turn.common_prefix - ends[-1] if ends else 0


_ASKED = user(text("question", 30))
_ANSWER = assistant(text("answer", 300))
_NEXT = user(text("next", 9))
_CACHE = "anthropic/messages"

RULE = Rule(
    name="stable-after-last-marker",
    summary="stable text stands behind the last cache breakpoint",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            session(
                request(_ASKED, system=(text("base", 600, ""), text("project", 900))),
                request(_ASKED, _ANSWER, system=(text("base", 600, ""), text("project", 900))),
                cache=_CACHE,
            ),
            at=("session.jsonl:2",),
            severity=Severity.WARNING,
        ),
        Bad(
            session(
                request(_ASKED, system=(text("base", 900, ""),)),
                request(_ASKED, _ANSWER, _NEXT, system=(text("base", 900, ""),)),
                request(_ASKED, _ANSWER, _NEXT, _ANSWER, system=(text("base", 900, ""),)),
                cache=_CACHE,
            ),
            at=("session.jsonl:3",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            session(
                request(user(text("question", 30, "")), system=(text("base", 900),)),
                request(_ASKED, _ANSWER, user(text("next", 9, "")), system=(text("base", 900),)),
                cache=_CACHE,
            ),
            "the newest message carries a breakpoint",
        ),
        Good(
            session(
                request(_ASKED, system=(text("base", 900, ""), text("project", 600))),
                request(_ASKED, system=(text("base", 900, ""), text("changed", 600))),
                cache=_CACHE,
            ),
            "what stands behind it changes",
        ),
    ),
)
