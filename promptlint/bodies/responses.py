"""OpenAI Responses."""

from collections.abc import Mapping

from msgspec.structs import replace

from promptlint.bodies.chat import read_content, split_system
from promptlint.bodies.fields import BodyError, Fields, close_body, opaque_block, type_name
from promptlint.bodies.tools import tools_from
from promptlint.request import Block, Json, Message, Request, Tool, ToolCall

# Calls of tools that are no functions carry their input in a field of another name.
_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
    "tool_search_call": "arguments",
}
_IDENTIFIERS = (
    "acknowledged_safety_checks",
    "created_by",
    "environment",
    "execution",
    "id",
    "namespace",
    "phase",
    "status",
)


def read(body: Mapping[str, Json]) -> Request:
    """A body as a request.

    The system prompt is `instructions`, or where there are none a first input
    message of role system or developer. Reasoning, text and calls that follow one
    another are one assistant message, as engines render them.
    """
    unknown: list[str] = []
    fields = Fields(body, "", unknown)
    instructions = fields.text("instructions")
    value = fields.take("input")
    items = [{"role": "user", "content": value}] if isinstance(value, str) else value or []
    if not isinstance(items, list):
        raise BodyError(f"input: a text or a list is needed, not {type_name(items)}")
    reader = _InputReader()
    for index, item in enumerate(items):
        reader.read(Fields(item, f"input[{index}]", unknown))
    tools = (*tools_from(fields.items("tools")), *reader.tools)
    if instructions is not None:
        return close_body(fields, [Block(instructions)], tools, reader.messages)
    system, messages = split_system(reader.messages)
    return close_body(fields, system, tools, messages)


class _InputReader:
    """The input items read so far, as messages and tools."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.tools: list[Tool] = []

    def read(self, fields: Fields) -> None:
        """Add one input item."""
        kind = fields.text("type") or "message"
        fields.skip(*_IDENTIFIERS)
        if kind == "message":
            self._read_message(fields)
        elif kind == "reasoning":
            self._read_reasoning(fields)
        elif kind in _CALLS:
            self._read_call(fields, kind)
        elif kind.endswith("_call_output"):
            self._read_output(fields, kind)
        elif kind == "additional_tools" and not self.messages:
            self.tools += tools_from(fields.items("tools"), fields.at("tools"))
            fields.skip("role")
        else:
            self._add_block(opaque_block(kind, fields.rest()))
        fields.close()

    def _read_message(self, fields: Fields) -> None:
        role = fields.needed_text("role")
        blocks = read_content(fields.take("content"), fields.at("content"), fields.unknown)
        newest = self._open_turn() if role == "assistant" else None
        if newest is not None and _is_without_answer(newest):
            self.messages[-1] = replace(newest, blocks=(*newest.blocks, *blocks))
        else:
            self.messages.append(Message(role, blocks))

    def _read_reasoning(self, fields: Fields) -> None:
        """Its text, else its summary; what is only there encrypted is opaque."""
        entries = [*fields.items("content")] or [*fields.items("summary")]
        fields.skip("summary")
        encrypted = fields.text("encrypted_content")
        parts = read_content(entries, fields.at("content"), fields.unknown)
        text = "\n".join(part.text for part in parts)
        self.messages.append(Message("assistant", reasoning=text or None))
        if encrypted is not None and not text:
            self._add_block(opaque_block("reasoning", encrypted))

    def _read_call(self, fields: Fields, kind: str) -> None:
        name = fields.text("name") or kind.removesuffix("_call")
        call = ToolCall(name, fields.take(_CALLS[kind]), fields.text("call_id"))
        newest = self._open_turn()
        if newest is None:
            self.messages.append(Message("assistant", tool_calls=(call,)))
        else:
            self.messages[-1] = replace(newest, tool_calls=(*newest.tool_calls, call))

    def _read_output(self, fields: Fields, kind: str) -> None:
        output = fields.take("output")
        if isinstance(output, Mapping):
            blocks: tuple[Block, ...] = (opaque_block(kind, output),)
        else:
            blocks = read_content(output, fields.at("output"), fields.unknown)
        fields.skip("name", "max_output_length")
        self.messages.append(Message("tool", blocks, tool_call_id=fields.text("call_id")))

    def _add_block(self, block: Block) -> None:
        newest = self._open_turn()
        if newest is None:
            self.messages.append(Message("assistant", (block,)))
        else:
            self.messages[-1] = replace(newest, blocks=(*newest.blocks, block))

    def _open_turn(self) -> Message | None:
        """The newest message, if it is the assistant's."""
        newest = self.messages[-1] if self.messages else None
        return newest if newest is not None and newest.role == "assistant" else None


def _is_without_answer(message: Message) -> bool:
    """Whether a message of the model has nothing yet but what stands in front of its text."""
    return not message.tool_calls and all(block.opaque for block in message.blocks)
