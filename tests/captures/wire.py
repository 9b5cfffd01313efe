"""A scripted conversation, written as four clients put it on the wire."""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
EPHEMERAL: Body = {"cache_control": {"type": "ephemeral"}}
FORMATS = ("chat", "responses", "anthropic", "gemini")


@dataclass
class Entry:
    """One entry of the history. `kind` is user, assistant, call, result or system."""

    kind: str
    text: str = ""
    reasoning: str = ""
    arguments: Any = None
    marked: bool = False


def tool(name: str, description: str = "") -> Body:
    """A tool with enough text to matter."""
    about = description or f"The tool {name} does one thing well. " * 6
    properties = {"path": {"type": "string"}, "limit": {"type": "integer"}}
    return {
        "name": name,
        "description": about,
        "parameters": {"type": "object", "properties": properties, "required": ["path"]},
    }


@dataclass
class Client:
    """Sends its whole state with every request; at Anthropic, with breakpoints."""

    form: str
    system: list[str]
    tools: list[Body]
    history: list[Entry] = field(default_factory=list)
    sent: list[Body] = field(default_factory=list)
    marked_system: bool = True
    marked_newest: bool = True
    spaced: bool = True
    model: str = "claude-opus-5-5"
    extra: Body = field(default_factory=dict)

    def ask(self, text: str) -> None:
        self.history.append(Entry("user", text))

    def answer(self, text: str, reasoning: str = "") -> None:
        self.history.append(Entry("assistant", text, reasoning))

    def call(self, result: str, reasoning: str = "", **arguments: Any) -> None:
        """A tool call and its result."""
        given = arguments or {"path": f"src/file_{len(self.history)}.py", "limit": 40}
        self.history.append(Entry("call", reasoning=reasoning, arguments=given))
        self.history.append(Entry("result", result))

    def send(self) -> None:
        body = _WRITERS[self.form](self) | self.extra
        self.sent.append(copy.deepcopy(body))

    def dumps(self, value: Any) -> str:
        return json.dumps(value, separators=None if self.spaced else (",", ":"))


def _chat(client: Client) -> Body:
    messages: list[Body] = [{"role": "system", "content": "\n\n".join(client.system)}]
    for number, entry in enumerate(client.history):
        reasoning = {"reasoning_content": entry.reasoning} if entry.reasoning else {}
        match entry.kind:
            case "call":
                function = {"name": "read", "arguments": client.dumps(entry.arguments)}
                call = {"id": f"c{number}", "type": "function", "function": function}
                messages.append(
                    {"role": "assistant", "content": None, "tool_calls": [call], **reasoning}
                )
            case "result":
                messages.append(
                    {"role": "tool", "tool_call_id": f"c{number - 1}", "content": entry.text}
                )
            case _:
                messages.append({"role": entry.kind, "content": entry.text, **reasoning})
    tools = [{"type": "function", "function": entry} for entry in client.tools]
    return {"model": "qwen3", "messages": messages, "tools": tools}


def _responses(client: Client) -> Body:
    items: list[Body] = []
    for number, entry in enumerate(client.history):
        if entry.reasoning:
            summary = [{"type": "summary_text", "text": entry.reasoning}]
            items.append({"type": "reasoning", "id": f"r{number}", "summary": summary})
        match entry.kind:
            case "call":
                arguments = client.dumps(entry.arguments)
                call = {"type": "function_call", "call_id": f"c{number}", "name": "read"}
                items.append({**call, "arguments": arguments})
            case "result":
                output = {"call_id": f"c{number - 1}", "output": entry.text}
                items.append({"type": "function_call_output", **output})
            case role:
                kind = "output_text" if role == "assistant" else "input_text"
                part = {"type": kind, "text": entry.text}
                items.append({"type": "message", "role": role, "content": [part]})
    tools = [{"type": "function", **entry} for entry in client.tools]
    return {
        "model": "gpt-5.1",
        "instructions": "\n\n".join(client.system),
        "input": items,
        "tools": tools,
    }


def _anthropic(client: Client) -> Body:
    messages: list[Body] = []
    for number, entry in enumerate(client.history):
        newest = client.marked_newest and number == len(client.history) - 1
        mark = EPHEMERAL if newest or entry.marked else {}
        blocks: list[Body] = []
        if entry.reasoning:
            blocks.append({"type": "thinking", "thinking": entry.reasoning, "signature": "s"})
        match entry.kind:
            case "call":
                call = {"type": "tool_use", "id": f"c{number}", "name": "read"}
                blocks.append({**call, "input": entry.arguments, **mark})
            case "result":
                answered = {"tool_use_id": f"c{number - 1}", "content": entry.text}
                blocks.append({"type": "tool_result", **answered, **mark})
            case _:
                blocks.append({"type": "text", "text": entry.text, **mark})
        role = "assistant" if entry.kind in {"assistant", "call"} else "user"
        if messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        else:
            messages.append({"role": role, "content": blocks})
    system: list[Body] = [{"type": "text", "text": text} for text in client.system]
    if client.marked_system:
        system[-1] |= EPHEMERAL
    names = {"parameters": "input_schema"}
    tools = [{names.get(k, k): v for k, v in entry.items()} for entry in client.tools]
    return {"model": client.model, "system": system, "tools": tools, "messages": messages}


def _gemini(client: Client) -> Body:
    contents: list[Body] = []
    for entry in client.history:
        match entry.kind:
            case "call":
                part: Body = {"functionCall": {"name": "read", "args": entry.arguments}}
            case "result":
                parsed = entry.text.startswith("{")
                response = json.loads(entry.text) if parsed else {"output": entry.text}
                part = {"functionResponse": {"name": "read", "response": response}}
            case _:
                part = {"text": entry.text}
        role = "model" if entry.kind in {"assistant", "call"} else "user"
        contents.append({"role": role, "parts": [part]})
    return {
        "systemInstruction": {"parts": [{"text": "\n\n".join(client.system)}]},
        "contents": contents,
        "tools": [{"functionDeclarations": client.tools}],
    }


_WRITERS: dict[str, Callable[[Client], Body]] = {
    "chat": _chat,
    "responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
}
