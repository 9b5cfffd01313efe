"""The content blocks of a rendered request, in tokens, and the cache breakpoints on them."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from promptlint.layout import Part
from promptlint.render import Rendered
from promptlint.request import Json, Request
from promptlint.templates import Leaf

BlockKey = tuple[str | int, ...]
"""`("tools", i)`, `("system", i)`, `("messages", i, kind, j)`: one block of the request."""


@dataclass(frozen=True, slots=True)
class ContentBlock:
    """One tool, system block, or piece of a message, as it stands in the rendered prompt.

    `start` and `end` are tokens. `marked` says that a cache breakpoint stands at its end,
    `lifetime` is the lifetime that the breakpoint asks for (`5m`, `1h`), if it names one.
    """

    key: BlockKey
    part: Part
    start: int
    end: int
    marked: bool = False
    lifetime: str | None = None


def content_blocks(
    request: Request, rendered: Rendered, body: Mapping[str, Json]
) -> tuple[ContentBlock, ...]:
    """The blocks that were rendered, in the order in which they end."""
    marked = _marked_keys(request)
    blocks = [
        ContentBlock(
            key,
            Part(str(key[0])),
            bisect_left(rendered.token_starts, start),
            bisect_left(rendered.token_starts, end),
            key in marked,
        )
        for key, (start, end) in block_extents(request, rendered).items()
    ]
    blocks.sort(key=lambda block: (block.end, block.start))
    return tuple(_with_lifetimes(blocks, list(_lifetimes(body))))


def block_extents(request: Request, rendered: Rendered) -> dict[BlockKey, tuple[int, int]]:
    """The characters in which each block was rendered."""
    extents: dict[BlockKey, tuple[int, int]] = {}
    for run in rendered.runs:
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


def _marked_keys(request: Request) -> set[BlockKey]:
    keys: set[BlockKey] = {("tools", i) for i, tool in enumerate(request.tools) if tool.marked}
    keys |= {("system", i) for i, block in enumerate(request.system) if block.marked}
    for index, message in enumerate(request.messages):
        for piece, block in enumerate(message.blocks):
            if block.marked:
                keys.add(("messages", index, "content", 0 if message.role == "tool" else piece))
    return keys


def _with_lifetimes(blocks: list[ContentBlock], lifetimes: list[str | None]) -> list[ContentBlock]:
    """Give the marked blocks the lifetimes of the body's marks, where there is one for each."""
    marked = [index for index, block in enumerate(blocks) if block.marked]
    if len(marked) == len(lifetimes):
        for index, lifetime in zip(marked, lifetimes, strict=True):
            blocks[index] = replace(blocks[index], lifetime=lifetime)
    return blocks


def _lifetimes(body: Mapping[str, Any]) -> Iterator[str | None]:
    """The lifetimes of the marks in a body, in the order tools, system, messages."""
    for part in ("tools", "system", "instructions", "messages", "input"):
        yield from _marks_in(body.get(part))


def _marks_in(value: Any) -> Iterator[str | None]:
    if isinstance(value, list):
        for item in value:
            yield from _marks_in(item)
    elif isinstance(value, dict):
        yield from _marks_in(value.get("content"))
        mark = value.get("cache_control") or value.get("prompt_cache_breakpoint")
        if mark is not None:
            lifetime = mark.get("ttl") if isinstance(mark, dict) else None
            yield lifetime if isinstance(lifetime, str) else None
