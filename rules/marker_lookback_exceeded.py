"""The next cache breakpoint stands too far behind the last entry.

## What it does
Counts the content blocks between a request's breakpoints and the entry that the request
before has stored, and reports where more lie between than the provider looks back.

## Why it breaks the prefix
From each breakpoint the provider goes back block by block, twenty at Anthropic, to find
an entry. A turn with many parallel tool calls and results adds more than that at
once: the entry is there, the prefix is equal, and it is still not found.

## Example
    # thirty tool calls and their results, and one breakpoint on the very last block

## Use instead
Set a breakpoint in between, on every fifteenth block or so, or leave one on the message
that carried it in the request before.

## When to ignore
Never: the older messages are paid for again.

## References
- brightwave-inc/tidebreak, issue 1154: more than 20 blocks between two breakpoints
- Anthropic, documentation of prompt caching: the lookback of 20 blocks
"""

from bisect import bisect_right
from collections.abc import Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.phrases import count
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import loss_severity, report_turn
from promptlint.session_sketch import assistant, request, session, text, user
from promptlint.severity import Options


def check(session: JudgedSession, options: Options) -> Iterator[Finding]:
    """One finding for each request that no longer sees the entry of the one before."""
    lookback = session.policy.lookback
    if not lookback:
        return
    for earlier, later in session.pairs():
        stored = [end for end in session.breakpoints(earlier) if end <= later.common_prefix]
        marks = session.breakpoints(later)
        seen = [end for end in stored if any(_between(later, end, m) < lookback for m in marks)]
        if not stored or not marks or stored[-1] in seen or stored[-1] > marks[-1]:
            continue
        lost = stored[-1] - max(seen, default=0)
        blocks = min(_between(later, stored[-1], mark) for mark in marks if mark >= stored[-1])
        yield report_turn(
            session,
            later,
            loss_severity(lost, options),
            message=f"the last entry ends {blocks} blocks before the next breakpoint: "
            f"it is found up to {lookback - 1} blocks before",
            advice="set a breakpoint in between, or leave one where the last request had it",
            lost_tokens=lost,
            facts=(("loses", f"{count(lost, 'token')} that are stored, and not found"),),
        )


def _between(turn: Turn, end: int, mark: int) -> int:
    """The blocks that end behind `end`, up to a breakpoint; more than any lookback before it."""
    if mark < end:
        return len(turn.block_ends) + 1
    return bisect_right(turn.block_ends, mark) - bisect_right(turn.block_ends, end)


_ASKED = user(text("question", 400))
_ENTRY = user(text("question", 400, ""))


def _grown(steps: int, *, kept: bool) -> JudgedSession:
    """A second request with that many blocks more; `kept` leaves the first breakpoint."""
    between = [assistant(text(f"step{n}_", 9)) for n in range(steps)]
    first = _ENTRY if kept else _ASKED
    return session(
        request(_ENTRY),
        request(first, *between, user(text("next", 9, ""))),
        cache="anthropic/messages",
    )


RULE = Rule(
    name="marker-lookback-exceeded",
    summary="the next cache breakpoint stands too far behind the last entry",
    reads=JudgedSession,
    check=check,
    bad=(Bad(_grown(25, kept=False), at=("session.jsonl:2",), severity=Severity.ERROR),),
    good=(
        Good(_grown(18, kept=False), "within twenty blocks the entry is found"),
        Good(_grown(25, kept=True), "the older breakpoint is still there"),
    ),
)
