"""The cache breakpoints of requests, by the block at whose end they stand."""

from collections.abc import Iterator

from msgspec.structs import replace

from promptlint.captures.blocks import BlockKey, ContentBlock
from promptlint.captures.growing_map import GrowingMap
from promptlint.request import Message, Request


class Breakpoints:
    """Finds the breakpoints of requests that go on from each other: only new messages are read."""

    def __init__(self) -> None:
        self._of_messages = GrowingMap(_of_message)

    def on(self, blocks: tuple[ContentBlock, ...], request: Request) -> tuple[ContentBlock, ...]:
        """The blocks with a breakpoint, which they get as their mark: once for each."""
        marks: dict[BlockKey, list[str]] = {}
        for key, mark in self._marks(request):
            marks.setdefault(key, []).append(mark)
        if not marks:
            return ()
        return tuple(replace(b, mark=mark) for b in blocks for mark in marks.get(b.key, ()))

    def _marks(self, request: Request) -> Iterator[tuple[BlockKey, str]]:
        tools, system = enumerate(request.tools), enumerate(request.system)
        yield from ((("tools", n), tool.mark) for n, tool in tools if tool.mark is not None)
        yield from ((("system", n), block.mark) for n, block in system if block.mark is not None)
        of_messages = self._of_messages(request.messages)
        for index in [index for index, marks in enumerate(of_messages) if marks]:
            yield from ((("messages", index, *place), mark) for place, mark in of_messages[index])


def _of_message(message: Message) -> tuple[tuple[tuple[str, int], str], ...]:
    """The breakpoints of one message; a tool result is one block, whatever parts it has."""
    is_result = message.role == "tool"
    contents = enumerate(block.mark for block in message.blocks)
    calls = enumerate(call.mark for call in message.tool_calls)
    return (
        *((("content", 0 if is_result else n), mark) for n, mark in contents if mark is not None),
        *((("tool_calls", n), mark) for n, mark in calls if mark is not None),
    )
