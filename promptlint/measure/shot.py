"""One call of the builder: the requests it made, and what the outside world handed to it."""

import json
from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from promptlint.request import Block, Message, Request, Tool
from promptlint.worlds.observation import Observation
from promptlint.worlds.world import World

# Stands for the user where the builder makes only the system prompt; it never counts as moving.
PLACEHOLDER = "Hello."


class Shot(Struct, frozen=True):
    """What one call gave in one world. Several requests are the turns of one session."""

    world: World
    requests: tuple[Request, ...]
    observations: tuple[Observation, ...] = ()

    @property
    def request(self) -> Request:
        """The newest request."""
        return self.requests[-1]


def completed(request: Request, tools: Sequence[Tool]) -> Request:
    """The request with the configured tools where it has none, and with a user message."""
    messages = request.messages
    if not any(message.role == "user" for message in messages):
        messages = (*messages, Message("user", (Block(PLACEHOLDER),)))
    return replace(request, tools=request.tools or tuple(tools), messages=messages)


def newest_user(request: Request) -> int | None:
    """The index of the newest user message."""
    found = [index for index, message in enumerate(request.messages) if message.role == "user"]
    return found[-1] if found else None


class Judged(StrEnum):
    """Which text of a request is compared.

    The newest user message is another one in each turn and never counts as moving
    (`OLD` is all but that). Within one turn it has been sent before (`ALL`, `NEWEST_USER`).
    """

    OLD = "old"
    ALL = "all"
    NEWEST_USER = "newest-user"


def judged_text(request: Request, judged: Judged = Judged.OLD) -> str:
    """The text of a request that is compared, in one piece."""
    newest = newest_user(request)
    messages = [
        f"{message.role}: {message.text}\n{message.reasoning or ''}\n{message.tool_calls}"
        for index, message in enumerate(request.messages)
        if (index == newest) in _NEWEST[judged]
    ]
    if judged is Judged.NEWEST_USER:
        return "\n\0".join(messages)
    tools = json.dumps([tool.definition for tool in request.tools], ensure_ascii=False, indent=1)
    parameters = json.dumps(request.parameters, ensure_ascii=False, default=str)
    return "\n\0".join([request.system_text, tools, *messages, parameters])


_NEWEST = {Judged.OLD: {False}, Judged.ALL: {False, True}, Judged.NEWEST_USER: {True}}


def same(one: Shot, other: Shot, judged: Judged = Judged.OLD) -> bool:
    """Whether two calls made the same requests, as far as they are judged."""
    return len(one.requests) == len(other.requests) and all(
        judged_text(a, judged) == judged_text(b, judged)
        for a, b in zip(one.requests, other.requests, strict=True)
    )
