"""Amazon Bedrock Converse."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from promptlint.bodies.chat import mark_end
from promptlint.bodies.fields import Fields, close_body, json_text, mark_from, opaque_block
from promptlint.bodies.tools import tools_from
from promptlint.request import Block, Json, Mark, Message, Request, ToolCall


def read(body: Mapping[str, Json]) -> Request:
    """A body as a request. A tool result becomes a message of its own with the role tool.

    A `cachePoint` marks the end of the block before it.
    """
    unknown: list[str] = []
    fields = Fields(body, "", unknown)
    system = [
        block
        for message in _read_blocks("system", fields.items("system"), "system", unknown)
        for block in message.blocks
    ]
    messages: list[Message] = []
    for index, value in enumerate(fields.items("messages")):
        messages += _read_message(Fields(value, f"messages[{index}]", unknown))
    configuration = Fields(fields.take("toolConfig") or {}, "toolConfig", unknown)
    tools = tools_from(configuration.items("tools"), "toolConfig.tools")
    choice = configuration.take("toolChoice")
    configuration.close()
    model = fields.text("modelId")
    request = close_body(fields, system, tools, messages)
    parameters = {**request.parameters, **({} if choice is None else {"toolChoice": choice})}
    return replace(request, model=model, parameters=parameters)


def _read_message(fields: Fields) -> list[Message]:
    role = fields.needed_text("role")
    messages = _read_blocks(role, fields.items("content"), fields.at("content"), fields.unknown)
    fields.close()
    return messages or [Message(role)]


def _read_blocks(role: str, values: list[Any], path: str, unknown: list[str]) -> list[Message]:
    messages: list[Message] = []
    for index, value in enumerate(values):
        _read_block(role, Fields(value, f"{path}[{index}]", unknown), messages)
    return messages


def _read_block(role: str, fields: Fields, messages: list[Message]) -> None:
    """Add one content block to the newest message, or a new message with it."""
    result = fields.take("toolResult")
    if result is not None:
        messages.append(_read_result(Fields(result, fields.at("toolResult"), fields.unknown)))
        fields.close()
        return
    mark = fields.take("cachePoint")
    if not messages or (messages[-1].role != role and mark is None):
        messages.append(Message(role))
    message = messages[-1]
    if mark is not None:
        message = _with_mark(message, mark_from(mark))
    elif (text := fields.text("text")) is not None:
        message = replace(message, blocks=(*message.blocks, Block(text)))
    elif (call := fields.take("toolUse")) is not None:
        read = _read_call(Fields(call, fields.at("toolUse"), fields.unknown))
        message = replace(message, tool_calls=(*message.tool_calls, read))
    elif (thought := fields.take("reasoningContent")) is not None:
        thoughts = Fields(thought, fields.at("reasoningContent"), fields.unknown)
        message = _with_reasoning(message, thoughts)
    else:
        message = replace(message, blocks=(*message.blocks, _read_other(fields)))
    fields.close()
    messages[-1] = message


def _with_mark(message: Message, mark: Mark) -> Message:
    """The message with a breakpoint at its end: calls stand behind the text."""
    if not message.tool_calls:
        return replace(message, blocks=mark_end(message.blocks, mark))
    *others, last = message.tool_calls
    return replace(message, tool_calls=(*others, replace(last, mark=mark)))


def _with_reasoning(message: Message, fields: Fields) -> Message:
    """The message with a thought: its text, or a hash of what is only there encrypted."""
    value = fields.take("reasoningText")
    if value is None:
        block = opaque_block("reasoning", fields.rest())
        return replace(message, blocks=(*message.blocks, block))
    inner = Fields(value, fields.at("reasoningText"), fields.unknown)
    text = inner.needed_text("text")
    inner.skip("signature")
    inner.close()
    fields.close()
    return replace(message, reasoning=(message.reasoning or "") + text)


def _read_call(fields: Fields) -> ToolCall:
    call = ToolCall(fields.needed_text("name"), fields.take("input"), fields.text("toolUseId"))
    fields.close()
    return call


def _read_result(fields: Fields) -> Message:
    blocks = []
    for index, value in enumerate(fields.items("content")):
        part = Fields(value, f"{fields.at('content')}[{index}]", fields.unknown)
        text, data = part.text("text"), part.take("json")
        if text is None and data is None:
            blocks.append(_read_other(part))
        else:
            blocks.append(Block(json_text(data) if text is None else text))
        part.close()
    fields.skip("status")
    message = Message("tool", tuple(blocks), tool_call_id=fields.text("toolUseId"))
    fields.close()
    return message


def _read_other(fields: Fields) -> Block:
    content = fields.rest()
    return opaque_block(next(iter(content), "block"), content)
