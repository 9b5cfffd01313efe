"""Reading a prompt's values: messages with roles, system text, tool definitions."""

import ast
from collections.abc import Iterator, Set
from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from promptlint.layout import Part
from promptlint.location import Location
from promptlint.request import SYSTEM_ROLES
from promptlint.source import containers
from promptlint.source.frames import Frame
from promptlint.source.pieces import Pieces, Unresolved
from promptlint.source.values import (
    Choice,
    DictValue,
    Instance,
    ListValue,
    Text,
    Unknown,
    Value,
    literal,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

USER_ROLES = frozenset({"user", "human"})
CONTENT = ("content", "text", "parts", "input_text", "prompt")
SYSTEM_KEYS = frozenset({"system", "instructions", "system_instruction", "systemInstruction"})
_SAID = frozenset({"messages", "input", "prompt", "contents"})
TOOL_KEYS = frozenset({"parameters", "input_schema", "inputSchema", "function"})


class Kind(IntEnum):
    """Where a prompt was met, surest first."""

    SINK = 0
    MESSAGE = 1
    BUILDER = 2
    STORED = 3


class Entry(Struct, frozen=True):
    """One run of a prompt: system text, a message, the tools."""

    part: Part
    role: str
    pieces: Pieces


class Prompt(Struct, frozen=True):
    """A prompt as it was met.

    `mark` is the builder whose result it is, `callers` are the functions from which it
    was met. `guessed` says that it may be no prompt at all.
    """

    name: str
    place: Location
    kind: Kind
    entries: tuple[Entry, ...]
    mark: str = ""
    callers: tuple[str, ...] = ()
    guessed: bool = False


def system(
    interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame
) -> Iterator[Entry]:
    """System text: a text, or blocks of it."""
    yield Entry(Part.SYSTEM, "system", content(interpreter, value, node, frame))


def content(interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame) -> Pieces:
    """The text of a message's content: blocks contribute their text only."""
    value = interpreter.resolve(value)
    match value:
        case DictValue(entries=entries):
            found = next((entries[key] for key in CONTENT if key in entries), None)
            return () if found is None else content(interpreter, found, node, frame)
        case ListValue():
            parts = [
                content(interpreter, item, node, frame)
                for item in containers.walk(value, frame.place(node))
            ]
            return tuple(piece for part in parts for piece in part)
        case Instance(fields=fields) if any(key in fields for key in CONTENT):
            found = next(fields[key] for key in CONTENT if key in fields)
            return content(interpreter, found, node, frame)
        case _:
            return interpreter.pieces(value, node, frame)


def messages(
    interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame
) -> Iterator[Entry]:
    """The messages of a list, in order. What is no message of a known shape is history."""
    match interpreter.resolve(value):
        case ListValue() as items:
            met = [e for item in items.items for e in messages(interpreter, item, node, frame)]
            yield from met
            if items.grows and not any(entry.role == "history" for entry in met):
                yield Entry(Part.MESSAGES, "history", (Unresolved("messages", frame.place(node)),))
        case Choice(options=options):
            found = [list(messages(interpreter, option, node, frame)) for option in options]
            yield from max(found, key=len)
        case DictValue() | Instance() as one if (role := role_of(one)) is not None:
            part = Part.SYSTEM if role in SYSTEM_ROLES else Part.MESSAGES
            yield Entry(part, role, content(interpreter, one, node, frame))
        case Text(pieces=pieces) as text if text.form == "str":
            yield Entry(Part.MESSAGES, "user", pieces)
        case Unknown(name=name, place=place):
            yield Entry(Part.MESSAGES, "history", (Unresolved(name, place),))
        case _:
            yield Entry(Part.MESSAGES, "history", (Unresolved("messages", frame.place(node)),))


def role_of(value: Value) -> str | None:
    """The role of a message; `?` if it has one that is not known."""
    fields: dict[str, Value] = {}
    if isinstance(value, DictValue):
        fields = value.entries
    elif isinstance(value, Instance):
        fields = value.fields
        name = value.cls.name.lower()
        if "role" not in fields and any(key in fields for key in CONTENT):
            return "system" if "system" in name else "user" if "user" in name else None
    if "role" not in fields:
        return None
    role = literal(fields["role"])
    return "?" if role is None else role.lower()


def is_request(keys: Set[object]) -> bool:
    """Whether a dictionary with these keys is the body of a request."""
    if keys & SYSTEM_KEYS:
        return bool(keys & _SAID)
    return {"messages", "model"} <= keys


def tools(interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame) -> Iterator[Entry]:
    """Tool definitions: names, descriptions and schemas."""
    value = interpreter.resolve(value)
    if isinstance(value, ListValue):
        pieces = interpreter.pieces(value, node, frame)
        yield Entry(Part.TOOLS, "tools", pieces)
    elif isinstance(value, DictValue | Text):
        yield Entry(Part.TOOLS, "tools", interpreter.pieces(value, node, frame))


def has_system(entries: tuple[Entry, ...]) -> bool:
    """Whether system text is among the entries."""
    return any(entry.part is Part.SYSTEM for entry in entries)
