"""One call of the builder: the requests it made, and what the outside world handed to it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from promptlint.request import Block, Message, Request, Tool
from promptlint.worlds.observation import Observation
from promptlint.worlds.world import World

# Stands for the user where the builder makes only the system prompt; it never counts as moving.
PLACEHOLDER = "Hello."


@dataclass(frozen=True, slots=True)
class Shot:
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


def judged_text(request: Request) -> str:
    """All of the request's text that counts as moving: without its newest user message."""
    tools = json.dumps([tool.definition for tool in request.tools], ensure_ascii=False, indent=1)
    newest = newest_user(request)
    others = [
        f"{message.role}: {message.text}\n{message.reasoning or ''}\n{message.tool_calls}"
        for index, message in enumerate(request.messages)
        if index != newest
    ]
    return "\n\0".join([request.system_text, tools, *others])


def same(one: Shot, other: Shot) -> bool:
    """Whether two calls made the same requests, newest user messages apart."""
    return len(one.requests) == len(other.requests) and all(
        judged_text(a) == judged_text(b) for a, b in zip(one.requests, other.requests, strict=True)
    )
