"""The same captures, had something been done otherwise. Each variant is replayed like the rest.

Another policy needs no variant: replay the captures under it.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from promptlint.cache.best_order import best_order
from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest
from promptlint.layout import Source
from promptlint.request import Block, Request
from promptlint.sections.find import Knowledge, find_sections

_NOTE = "\n- The tests are run with tox, not with pytest."
"""A note of 13 tokens or so, as an agent writes it."""

_Change: TypeAlias = Callable[[Sequence[Request]], Sequence[Request]]
"""From the requests of a conversation to the same ones, had something been otherwise."""


class WhatIfError(Exception):
    """A change that these captures cannot have. The message is one line that says why."""


def system_frozen(captured: Sequence[CapturedRequest]) -> tuple[CapturedRequest, ...]:
    """Every conversation keeps the system text and the tools of its first request."""

    def frozen(turns: Sequence[Request]) -> Sequence[Request]:
        return [replace(turn, system=turns[0].system, tools=turns[0].tools) for turn in turns]

    return _changed(captured, frozen)


def ordered_best(captured: Sequence[CapturedRequest]) -> tuple[CapturedRequest, ...]:
    """The system texts of every conversation have what stays in front of what moves."""
    return _changed(captured, best_order)


def asked_of(captured: Sequence[CapturedRequest], model: str) -> tuple[CapturedRequest, ...]:
    """Every request names another model."""
    return tuple(
        replace(c, request=replace(c.request, model=model), body={**c.body, "model": model})
        for c in captured
    )


def system_refreshed(
    captured: Sequence[CapturedRequest], turn: int, change: Callable[[str], str]
) -> tuple[CapturedRequest, ...]:
    """From turn `turn` of each conversation on (counted from 1), the system texts are changed.

    `change` gets the text of each system block, and returns it unless it is the one to
    change: `lambda text: text.replace(old, new)` refreshes a memory.
    """

    def refreshed(request: Request) -> Request:
        blocks = tuple(replace(b, text=change(b.text)) for b in request.system)
        return replace(request, system=blocks)

    return _changed(captured, _from(turn, refreshed))


def memory_refreshed(captured: Sequence[CapturedRequest], turn: int) -> tuple[CapturedRequest, ...]:
    """From turn `turn` of each conversation on, one more note stands in the system text.

    It stands at the end of the memory, else of the whole system text.

    Raises:
        WhatIfError: no conversation has that turn, or none a system text from there on.
    """
    turns = [c.turns for c in conversations(captured).conversations]
    longest = max(map(len, turns), default=0)
    if not 1 <= turn <= longest:
        raise WhatIfError(f"there is no turn {turn}: the longest conversation has {longest}")
    if not any(c.request.system for own in turns for c in own[turn - 1 :]):
        raise WhatIfError(f"no request from turn {turn} on has a system text")
    return _changed(captured, _from(turn, _with_note))


def _with_note(request: Request) -> Request:
    blocks = list(request.system)
    if not blocks:
        return request
    ends = [_memory_end(block.text) for block in blocks]
    holder = next((n for n, end in enumerate(ends) if end is not None), len(blocks) - 1)
    text = blocks[holder].text
    end = ends[holder] or len(text)
    blocks[holder] = replace(blocks[holder], text=f"{text[:end]}{_NOTE}{text[end:]}")
    return replace(request, system=tuple(blocks))


def _memory_end(text: str) -> int | None:
    """Where the last note of a system text ends."""
    memory = [m for m in find_sections(text, Knowledge()) if m.source == Source.MEMORY]
    return len(text[: memory[-1].end].rstrip()) if memory else None


def marked_after_stable(captured: Sequence[CapturedRequest]) -> tuple[CapturedRequest, ...]:
    """A breakpoint stands where the system texts of a conversation stop being equal.

    The system block that moves is cut in two there, at a place where the text already has
    what joins two blocks: the rendered prompt stays the same. Nothing changes where the
    system text moves before the first such place.
    """

    def marked(turns: Sequence[Request]) -> Sequence[Request]:
        stable = _stable_length(turns)
        return [replace(turn, system=_marked_at(turn, stable)) for turn in turns]

    return _changed(captured, marked)


def _from(turn: int, change: Callable[[Request], Request]) -> _Change:
    """The change of each request from turn `turn` on, counted from 1."""
    return lambda turns: [*turns[: turn - 1], *map(change, turns[turn - 1 :])]


def _changed(captured: Sequence[CapturedRequest], change: _Change) -> tuple[CapturedRequest, ...]:
    """Apply a change to the requests of each conversation; auxiliary requests stay."""
    changed: dict[int, CapturedRequest] = {}
    for conversation in conversations(captured).conversations:
        requests = change(conversation.session.requests)
        for turn, request in zip(conversation.turns, requests, strict=True):
            changed[id(turn)] = replace(turn, request=request)
    return tuple(changed.get(id(item), item) for item in captured)


def _stable_length(turns: Sequence[Request]) -> int:
    """Characters of the joined system text that all turns share, up to where blocks may be cut."""
    first = turns[0].system_text
    shared = min(common_prefix(first, turn.system_text) for turn in turns)
    if shared == len(first):
        return shared
    return max(0, first.rfind(turns[0].joiner, 0, shared))


def _marked_at(request: Request, stable: int) -> tuple[Block, ...]:
    """The system blocks with a breakpoint after `stable` characters of their joined text."""
    blocks: list[Block] = []
    position = 0
    for block in request.system:
        cut = stable - position
        if 0 < cut < len(block.text):
            rest = block.text[cut + len(request.joiner) :]
            blocks.append(replace(block, text=block.text[:cut], mark=""))
            blocks.append(replace(block, text=rest))
        else:
            blocks.append(replace(block, mark="") if cut == len(block.text) else block)
        position += len(block.text) + len(request.joiner)
    return tuple(blocks)
