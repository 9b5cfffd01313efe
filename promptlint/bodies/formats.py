"""Which format a body has, and the way there and back."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from promptlint.bodies import anthropic, chat, converse, gemini, responses
from promptlint.bodies.fields import BodyError, type_name
from promptlint.request import SYSTEM_ROLES, Json, Request


class BodyFormat(StrEnum):
    """The wire formats that can be read."""

    CHAT = "openai-chat"
    RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic-messages"
    CONVERSE = "bedrock-converse"
    GEMINI = "gemini"


_READERS = {
    BodyFormat.CHAT: chat.read,
    BodyFormat.RESPONSES: responses.read,
    BodyFormat.ANTHROPIC: anthropic.read,
    BodyFormat.CONVERSE: converse.read,
    BodyFormat.GEMINI: gemini.read,
}
_WRITERS = {BodyFormat.CHAT: chat.write, BodyFormat.ANTHROPIC: anthropic.write}
_ANTHROPIC_BLOCKS = frozenset(
    {"document", "image", "redacted_thinking", "thinking", "tool_result", "tool_use"}
)
_CHAT_ROLES = ("developer", "function", "tool")


def body_format(body: Mapping[str, Json]) -> BodyFormat | None:
    """The format of a body, or None. Where chat and Anthropic read the same, it is chat."""
    if "contents" in body:
        return BodyFormat.GEMINI
    if "messages" in body:
        if _is_converse(body):
            return BodyFormat.CONVERSE
        return BodyFormat.ANTHROPIC if _is_anthropic(body) else BodyFormat.CHAT
    if "input" in body or "instructions" in body:
        return BodyFormat.RESPONSES
    return None


def _is_anthropic(body: Mapping[str, Any]) -> bool:
    if "system" in body or "anthropic_version" in body:
        return True
    messages, tools = _mappings(body["messages"]), _mappings(body.get("tools"))
    if any(map(is_chat_message, messages)):
        return False
    if any("input_schema" in tool for tool in tools) and not _opens_with_system(messages):
        return True
    only_texts = all(message.get("role") in ("assistant", "user") for message in messages)
    if "cache_control" in body and not tools and only_texts:
        return True
    return any(
        part.get("type") in _ANTHROPIC_BLOCKS
        for message in messages
        for part in _mappings(message.get("content"))
    )


def is_chat_message(message: Mapping[str, Any]) -> bool:
    """Whether a message has what only chat has, whatever shape the tools were given."""
    return message.get("role") in _CHAT_ROLES or message.get("tool_calls") is not None


def _opens_with_system(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Anthropic's first system text is a field of its own; only later ones are messages."""
    return bool(messages) and str(messages[0].get("role")) in SYSTEM_ROLES


def _is_converse(body: Mapping[str, Any]) -> bool:
    """Converse names its parts by their keys, where the others write a `type`."""
    if not {"inferenceConfig", "modelId", "toolConfig"}.isdisjoint(body):
        return True
    contents = [message.get("content") for message in _mappings(body["messages"])]
    parts = [part for value in (body.get("system"), *contents) for part in _mappings(value)]
    return bool(parts) and not any("type" in part for part in parts)


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list, whatever `value` is."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def request_from_body(body: Mapping[str, Json], form: BodyFormat | None = None) -> Request:
    """Read a request body of any known format, or of the one that is given.

    Raises BodyError where the format is unknown or a field has the wrong type. A field that no
    reader knows is listed in `unknown_fields`.
    """
    if not isinstance(body, Mapping):
        raise BodyError(f"a request body is an object, not {type_name(body)}")
    found = form or body_format(body)
    if found is None:
        raise BodyError("no request body: it has none of messages, input, instructions, contents")
    return _READERS[found](body)


def body_from_request(request: Request, form: BodyFormat | str) -> dict[str, Any]:
    """Write a request as a body of format `openai-chat` or `anthropic-messages`.

    Raises BodyError for other formats, and for what only a hash is known of (images).
    """
    writer = _WRITERS.get(BodyFormat(form)) if form in set(BodyFormat) else None
    if writer is None:
        raise BodyError(f"{form}: bodies of this format cannot be written")
    return writer(request)
