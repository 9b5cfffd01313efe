"""The history reads otherwise than it was sent before.

## What it does
Reports a request whose earlier messages are not those of the request before: changed,
cut, put into another order, without the model's reasoning, or with text that stood in
the system prompt before. Only what is printed counts: cache breakpoints may move, call ids
may change. What the template alone writes otherwise has a rule of its own. A fork is no
rewriting: another attempt at a question, or a user who goes back, has a new continuation
and none of the messages that stood behind the place.

## Why it breaks the prefix
Every request sends the whole conversation again, and the cache knows it as it was. From
the first message that differs on, everything is recomputed; the longer the session,
the more. An agent that trims its oldest messages in every turn never reads its history.

## Example
    for message in messages:
        message.pop("reasoning_content", None)  # of the earlier turns only

## Use instead
Append, and leave what was sent as it was. Cut tool results when they come in, not when
they are old. Where the context is full, compact once and far: a prompt that is less than
half as long afterwards is not reported. Send reasoning back as it was received, or never.

## When to ignore
When the user edits an earlier message and the messages behind it are kept: the conversation
then really is another one.

## References
- zeroclaw-labs/zeroclaw, issue 10786: thinking sent only after the last user message
- vercel/eve, pull request 175: old tool results pruned in every step
- Anthropic and OpenAI cache diagnostics: `messages_changed`
"""

from collections.abc import Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.captures.causes import Cause
from promptlint.captures.divergence import Divergence
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.layout import Part
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import broken_turns, report_broken
from promptlint.session_sketch import assistant, request, result, session, text, user
from promptlint.severity import Options

_ADVICE = {
    Cause.HISTORY_REWRITTEN: "append to the history, and send what was sent before as it was",
    Cause.REASONING_DROPPED: "send the reasoning back as it was received, in every request",
    Cause.REORDERED: "keep the messages in the order in which they were sent first",
    Cause.SYSTEM_MOVED: "keep system text at the place where it was sent first",
}


def check(session: JudgedSession, options: Options) -> Iterator[Finding]:
    """One finding for each message that a later request sends otherwise."""
    for group in broken_turns(session, _in_history):
        turn, broken = group[0]
        advice = _ADVICE[broken.cause]
        yield report_broken(session, group, options, message=_message(turn, broken), advice=advice)


def _in_history(broken: Divergence) -> bool:
    in_history = broken.part is Part.MESSAGES or broken.cause is Cause.SYSTEM_MOVED
    return in_history and broken.cause in _ADVICE and not broken.by_template


def _message(turn: Turn, broken: Divergence) -> str:
    if broken.cause is Cause.SYSTEM_MOVED:
        return "system text is sent at another place than before"
    what = "the history"
    if broken.message is not None:
        messages = turn.captured.request.messages
        role = messages[broken.message].role if broken.message < len(messages) else "gone"
        what = f"message {broken.message + 1} ({role})"
    if broken.cause is Cause.REASONING_DROPPED:
        return f"the reasoning of {what} is no longer sent"
    return f"{what} reads otherwise than it was sent before"


_ASKED = user(text("question", 30))
_THOUGHT = assistant(text("answer", 300), reasoning="a b c")
_ANSWER = assistant(text("answer", 300))
_READ = result(text("file", 280))

RULE = Rule(
    name="history-rewritten",
    summary="the history reads otherwise than it was sent before",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            session(
                request(_ASKED, _ANSWER, _READ, user(text("next", 9))),
                request(_ASKED, _ANSWER, result(text("cut", 9)), user(text("next", 9))),
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(
                request(_ASKED, _THOUGHT, user(text("next", 9))),
                request(_ASKED, _ANSWER, user(text("next", 9)), _ANSWER, user(text("last", 9))),
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(
                request(_ASKED, assistant(text("yes", 5)), user(text("next", 9))),
                request(_ASKED, assistant(text("no", 5)), user(text("next", 9)), _ANSWER),
            ),
            at=("session.jsonl:2",),
            severity=Severity.WARNING,
        ),
        Bad(
            session(
                request(_ASKED, system=(text("base", 9), text("memory", 300))),
                request(user(text("memory", 300)), _ASKED, _ANSWER, system=(text("base", 9),)),
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            session(request(_ASKED), request(_ASKED, _ANSWER, user(text("next", 9)))),
            "the history only grows",
        ),
        Good(
            session(
                request(user(text("question", 30, "")), _ANSWER, _READ),
                request(_ASKED, _ANSWER, _READ, user(text("next", 9, ""))),
            ),
            "a breakpoint that moves changes no text",
        ),
        Good(
            session(
                request(_ASKED, _ANSWER, user(text("next", 9))),
                request(_ASKED, assistant(text("other", 9)), user(text("else", 9)), _THOUGHT),
            ),
            "a second attempt goes on from the question",
        ),
        Good(
            session(
                request(_ASKED, _ANSWER, _READ, _ANSWER, user(text("next", 9))),
                request(user(text("summary", 40)), _ANSWER, user(text("next", 9))),
            ),
            "a compaction throws the history away on purpose",
        ),
    ),
)
