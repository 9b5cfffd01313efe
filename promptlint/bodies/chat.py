"""OpenAI chat completions, which most open engines speak as well."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from promptlint.bodies.fields import (
    BodyError,
    Fields,
    close_body,
    mark_field,
    opaque_block,
    type_name,
)
from promptlint.bodies.tools import tools_from
from promptlint.request import SYSTEM_ROLES, Block, Json, Mark, Message, Request, ToolCall

_REASONING = ("reasoning_content", "reasoning", "thinking")
# What gateways and clients add to a message or a call.
_MESSAGE_DATA = (
    "annotations",
    "audio",
    "id",
    "parsed",
    "partial",
    "prefix",
    "provider_specific_fields",
    "reasoning_details",
    "reasoning_opaque",
    "reasoning_text",
    "status",
    "thinking_blocks",
    "tool_name",
    "weight",
)
_CALL_DATA = ("extra_content", "index", "provider_specific_fields", "type")


def read(body: Mapping[str, Json]) -> Request:
    """A body as a request. A first message of role system or developer is the system prompt."""
    unknown: list[str] = []
    fields = Fields(body, "", unknown)
    messages = [
        _read_message(Fields(value, f"messages[{index}]", unknown))
        for index, value in enumerate(fields.items("messages"))
    ]
    tools = tools_from([*fields.items("tools"), *fields.items("functions")])
    system, messages = split_system(messages)
    return close_body(fields, system, tools, messages)


def split_system(messages: list[Message]) -> tuple[tuple[Block, ...], list[Message]]:
    """The blocks of a leading system or developer message, and the messages behind it."""
    if messages and messages[0].role in SYSTEM_ROLES:
        return messages[0].blocks, messages[1:]
    return (), messages


def read_content(value: Json, path: str, unknown: list[str]) -> tuple[Block, ...]:
    """The `content` of a message: null, a text, or a list of parts."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (Block(value),)
    if not isinstance(value, list):
        raise BodyError(f"{path}: content is a text or a list, not {type_name(value)}")
    return tuple(_read_part(part, f"{path}[{index}]", unknown) for index, part in enumerate(value))


def _read_part(value: Json, path: str, unknown: list[str]) -> Block:
    if isinstance(value, str):
        return Block(value)
    fields = Fields(value, path, unknown)
    mark = fields.mark()
    kind = fields.text("type") or "text"
    text = fields.text("text", "refusal")
    if text is None:
        return opaque_block(kind, fields.rest(), mark=mark)
    fields.skip("annotations", "citations", "logprobs")
    fields.close()
    return Block(text, mark=mark)


def _read_message(fields: Fields) -> Message:
    role = fields.needed_text("role")
    mark = fields.mark()
    blocks = read_content(fields.take("content"), fields.at("content"), fields.unknown)
    calls = [
        _read_call(Fields(value, f"{fields.at('tool_calls')}[{index}]", fields.unknown))
        for index, value in enumerate(fields.items("tool_calls"))
    ]
    legacy_call = fields.take("function_call")
    if legacy_call is not None:
        calls.append(
            _read_function(Fields(legacy_call, fields.at("function_call"), fields.unknown), None)
        )
    refusal = fields.text("refusal")
    message = Message(
        role="tool" if role == "function" else role,
        blocks=mark_end((*blocks, Block(refusal)) if refusal else blocks, mark),
        tool_calls=tuple(calls),
        reasoning=fields.text(*_REASONING),
        tool_call_id=fields.text("tool_call_id"),
        name=fields.text("name"),
    )
    fields.skip(*_MESSAGE_DATA)
    fields.skip(*_REASONING)  # clients send the same text under several of these names
    fields.close()
    return message


def mark_end(blocks: tuple[Block, ...], mark: Mark) -> tuple[Block, ...]:
    """The blocks with a cache breakpoint at their end; a block is made where there is none."""
    if mark is None:
        return blocks
    *others, last = blocks or (Block(""),)
    return (*others, replace(last, mark=mark))


def _read_call(fields: Fields) -> ToolCall:
    identifier = fields.text("id")
    fields.skip(*_CALL_DATA)
    function = fields.take("function", "custom")
    fields.close()
    return _read_function(Fields(function, fields.at("function"), fields.unknown), identifier)


def _read_function(fields: Fields, identifier: str | None) -> ToolCall:
    call = ToolCall(fields.needed_text("name"), fields.take("arguments", "input"), identifier)
    fields.close()
    return call


def write(request: Request) -> dict[str, Any]:
    """A request as a body. Block names, opaque blocks' data and unknown fields are not carried."""
    messages = [_write_message(message) for message in request.messages]
    if request.system:
        messages.insert(0, {"role": "system", "content": _write_content(request.system)})
    body: dict[str, Any] = {"model": request.model} if request.model is not None else {}
    body["messages"] = messages
    if request.tools:
        body["tools"] = [{**tool.definition, **mark_field(tool.mark)} for tool in request.tools]
    return body | dict(request.parameters)


def _write_message(message: Message) -> dict[str, Any]:
    written: dict[str, Any] = {"role": message.role, "content": _write_content(message.blocks)}
    if message.reasoning is not None:
        written["reasoning_content"] = message.reasoning
    if message.tool_calls:
        written["tool_calls"] = [_write_call(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        written["tool_call_id"] = message.tool_call_id
    if message.name is not None:
        written["name"] = message.name
    return written


def _write_content(blocks: tuple[Block, ...]) -> Json:
    """No block is null, one plain block a text, anything else a list of parts."""
    if not blocks:
        return None
    if len(blocks) == 1 and blocks[0].mark is None:
        return _text_of(blocks[0])
    return [write_part(block) for block in blocks]


def write_part(block: Block) -> dict[str, Any]:
    """A text part, with its cache breakpoint; the same at OpenAI and at Anthropic."""
    return {"type": "text", "text": _text_of(block), **mark_field(block.mark)}


def _text_of(block: Block) -> str:
    if block.opaque is not None:
        raise BodyError(f"{block.opaque.partition(' ')[0]}: only its hash is known, not its data")
    return block.text


def _write_call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    identifier = {} if call.id is None else {"id": call.id}
    return {**identifier, "type": "function", "function": function}
