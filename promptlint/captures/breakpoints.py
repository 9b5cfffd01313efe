"""The cache breakpoints of requests, by the block at whose end they stand."""

from collections.abc import Mapping

from msgspec.structs import replace

from promptlint.captures.blocks import BlockKey, ContentBlock
from promptlint.captures.growing_map import GrowingMap
from promptlint.request import Message, Request


class Breakpoints:
    """Finds the breakpoints of requests that go on from each other: only new messages are read."""

    def __init__(self) -> None:
        self._of_messages = GrowingMap(_of_message)

    def on(self, blocks: tuple[ContentBlock, ...], request: Request) -> tuple[ContentBlock, ...]:
        """The blocks with a breakpoint, which they get as their mark."""
        marks = self._marks(request)
        if not marks:
            return ()
        return tuple(replace(b, mark=marks[b.key]) for b in blocks if b.key in marks)

    def _marks(self, request: Request) -> dict[BlockKey, str]:
        tools, system = enumerate(request.tools), enumerate(request.system)
        found: dict[BlockKey, str] = {("tools", n): t.mark for n, t in tools if t.mark is not None}
        found |= {("system", n): block.mark for n, block in system if block.mark is not None}
        for index, marks in enumerate(self._of_messages(request.messages)):
            if marks:
                found |= {("messages", index, *place): mark for place, mark in marks.items()}
        return found


def _of_message(message: Message) -> Mapping[tuple[str, int], str]:
    """The breakpoints of one message; a tool result is one block, whatever parts it has."""
    marks = {
        ("content", 0 if message.role == "tool" else piece): block.mark
        for piece, block in enumerate(message.blocks)
        if block.mark is not None
    }
    calls = enumerate(message.tool_calls)
    return marks | {("tool_calls", n): call.mark for n, call in calls if call.mark is not None}
