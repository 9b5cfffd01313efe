"""A parameter that counts into the cached prefix changes within a session.

## What it does
Reports a request whose model, effort, thinking or tool choice is not that of the request
before, where the cache keeps these apart or the chat template prints them. Some caches also
keep conversations with images apart from those without.

## Why it breaks the prefix
The text may be the same to the last byte: some parameters are part of the cache's key, and
others are printed near the head of the prompt. A session that switches back and forth
finds nothing each time.

## Example
    effort = "high" if step == 0 else "low"

## Use instead
Choose once per session. What only one step needs belongs into a session of its own, or
into the newest message. Where images count, have one from the first request on and keep it,
or ask what needs them in a session of its own.

## When to ignore
When the user has chosen another model: its cache is another one anyway.

## References
- OpenAI cache diagnostics: `reasoning_effort_changed`, `model_changed` and others
- Anthropic, documentation of prompt caching: what invalidates the cache
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from promptlint.cache.judged import JudgedSession
from promptlint.captures.causes import Cause
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.phrases import count
from promptlint.request import Block
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import report_turn
from promptlint.session_sketch import assistant, request, session, text, user
from promptlint.severity import Options

_IMAGES = ("images",)
_IMAGES_ADVICE = (
    "have an image from the first request on and keep it, "
    "or ask what needs images in a session of its own"
)


def check(session: JudgedSession, options: Options) -> Iterator[Finding]:
    """One finding for each set of parameters that changes, at the first request that does."""
    found: dict[tuple[str, ...], list[Turn]] = {}
    for earlier, later in session.pairs():
        names = session.changed_parameters(earlier, later)
        broken = later.divergence
        if broken is not None and broken.cause is Cause.PARAMETERS_CHANGED and not names:
            names = (broken.reason.removesuffix("_changed"),)
        if names:
            found.setdefault(names, []).append(later)
    for names, turns in found.items():
        lost = max(turn.common_prefix for turn in turns)
        minor = names == ("model",) or lost < options.threshold
        yield report_turn(
            session,
            turns[0],
            Severity.INFO if minor else Severity.WARNING,
            message=_message(names, turns),
            advice=_IMAGES_ADVICE if names == _IMAGES else "choose it once per session",
            lost_tokens=lost,
            facts=(("loses", f"up to {count(lost, 'token')}, though the text is the same"),),
            again=turns[1:],
        )


def _message(names: tuple[str, ...], turns: Sequence[Turn]) -> str:
    """What changes; of images, whether there are any."""
    if names != _IMAGES:
        return f"{', '.join(names)} changes within the session"
    if len(turns) > 1:
        return "images come and go within the session"
    if turns[0].captured.request.has_images:
        return "the first image comes in the middle of the session"
    return "the session goes on without the images that it had"


_ASKED = request(user(text("question", 400)))
_NEXT = request(user(text("question", 400)), assistant(text("answer", 30)), user(text("next", 9)))
_IMAGE = Block("", opaque="image sha256:0", is_image=True)
_NEXT_SHOWN = replace(_NEXT, messages=(*_NEXT.messages, user(_IMAGE)))
_HIDDEN = Block("", opaque="redacted_thinking sha256:0")
_NEXT_HIDDEN = replace(_NEXT, messages=(*_NEXT.messages, assistant(_HIDDEN)))

RULE = Rule(
    name="parameters-changed",
    summary="a parameter that counts into the cached prefix changes within a session",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            session(
                replace(_ASKED, parameters={"tool_choice": "auto"}),
                replace(_NEXT, parameters={"tool_choice": "required"}),
                cache="anthropic/messages",
            ),
            at=("session.jsonl:2",),
            severity=Severity.WARNING,
        ),
        Bad(
            session(replace(_ASKED, model="one"), replace(_NEXT, model="two")),
            at=("session.jsonl:2",),
            severity=Severity.INFO,
        ),
        Bad(
            session(_ASKED, _NEXT_SHOWN, cache="anthropic/messages"),
            at=("session.jsonl:2",),
            severity=Severity.WARNING,
        ),
    ),
    good=(
        Good(
            session(_ASKED, _NEXT_HIDDEN, cache="anthropic/messages"),
            "hidden reasoning is no image",
        ),
        Good(
            session(
                replace(_ASKED, parameters={"tool_choice": "auto"}),
                replace(_NEXT, parameters={"tool_choice": "required"}),
            ),
            "this cache looks at the text alone",
        ),
    ),
)
