"""The same value is written in other bytes.

## What it does
Reports tool definitions and tool call arguments that are equal to what was sent before
when both are parsed, and yet are other text: other spaces, another order of keys.

## Why it breaks the prefix
A cache compares tokens, not objects. Arguments that a client parses and writes again
(`{"a":1}` becomes `{"a": 1}`), and definitions whose keys come out of an unordered map,
end the common prefix although nothing has changed.

## Example
    call["arguments"] = json.dumps(json.loads(call["arguments"]))

## Use instead
Keep the text that the model or the server sent, and send that text back. Sort the keys of
what you write yourself, once, before the first request.

## When to ignore
Behind an engine that parses arguments before it renders them: name it with `--cache`, and
what it makes equal is not reported.

## References
- OpenRouterTeam/ai-sdk-provider, pull request 472: arguments parsed and written again
- maximhq/bifrost, issue 3362: schema keys in another order in every request
"""

from collections.abc import Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.captures.causes import Cause
from promptlint.captures.divergence import Divergence
from promptlint.finding import Finding, Severity
from promptlint.layout import Part
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import broken_turns, report_broken
from promptlint.session_sketch import assistant, call, request, session, text, user
from promptlint.severity import Options


def check(session: JudgedSession, options: Options) -> Iterator[Finding]:
    """One finding for each place whose bytes alone have changed."""
    for group in broken_turns(session, _in_bytes_only):
        broken = group[0][1]
        tools = broken.part is Part.TOOLS
        what = "the tool definitions" if tools else "the arguments of a tool call"
        yield report_broken(
            session,
            group,
            options,
            message=f"{what} are equal to those sent before, but their bytes are not",
            advice="write the definitions once, with sorted keys, and send that text"
            if tools
            else "keep the text of the arguments as it came, and send it back unparsed",
        )


def _in_bytes_only(broken: Divergence) -> bool:
    return broken.cause is Cause.EQUAL_BUT_DIFFERENT_BYTES


_ASKED = user(text("question", 300))
_ANSWER = assistant(text("answer", 300))

RULE = Rule(
    name="equal-but-different-bytes",
    summary="the same value is written in other bytes",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            session(
                request(_ASKED, call('{"a": 1, "b": 2}'), _ANSWER),
                request(_ASKED, call('{"a":1,"b":2}'), _ANSWER, _ASKED),
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(
                request(_ASKED, call({"a": 1, "b": 2}), _ANSWER),
                request(_ASKED, call({"b": 2, "a": 1}), _ANSWER, _ASKED),
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            session(
                request(_ASKED, call('{"a": 1}'), _ANSWER),
                request(_ASKED, call('{"a": 2}'), _ANSWER, _ASKED),
            ),
            "other arguments are a rewritten history",
        ),
        Good(
            session(
                request(_ASKED, call('{"a": 1}'), _ANSWER),
                request(_ASKED, call('{"a":1}'), _ANSWER, _ASKED),
                cache="engine/vllm",
            ),
            "this engine parses arguments before it renders them",
        ),
    ),
)
