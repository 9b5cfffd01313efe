"""Prompt sinks: where system text is created, sent or kept."""

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from promptlint.layout import Part
from promptlint.request import SYSTEM_ROLES
from promptlint.source import conversations, facts, tool_lists
from promptlint.source.arguments import Arguments
from promptlint.source.conversations import Entry, Kind, Prompt
from promptlint.source.frames import Frame
from promptlint.source.names import dotted
from promptlint.source.pieces import Stage, frozen, literals, marks
from promptlint.source.tables import Sink
from promptlint.source.values import (
    ClassValue,
    DictValue,
    External,
    FunctionValue,
    ListValue,
    Text,
    Value,
    literal,
    text,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

SYSTEM_KEYWORDS = frozenset(
    {"system", "system_prompt", "system_message", "system_instruction", "system_instructions"}
    | {"instructions"}
)
SHORTEST_PROMPT = 200  # characters
OWN_KEYWORDS = SYSTEM_KEYWORDS - {"system", "instructions"}
_STORED_NAME = re.compile(
    r"^_?(default_)?(base_)?(agent_)?(system|sys)_?(prompt|message|instructions?|text)$|^instructions$",
    re.I,
)
_CONSTANT_NAME = re.compile(r"(^|_)(prompt|instructions|preamble|system_message)$", re.I)
_NO_PROMPT = re.compile(
    r"(^|\.)(log|logger|logging|print|info|debug|warning|error|span|trace|record|emit|save|write|"
    r"update|assert\w*|format|add_argument|Field|patch|dict|Request|isinstance|set_attribute\w*|"
    r"FastMCP|MCPServer|Server)$"
)


def of_call(
    interpreter: "Interpreter",
    callee: Value,
    arguments: Arguments,
    node: ast.Call,
    frame: Frame,
) -> None:
    """Record what a call sends or keeps."""
    name = _name(callee, node)
    if isinstance(node.func, ast.Attribute) and node.func.attr == "insert":
        written = ast.unparse(node.func.value)
        facts.head_insert(interpreter, written, arguments, node, frame)
    if not (isinstance(callee, ClassValue) and callee.module is frame.module):
        facts.framework_switch(interpreter, name, arguments, node, frame)
    if not arguments.keywords and not arguments.positional:
        return
    _note_elsewhere(interpreter, name, arguments, node, frame)
    followed, named = False, None
    if isinstance(callee, FunctionValue | ClassValue):
        named = interpreter.tables.own_sink(f"{callee.module.dotted}.{name}")
        followed = named is None
    sink = named or interpreter.tables.sink(name)
    entries: list[Entry] = []
    if sink is not None:
        entries = _entries(interpreter, sink, arguments, node, frame, own=followed)
    elif not _NO_PROMPT.search(name):
        for keyword in arguments.keywords.keys() & OWN_KEYWORDS:
            value = arguments.keywords[keyword]
            kept = isinstance(callee, ClassValue)
            entries.extend(_system(interpreter, value, node, frame, stored=kept))
    if conversations.has_system(tuple(entries)) or any(e.part is Part.TOOLS for e in entries):
        record(interpreter, entries, Kind.SINK, node, frame)


def _note_elsewhere(
    interpreter: "Interpreter", name: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> None:
    """Note whose result people are asked, or an image is made of."""
    if interpreter.tables.named(name).elsewhere:
        given = (interpreter.pieces(value, node, frame) for value in arguments.all())
        interpreter.elsewhere.update(mark.function for own in given for mark in marks(own))


def _name(callee: Value, node: ast.Call) -> str:
    if isinstance(callee, External):
        return callee.name
    if isinstance(callee, ClassValue | FunctionValue):
        return callee.name
    return dotted(node.func)


def _entries(
    interpreter: "Interpreter",
    sink: Sink,
    arguments: Arguments,
    node: ast.Call,
    frame: Frame,
    *,
    own: bool,
) -> list[Entry]:
    """System text first, then the messages; a function of the tree is followed instead."""
    entries: list[Entry] = []
    wanted = sink.system & SYSTEM_KEYWORDS if own else sink.system
    for keyword, value in arguments.keywords.items():
        if keyword in wanted:
            entries.extend(_system(interpreter, value, node, frame, stored=sink.stored))
    given = [v for k, v in arguments.keywords.items() if k in sink.messages]
    if not given and arguments.positional and isinstance(arguments.positional[0], ListValue):
        given = arguments.positional[:1]
    for value in given:
        entries.extend(conversations.messages(interpreter, value, node, frame))
    for value in _whole(sink, arguments):
        entries.extend(conversations.system(interpreter, value, node, frame))
    for keyword, value in arguments.keywords.items():
        if keyword in sink.tools:
            written = tool_lists.written(node, keyword)
            found = list(tool_lists.entries(interpreter, value, written, node, frame))
            entries.extend(found)
    return entries


def _whole(sink: Sink, arguments: Arguments) -> list[Text]:
    """A whole prompt in one text, long enough to have something that could be kept."""
    given = [v for k, v in arguments.keywords.items() if k in sink.prompt]
    if sink.prompt and not given:
        given = arguments.positional[:1]
    return [
        value
        for value in given
        if isinstance(value, Text) and len(literals(value.pieces)) >= SHORTEST_PROMPT
    ]


def _system(
    interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame, *, stored: bool
) -> list[Entry]:
    """System text; a function given instead is called for every request."""
    value = interpreter.resolve(value)
    if not isinstance(value, FunctionValue):
        entries = list(conversations.system(interpreter, value, node, frame))
        return _kept(entries, frame) if stored else entries
    from promptlint.source import calls

    if interpreter.is_active(value):
        return []
    inner = calls.root_frame(interpreter, value, value.receiver)
    result = calls.run_body(interpreter, value, inner)
    return list(conversations.system(interpreter, result, node, frame))


def _kept(entries: list[Entry], frame: Frame) -> list[Entry]:
    """Text that is kept in an object lives as long as it, unless each turn makes another."""
    if frame.in_turns or frame.user_turn:
        return entries
    return [Entry(e.part, e.role, frozen(e.pieces, Stage.OBJECT)) for e in entries]


def message(
    interpreter: "Interpreter", last: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value | None:
    """A message made by a framework's constructor, as a dictionary; None if it is none."""
    if last == "from_messages" and arguments.positional:
        return _from_messages(interpreter, arguments.positional[0], node, frame)
    base = last.removesuffix("()")
    role = interpreter.tables.constructors.get(base)
    if role is None:
        return None
    names = interpreter.tables.text_arguments
    content = arguments.get(0, *names)
    if role == "any":
        given = arguments.keywords.get("role")
        if given is None:
            return None
        found = literal(given) or "?"
        content = next((arguments.keywords[n] for n in names if n in arguments.keywords), None)
    else:
        found = role
    if content is None:
        return None
    value = DictValue({"role": text(found), "content": content}, frame.place(node))
    if found in SYSTEM_ROLES:
        entries = list(conversations.messages(interpreter, value, node, frame))
        record(interpreter, entries, Kind.MESSAGE, node, frame)
    return value


def _from_messages(
    interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame
) -> Value | None:
    """`ChatPromptTemplate.from_messages([("system", text), ...])`."""
    if not isinstance(value, ListValue):
        return None
    items: list[Value] = []
    for item in value.items:
        if isinstance(item, ListValue) and len(item.items) == 2:
            items.append(DictValue({"role": item.items[0], "content": item.items[1]}))
        else:
            items.append(item)
    result = ListValue(items, open=value.open)
    entries = list(conversations.messages(interpreter, result, node, frame))
    if conversations.has_system(tuple(entries)):
        record(interpreter, _kept(entries, frame), Kind.SINK, node, frame)
    return result


def of_assignment(
    interpreter: "Interpreter", name: str, value: Value, node: ast.AST, frame: Frame
) -> None:
    """`agent.system_prompt = ...`: kept until it is assigned again."""
    if _STORED_NAME.search(name) and isinstance(value, Text):
        entries = list(conversations.system(interpreter, value, node, frame))
        record(interpreter, _kept(entries, frame), Kind.STORED, node, frame)


def of_item(
    interpreter: "Interpreter", owner: DictValue, key: str | None, node: ast.AST, frame: Frame
) -> None:
    """`message["content"] = ...` of a system message."""
    role = literal(owner.entries["role"]) if "role" in owner.entries else None
    if key == "content" and role in SYSTEM_ROLES:
        entries = list(conversations.messages(interpreter, owner, node, frame))
        record(interpreter, entries, Kind.MESSAGE, node, frame)


def of_constant(interpreter: "Interpreter", target: ast.Name, value: Value, frame: Frame) -> None:
    """`SYSTEM_PROMPT = f"..."` of a module."""
    if frame.function is None and isinstance(value, Text) and _CONSTANT_NAME.search(target.id):
        entries = list(conversations.system(interpreter, value, target, frame))
        record(interpreter, entries, Kind.STORED, target, frame)


def record(
    interpreter: "Interpreter",
    entries: list[Entry],
    kind: Kind,
    node: ast.AST,
    frame: Frame,
) -> None:
    """Note a prompt."""
    owner = frame.function.name if frame.function is not None else "<module>"
    name = f"{frame.module.name}:{owner}"
    callers = tuple(_callers(frame))
    prompt = Prompt(name, frame.place(node), kind, tuple(entries), callers=callers)
    interpreter.prompts.append(prompt)


def _callers(frame: Frame) -> Iterator[str]:
    """The functions that lead to a frame, nearest first."""
    caller = frame.caller
    while caller is not None:
        if caller.function is not None:
            yield f"{caller.module.name}:{caller.function.name}"
        caller = caller.caller
