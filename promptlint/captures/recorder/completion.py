"""One answer to one request, before it is written in a wire format."""

import json
from typing import Any, TypeAlias

from msgspec import Struct

from promptlint.captures.recorder.reply import Reply, answers_so_far
from promptlint.request import Request, ToolCall

Object: TypeAlias = dict[str, Any]
_BYTES_PER_TOKEN = 4
DEFAULT_MODEL = "recorder"
CREATED = 1
"""The time stamp of every answer, in seconds since 1970: answers of two runs are the same."""


class Completion(Struct, frozen=True):
    """What is answered. `number` counts the answers of the conversation from 0.

    `input_tokens` and `output_tokens` are estimates: agents plan their context with them.
    """

    reply: Reply
    model: str
    number: int
    input_tokens: int

    @property
    def output_tokens(self) -> int:
        """An estimate, from the length of the answer."""
        length = len(self.reply.text) + sum(len(arguments(c)) for c in self.reply.tool_calls)
        return estimated_tokens(length)

    def call_id(self, index: int) -> str:
        """The id of a tool call, the same in every run: it becomes part of the history."""
        return f"call_{self.number}_{index}"


def completion(request: Request, reply: Reply, model: str | None, size: int) -> Completion:
    """The answer to a request whose body has `size` bytes."""
    name = request.model or model or DEFAULT_MODEL
    return Completion(reply, name, answers_so_far(request), estimated_tokens(size))


def estimated_tokens(size: int) -> int:
    """Roughly how many tokens a text of this many bytes has, at least one."""
    return max(1, size // _BYTES_PER_TOKEN)


def arguments(call: ToolCall) -> str:
    """The arguments of a call as JSON text."""
    return json.dumps(call.arguments, ensure_ascii=False)
