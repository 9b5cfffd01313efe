"""The same captures, had something been done otherwise. Each variant is replayed like the rest.

Another policy or model needs no variant: replay the captures under it.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix
from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest
from promptlint.layout import Source
from promptlint.request import Block, Request
from promptlint.sections.find import Knowledge, find_sections

_NOTE = "\n- The tests are run with tox, not with pytest."
"""A note of 13 tokens or so, as an agent writes it."""


def system_frozen(captured: Sequence[CapturedRequest]) -> tuple[CapturedRequest, ...]:
    """Every conversation keeps the system text and the tools of its first request."""

    def frozen(turns: Sequence[Request], index: int) -> Request:
        return replace(turns[index], system=turns[0].system, tools=turns[0].tools)

    return _changed(captured, frozen)


def system_refreshed(
    captured: Sequence[CapturedRequest], turn: int, change: Callable[[str], str]
) -> tuple[CapturedRequest, ...]:
    """From turn `turn` of each conversation on (counted from 1), the system texts are changed.

    `change` gets the text of each system block, and returns it unless it is the one to
    change: `lambda text: text.replace(old, new)` refreshes a memory.
    """

    def refreshed(turns: Sequence[Request], index: int) -> Request:
        if index + 1 < turn:
            return turns[index]
        blocks = tuple(replace(b, text=change(b.text)) for b in turns[index].system)
        return replace(turns[index], system=blocks)

    return _changed(captured, refreshed)


def memory_refreshed(captured: Sequence[CapturedRequest], turn: int) -> tuple[CapturedRequest, ...]:
    """From turn `turn` of each conversation on, one more note stands in the system text.

    It stands at the end of the memory, else of the whole system text.
    """

    def refreshed(turns: Sequence[Request], index: int) -> Request:
        blocks = list(turns[index].system)
        if index + 1 < turn or not blocks:
            return turns[index]
        ends = [_memory_end(block.text) for block in blocks]
        holder = next((n for n, end in enumerate(ends) if end is not None), len(blocks) - 1)
        text = blocks[holder].text
        end = ends[holder] or len(text)
        blocks[holder] = replace(blocks[holder], text=f"{text[:end]}{_NOTE}{text[end:]}")
        return replace(turns[index], system=tuple(blocks))

    return _changed(captured, refreshed)


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

    def marked(turns: Sequence[Request], index: int) -> Request:
        return replace(turns[index], system=_marked_at(turns[index], _stable_length(turns)))

    return _changed(captured, marked)


def _changed(
    captured: Sequence[CapturedRequest], change: Callable[[Sequence[Request], int], Request]
) -> tuple[CapturedRequest, ...]:
    """Apply a change to every request of a conversation; auxiliary requests stay."""
    changed: dict[int, CapturedRequest] = {}
    for conversation in conversations(captured).conversations:
        requests = conversation.session.requests
        for index, turn in enumerate(conversation.turns):
            changed[id(turn)] = replace(turn, request=change(requests, index))
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
