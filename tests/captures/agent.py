"""A small agent whose request bodies stand for captured ones."""

import copy
import json
from typing import Any, TypeAlias

from promptlint.bodies import request_from_body
from promptlint.captures.read import CapturedRequest
from promptlint.location import Location

Body: TypeAlias = dict[str, Any]

BASE = "You are miniagent, a careful coding agent.\nRead files before you change them."
PROJECT = "# AGENTS.md\n- Python, ruff, pytest."
MEMORY = "# Memory\n- The user prefers pytest."
SYSTEM = "\n\n".join((BASE, PROJECT, MEMORY))


def tool(name: str, **properties: Any) -> Body:
    """A tool definition; without properties it takes a path."""
    parameters = {"type": "object", "properties": properties or {"path": {"type": "string"}}}
    function = {"name": name, "description": f"The {name} tool.", "parameters": parameters}
    return {"type": "function", "function": function}


class Agent:
    """Sends the whole conversation again with every request."""

    def __init__(self, question: str = "Rename the option.") -> None:
        self.system: str | None = SYSTEM
        self.tools = [tool("read_file"), tool("bash", command={"type": "string"}), tool("grep")]
        self.messages: list[Body] = [{"role": "user", "content": question}]
        self.parameters: Body = {"model": "qwen3"}
        self.sent: list[Body] = []

    def send(self) -> Body:
        """Send a request; its body."""
        system = [{"role": "system", "content": self.system}] if self.system else []
        body: Body = {**self.parameters, "messages": [*system, *self.messages]}
        if self.tools:
            body["tools"] = self.tools
        self.sent.append(copy.deepcopy(body))
        return self.sent[-1]

    def call(self, result: str = "31 passed", **extra: Any) -> None:
        """The model calls a tool and gets its result."""
        number = len(self.messages)
        function = {"name": "bash", "arguments": json.dumps({"command": "pytest", "n": number})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        self.messages.append({"role": "assistant", "content": "", "tool_calls": [call], **extra})
        self.messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})

    def ask(self, answer: str, question: str) -> None:
        """The model answers, and the user goes on."""
        self.messages.append({"role": "assistant", "content": answer})
        self.messages.append({"role": "user", "content": question})


def capture(*bodies: Body, sessions: list[str | None] | None = None) -> list[CapturedRequest]:
    """Bodies as if they had been read from the lines of a file."""
    names = sessions or [None] * len(bodies)
    return [
        CapturedRequest(request_from_body(body), body, Location("log.jsonl", line), session=name)
        for line, (body, name) in enumerate(zip(bodies, names, strict=True), start=1)
    ]
