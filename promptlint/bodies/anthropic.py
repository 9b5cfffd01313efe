"""Anthropic Messages."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from promptlint.bodies.chat import mark_end, read_content, split_system, write_part
from promptlint.bodies.fields import Fields, close_body, mark_field, opaque_block
from promptlint.bodies.tools import tools_from
from promptlint.request import Block, Json, Mark, Message, Request, Tool, ToolCall


def read(body: Mapping[str, Json]) -> Request:
    """A body as a request. A tool result becomes a message of its own with the role tool.

    In an assistant message the calls stand behind the text, in whatever order they were sent.
    """
    unknown: list[str] = []
    fields = Fields(body, "", unknown)
    system = read_content(fields.take("system"), "system", unknown)
    messages: list[Message] = []
    for index, value in enumerate(fields.items("messages")):
        messages += _read_message(Fields(value, f"messages[{index}]", unknown))
    tools = tools_from(fields.items("tools"))
    if not system:
        system, messages = split_system(messages)
    return close_body(fields, system, tools, messages)


def _read_message(fields: Fields) -> list[Message]:
    role = fields.needed_text("role")
    content = fields.take("content")
    fields.skip("id")
    fields.close()
    if not isinstance(content, list):
        return [Message(role, read_content(content, fields.at("content"), fields.unknown))]
    messages: list[Message] = []
    for index, value in enumerate(content):
        place = f"{fields.at('content')}[{index}]"
        _read_block(role, Fields(value, place, fields.unknown), messages)
    return messages or [Message(role)]


def _read_block(role: str, fields: Fields, messages: list[Message]) -> None:
    """Add one content block to the newest message, or a new message with it."""
    kind = fields.text("type") or "text"
    mark = fields.mark()
    if kind == "tool_result":
        messages.append(_read_result(fields, mark))
        return
    if not messages or messages[-1].role != role:
        messages.append(Message(role))
    message = messages[-1]
    match kind:
        case "text":
            message = _with_block(message, Block(fields.text("text") or "", mark=mark))
            fields.skip("citations")
        case "thinking":
            thought = fields.text("thinking") or ""
            known = () if message.reasoning is None else (message.reasoning,)
            message = replace(message, reasoning="\n".join((*known, thought)))
            fields.skip("signature")
        case "tool_use":
            message = _with_call(fields, message, mark)
            fields.skip("caller")
        case _:
            message = _with_block(message, opaque_block(kind, fields.rest(), mark=mark))
    fields.close()
    messages[-1] = message


def _with_block(message: Message, block: Block) -> Message:
    return replace(message, blocks=(*message.blocks, block))


def _with_call(fields: Fields, message: Message, mark: Mark) -> Message:
    call = ToolCall(fields.needed_text("name"), fields.take("input"), fields.text("id"), mark)
    return replace(message, tool_calls=(*message.tool_calls, call))


def _read_result(fields: Fields, mark: Mark) -> Message:
    blocks = read_content(fields.take("content"), fields.at("content"), fields.unknown)
    fields.skip("is_error")
    message = Message("tool", mark_end(blocks, mark), tool_call_id=fields.text("tool_use_id"))
    fields.close()
    return message


def write(request: Request) -> dict[str, Any]:
    """A request as a body. Consecutive tool results share one user message."""
    body: dict[str, Any] = {"model": request.model} if request.model is not None else {}
    if request.tools:
        body["tools"] = [_write_tool(tool) for tool in request.tools]
    if request.system:
        body["system"] = [write_part(block) for block in request.system]
    messages: list[dict[str, Any]] = []
    results_open = False
    for message in request.messages:
        is_result = message.role == "tool"
        if is_result and results_open:
            messages[-1]["content"].append(_write_result(message))
        elif is_result:
            messages.append({"role": "user", "content": [_write_result(message)]})
        else:
            messages.append({"role": message.role, "content": _write_blocks(message)})
        results_open = is_result
    return body | {"messages": messages} | dict(request.parameters)


def _write_blocks(message: Message) -> list[dict[str, Any]]:
    blocks = [write_part(block) for block in message.blocks]
    if message.reasoning is not None:
        blocks.insert(0, {"type": "thinking", "thinking": message.reasoning})
    blocks += [_write_call(call) for call in message.tool_calls]
    return blocks


def _write_call(call: ToolCall) -> dict[str, Any]:
    identifier = {} if call.id is None else {"id": call.id}
    written = {"type": "tool_use", **identifier, "name": call.name, "input": call.arguments}
    return written | mark_field(call.mark)


def _write_result(message: Message) -> dict[str, Any]:
    content = [write_part(block) for block in message.blocks]
    return {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": content}


def _write_tool(tool: Tool) -> dict[str, Any]:
    function = tool.definition.get("function")
    if isinstance(function, Mapping):
        names = {"parameters": "input_schema"}
        entry = {names.get(key, key): value for key, value in function.items()}
    else:
        entry = dict(tool.definition)
    return entry | mark_field(tool.mark)
