"""What the recorder answers: a text, and the tool calls of a script."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from promptlint.request import Json, Request, ToolCall

DEFAULT_TEXT = "ok"
_KEYS = frozenset({"text", "tool_calls"})


class ReplyError(Exception):
    """A file of replies that cannot be used. The message is one line: the place, then the cause."""


class Reply(Struct, frozen=True):
    """One answer of the model: a text, tool calls, or both."""

    text: str = DEFAULT_TEXT
    tool_calls: tuple[ToolCall, ...] = ()


class Script(Struct, frozen=True):
    """The answers of a conversation, in order. `after` is what is said once they are used up.

    The answer follows from the request alone: the n-th reply answers a request that holds
    n earlier answers. So a retry gets the same answer, several clients do not take each
    other's, and a request without tools (a title, a summary) is answered with `after`.
    """

    replies: tuple[Reply, ...] = ()
    after: Reply = Reply()

    def reply(self, request: Request) -> Reply:
        """The answer to a request."""
        number = answers_so_far(request)
        if number >= len(self.replies) or not request.tools:
            return self.after
        return self.replies[number]


def answers_so_far(request: Request) -> int:
    """How many answers of the model a request goes on from; answers that touch count once."""
    count = _stored_answers(request.parameters.get("previous_response_id"))
    before = ""
    for message in request.messages:
        count += message.role == "assistant" != before
        before = message.role
    return count


def response_id(number: int) -> str:
    """The id of the answer with this number: a client may name it instead of its history."""
    return f"resp_{number}"


def _stored_answers(identifier: Json) -> int:
    """How many answers a response's id stands for."""
    if isinstance(identifier, str):
        number = identifier.removeprefix("resp_")
        return int(number) + 1 if number.isdecimal() else 0
    return 0


def read_replies(path: Path) -> tuple[Reply, ...]:
    """The replies in a file: a JSON list, or one JSON value a line.

    A reply is a text, or `{"text": ..., "tool_calls": [{"name": ..., "arguments": {...}}]}`.
    Raises ReplyError.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ReplyError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ReplyError(f"{path}: this is no text in UTF-8") from None
    return tuple(_reply(value, place) for place, value in _values(path, text))


def _values(path: Path, text: str) -> Iterable[tuple[str, Any]]:
    try:
        whole = json.loads(text)
    except ValueError:
        return [
            (place, _line(line, place))
            for number, line in enumerate(text.split("\n"), start=1)
            if line.strip() and (place := f"{path}:{number}")
        ]
    items = whole if isinstance(whole, list) else [whole]
    return [(f"{path}: reply {number}", item) for number, item in enumerate(items, start=1)]


def _line(line: str, place: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise ReplyError(f"{place}: no valid JSON: {error}") from None


def _reply(value: Any, place: str) -> Reply:
    if isinstance(value, str):
        return Reply(value)
    if not isinstance(value, dict) or not value or not value.keys() <= _KEYS:
        raise ReplyError(f"{place}: a reply is a text, or an object with `text` and `tool_calls`")
    calls = value.get("tool_calls", [])
    text = value.get("text", "")
    if not isinstance(text, str) or not isinstance(calls, list):
        raise ReplyError(f"{place}: `text` is a text and `tool_calls` a list")
    return Reply(text, tuple(_call(call, place) for call in calls))


def _call(value: Any, place: str) -> ToolCall:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise ReplyError(f"{place}: a tool call is an object with `name` and `arguments`")
    arguments = value.get("arguments", {})
    if not isinstance(arguments, dict):
        raise ReplyError(f"{place}: the arguments of {value['name']} are no object")
    return ToolCall(value["name"], arguments)
