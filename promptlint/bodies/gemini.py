"""Gemini generateContent, with the field names of the wire and of the Python SDK."""

from collections.abc import Mapping

from msgspec.structs import replace

from promptlint.bodies.fields import (
    BodyError,
    Fields,
    close_body,
    json_text,
    opaque_block,
    type_name,
)
from promptlint.bodies.tools import tools_from
from promptlint.request import Block, Json, Message, Request, ToolCall

_ROLES = {"model": "assistant", "function": "user", None: "user"}


def read(body: Mapping[str, Json]) -> Request:
    """A body as a request. A function response becomes a message of its own with the role tool."""
    unknown: list[str] = []
    fields = Fields(body, "", unknown)
    system = _read_system(fields.take("systemInstruction", "system_instruction"), unknown)
    contents = fields.take("contents")
    if isinstance(contents, str):
        contents = [{"role": "user", "parts": [{"text": contents}]}]
    if not isinstance(contents, list):
        raise BodyError(f"contents: a list is needed, not {type_name(contents)}")
    messages: list[Message] = []
    for index, value in enumerate(contents):
        messages += _read_content(Fields(value, f"contents[{index}]", unknown))
    tools = tools_from(fields.items("tools"))
    return close_body(fields, system, tools, messages)


def _read_system(value: Json, unknown: list[str]) -> tuple[Block, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (Block(value),)
    fields = Fields(value, "systemInstruction", unknown)
    fields.skip("role")
    return tuple(block for message in _read_parts("system", fields) for block in message.blocks)


def _read_content(fields: Fields) -> list[Message]:
    role = fields.text("role")
    return _read_parts(_ROLES.get(role, role or "user"), fields)


def _read_parts(role: str, fields: Fields) -> list[Message]:
    messages: list[Message] = []
    for index, value in enumerate(fields.items("parts")):
        _read_part(role, Fields(value, f"{fields.at('parts')}[{index}]", fields.unknown), messages)
    fields.close()
    return messages or [Message(role)]


def _read_part(role: str, fields: Fields, messages: list[Message]) -> None:
    """Add one part to the newest message, or a new message with it."""
    fields.skip("thoughtSignature", "thought_signature")
    response = fields.take("functionResponse", "function_response")
    if response is not None:
        messages.append(
            _read_response(Fields(response, fields.at("functionResponse"), fields.unknown))
        )
        fields.close()
        return
    if not messages or messages[-1].role != role:
        messages.append(Message(role))
    message = messages[-1]
    call = fields.take("functionCall", "function_call")
    text = fields.text("text") if call is None else None
    thought = fields.take("thought")
    if call is not None:
        read = _read_call(Fields(call, fields.at("functionCall"), fields.unknown))
        message = replace(message, tool_calls=(*message.tool_calls, read))
    elif text is None:
        message = replace(message, blocks=(*message.blocks, _read_media(fields)))
    elif thought:
        message = replace(message, reasoning=(message.reasoning or "") + text)
    else:
        message = replace(message, blocks=(*message.blocks, Block(text)))
    fields.close()
    messages[-1] = message


def _read_media(fields: Fields) -> Block:
    content = fields.rest()
    return opaque_block(next(iter(content), "part"), content)


def _read_call(fields: Fields) -> ToolCall:
    call = ToolCall(fields.needed_text("name"), fields.take("args"), fields.text("id"))
    fields.skip("partialArgs", "partial_args", "willContinue", "will_continue")
    fields.close()
    return call


def _read_response(fields: Fields) -> Message:
    message = Message(
        "tool",
        (Block(json_text(fields.take("response"))),),
        tool_call_id=fields.text("id"),
        name=fields.text("name"),
    )
    fields.skip("willContinue", "will_continue", "scheduling")
    fields.close()
    return message
