"""A cache breakpoint stands on text that changes.

## What it does
Reports a block that carries a breakpoint and whose text is another one, or gone, in the
next request.

## Why it breaks the prefix
An entry ends at the breakpoint and is found only if everything up to there is equal. A
breakpoint behind a clock or a memory writes an entry in every request, at the price of
a write, that no later request can read. The stable text in front of it is lost with it.

## Example
    system = [
        {"type": "text", "text": INSTRUCTIONS},
        {"type": "text", "text": status(), "cache_control": {"type": "ephemeral"}},
    ]

## Use instead
Put the breakpoint on the last block that stays the same, and what changes behind it.

## When to ignore
When the block changes once in a long session.

## References
- pydantic/pydantic-ai, issue 3630: static and dynamic instructions in one marked block
- langchain-ai/deepagentsjs, pull request 285: system and memory share one breakpoint
"""

from collections.abc import Iterator

from promptlint.cache.judged import JudgedSession
from promptlint.captures.blocks import ContentBlock
from promptlint.captures.turns import Turn
from promptlint.finding import Finding, Severity
from promptlint.layout import Part
from promptlint.phrases import count
from promptlint.rule import Bad, Good, Rule
from promptlint.session_rule import loss_severity, report_turn
from promptlint.session_sketch import assistant, request, session, text, user
from promptlint.severity import Options


def check(session: JudgedSession, options: Options) -> Iterator[Finding]:
    """One finding for each marked block whose text changed while it kept its place."""
    if not session.policy.marks:
        return
    found: dict[object, list[tuple[Turn, ContentBlock, int]]] = {}
    for earlier, later in session.pairs():
        place = later.divergence.token if later.divergence else 0
        block = _changed_block(earlier, later, place) if later.divergence else None
        if block is not None:
            readable = (end for end in session.breakpoints(earlier) if end <= place)
            lost = block.end - max(readable, default=0)
            key = block.part if block.part is Part.MESSAGES else block.key
            found.setdefault(key, []).append((later, block, lost))
    for group in found.values():
        turn, block, _ = group[0]
        lost = max(tokens for _, _, tokens in group)
        yield report_turn(
            session,
            turn,
            loss_severity(lost, options),
            message=f"a cache breakpoint stands on a block of the {block.part} that changes",
            advice="onto the last block in front of it that stays the same",
            lost_tokens=lost,
            facts=(
                ("marked at", f"token {block.end:,}"),
                ("loses", f"{count(lost, 'token')} written, and read by no later request"),
            ),
            again=(again for again, _, _ in group[1:]),
        )


def _changed_block(earlier: Turn, later: Turn, place: int) -> ContentBlock | None:
    """The block in which two requests part, if it carried a breakpoint in the first of them."""
    kept = {block.key for block in earlier.marks}
    candidates = [(earlier, block) for block in earlier.marks]
    candidates += [(later, block) for block in later.marks if block.key in kept]
    inside = (b for turn, b in candidates if _opens(turn, b) <= place < b.end)
    return next(inside, None)


def _opens(turn: Turn, block: ContentBlock) -> int:
    """Where the block before this one ends: what separates the two belongs to the second."""
    return max((end for end in turn.block_ends if end <= block.start), default=0)


_BASE = text("base", 900)
_ASKED = user(text("question", 30))
_NEXT = (_ASKED, assistant(text("answer", 300)), user(text("next", 9)))
_CACHE = "anthropic/messages"

RULE = Rule(
    name="marker-on-volatile",
    summary="a cache breakpoint stands on text that changes",
    reads=JudgedSession,
    check=check,
    bad=(
        Bad(
            session(
                request(_ASKED, system=(_BASE, text("morning", 20, ""))),
                request(*_NEXT, system=(_BASE, text("noon", 20, ""))),
                cache=_CACHE,
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
        Bad(
            session(
                request(*_NEXT, user(text("reminder", 9, "")), system=(_BASE,)),
                request(*_NEXT, assistant(text("more", 9)), _ASKED, system=(_BASE,)),
                cache=_CACHE,
            ),
            at=("session.jsonl:2",),
            severity=Severity.ERROR,
        ),
    ),
    good=(
        Good(
            session(
                request(_ASKED, system=(text("base", 900, ""), text("morning", 20))),
                request(*_NEXT, system=(text("base", 900, ""), text("noon", 20))),
                cache=_CACHE,
            ),
            "the breakpoint stands in front of what changes",
        ),
        Good(
            session(
                request(user(text("question", 30, ""))),
                request(_ASKED, assistant(text("answer", 300)), user(text("next", 9, ""))),
                cache=_CACHE,
            ),
            "a breakpoint moves on with the newest message",
        ),
        Good(
            session(
                request(_ASKED, system=(_BASE, text("morning", 20, ""))),
                request(*_NEXT, system=(_BASE, text("noon", 20, ""))),
            ),
            "this cache knows no breakpoints",
        ),
    ),
)
