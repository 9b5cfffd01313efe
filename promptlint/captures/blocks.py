"""The content blocks of a rendered request, in tokens, and the cache breakpoints on them."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace

from promptlint.layout import Part
from promptlint.render import Rendered
from promptlint.request import Mark, Request
from promptlint.templates import Leaf, Run

BlockKey = tuple[str | int, ...]
"""`("tools", i)`, `("system", i)`, `("messages", i, kind, j)`: one block of the request."""


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """One tool, system block, or piece of a message, as it stands in the rendered prompt.

    `start` and `end` are tokens. `mark` is the cache breakpoint at its end.
    """

    key: BlockKey
    part: Part
    start: int
    end: int
    mark: Mark = None


def content_blocks(request: Request, rendered: Rendered) -> tuple[ContentBlock, ...]:
    """The blocks that were rendered, in the order in which they end."""
    blocks = [
        ContentBlock(
            key,
            Part(str(key[0])),
            bisect_left(rendered.token_starts, start),
            bisect_left(rendered.token_starts, end),
        )
        for key, (start, end) in block_extents(request, rendered.runs).items()
    ]
    blocks.sort(key=lambda block: (block.end, block.start))
    return with_marks(tuple(blocks), request)


def with_marks(blocks: tuple[ContentBlock, ...], request: Request) -> tuple[ContentBlock, ...]:
    """The blocks with the breakpoints of this request, whatever breakpoints they had."""
    marks = _marks(request)
    return tuple(
        block if block.mark == marks.get(block.key) else replace(block, mark=marks.get(block.key))
        for block in blocks
    )


def block_extents(request: Request, runs: Iterable[Run]) -> dict[BlockKey, tuple[int, int]]:
    """The characters in which each block was rendered."""
    extents: dict[BlockKey, tuple[int, int]] = {}
    for run in runs:
        key = _key(run.leaf, request)
        if key is not None and run.start < run.end:
            start, _ = extents.get(key, (run.start, run.end))
            extents[key] = (start, run.end)
    return extents


def _key(leaf: Leaf | None, request: Request) -> BlockKey | None:
    """The block that a run belongs to; a tool result is one block, whatever parts it has."""
    match leaf:
        case ("tools", int() as index, *_):
            return ("tools", index)
        case ("system", int() as index, *_):
            return ("system", index)
        case ("messages", int() as index, *_) if request.messages[index].role == "tool":
            return ("messages", index, "content", 0)
        case ("messages", int() as index, ("content" | "tool_calls") as kind, int() as piece, *_):
            return ("messages", index, kind, piece)
        case ("messages", int() as index, "reasoning_content", *_):
            return ("messages", index, "reasoning_content", 0)
        case _:
            return None


def _marks(request: Request) -> dict[BlockKey, str]:
    """The breakpoints of a request, by the block at whose end they stand."""
    found: dict[BlockKey, Mark] = {("tools", i): tool.mark for i, tool in enumerate(request.tools)}
    found |= {("system", i): block.mark for i, block in enumerate(request.system)}
    for index, message in enumerate(request.messages):
        for piece, block in enumerate(message.blocks):
            key = ("messages", index, "content", 0 if message.role == "tool" else piece)
            found[key] = block.mark if block.mark is not None else found.get(key)
        for number, call in enumerate(message.tool_calls):
            found[("messages", index, "tool_calls", number)] = call.mark
    return {key: mark for key, mark in found.items() if mark is not None}
