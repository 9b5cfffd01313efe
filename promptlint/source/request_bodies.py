"""Requests, messages and tools that are written as dictionaries."""

import ast
from typing import TYPE_CHECKING

from promptlint.layout import Part
from promptlint.request import SYSTEM_ROLES
from promptlint.source import conversations, prompts, tool_lists
from promptlint.source.arguments import Arguments
from promptlint.source.conversations import Entry, Kind
from promptlint.source.frames import Frame
from promptlint.source.pieces import Volatile
from promptlint.source.values import DictValue, literal

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter


def of_call(interpreter: "Interpreter", arguments: Arguments, node: ast.Call, frame: Frame) -> None:
    """`post(url, json=body)`: by then all of the body is there."""
    body = arguments.keywords.get("json")
    if isinstance(body, DictValue) and body.entries.keys() & {"messages", "system"}:
        _body(interpreter, body, node, frame)


def of_dict(interpreter: "Interpreter", value: DictValue, node: ast.Dict, frame: Frame) -> None:
    """A message with a system role, a whole request, or a tool, written as a dictionary.

    One tool has no order, whatever it is an element of.
    """
    entries = value.entries
    if conversations.is_request(entries.keys()):
        _body(interpreter, value, node, frame)
        return
    role = literal(entries["role"]) if "role" in entries else None
    if role in SYSTEM_ROLES and "content" in entries:
        found = list(conversations.messages(interpreter, value, node, frame))
        prompts.record(interpreter, found, Kind.MESSAGE, node, frame)
    elif {"name", "description"} <= entries.keys() and entries.keys() & conversations.TOOL_KEYS:
        text = interpreter.pieces(entries["description"], node, frame)
        own = tuple(p for p in text if not (isinstance(p, Volatile) and p.order))
        prompts.record(interpreter, [Entry(Part.TOOLS, "tools", own)], Kind.MESSAGE, node, frame)


def _body(
    interpreter: "Interpreter", body: DictValue, node: ast.Dict | ast.Call, frame: Frame
) -> None:
    """The body of a request."""
    entries = body.entries
    found: list[Entry] = []
    for key in sorted(conversations.SYSTEM_KEYS & entries.keys()):
        found.extend(conversations.system(interpreter, entries[key], node, frame))
    said = [entries[key] for key in ("messages", "contents", "input") if key in entries]
    for value in said[:1]:
        found.extend(conversations.messages(interpreter, value, node, frame))
    if "tools" in entries:
        written = tool_lists.written(node, "tools")
        found.extend(tool_lists.entries(interpreter, entries["tools"], written, node, frame))
    if conversations.has_system(tuple(found)):
        prompts.record(interpreter, found, Kind.SINK, node, frame)
