"""Methods of lists and sets."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.source import arrivals, buffers, mappings, races, ranking
from promptlint.source.arguments import Arguments
from promptlint.source.containers import MOST_ITEMS, add, elements, set_of
from promptlint.source.control import controlled
from promptlint.source.frames import Frame
from promptlint.source.values import (
    NONE,
    Constant,
    DictValue,
    ListValue,
    Unknown,
    Value,
    births,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

Operation = Callable[["Interpreter", ListValue, Arguments, ast.AST, Frame], Value]


def _append(
    interpreter: "Interpreter",
    target: ListValue,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    items = races.added(target, arguments.positional, node, frame)
    add(interpreter, target, [controlled(item, frame) for item in items], frame)
    arrivals.received(target, frame)
    return NONE


def _extend(
    interpreter: "Interpreter", target: ListValue, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    for argument in arguments.positional:
        found = races.added(target, elements(interpreter, argument, node, frame), node, frame)
        add(interpreter, target, [controlled(item, frame) for item in found], frame)
        arrivals.received(target, frame, arrivals.arrival_of(argument, frame.place(node)))
    return NONE


def _insert(
    interpreter: "Interpreter",
    target: ListValue,
    arguments: Arguments,
    _node: ast.AST,
    frame: Frame,
) -> Value:
    if len(arguments.positional) < 2:
        return NONE
    index, item = arguments.positional[:2]
    position = index.value if isinstance(index, Constant) else len(target.items)
    at = position if isinstance(position, int) else len(target.items)
    target.items.insert(at, controlled(item, frame))
    arrivals.received(target, frame)
    interpreter.touch(target)
    return NONE


def _pop(
    _interpreter: "Interpreter",
    target: ListValue,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    index = arguments.get(0)
    at = index.value if isinstance(index, Constant) else -1
    if isinstance(at, int) and -len(target.items) <= at < len(target.items):
        return target.items[at]
    return Unknown("item", frame.place(node))


def _sort(
    interpreter: "Interpreter",
    target: ListValue,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    key = arguments.keywords.get("key")
    target.items[:] = ranking.ranked(interpreter, target, key, node, frame).items
    target.order = target.arrival = None
    interpreter.touch(target)
    return NONE


def _copy(
    _interpreter: "Interpreter",
    target: ListValue,
    _arguments: Arguments,
    _node: ast.AST,
    _frame: Frame,
) -> Value:
    arrival = target.arrival
    return replace(target, items=list(target.items), arrival=arrival, version=0, birth=next(births))


def _union(
    interpreter: "Interpreter", target: ListValue, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    items = list(target.items)
    for argument in arguments.positional:
        if isinstance(argument, ListValue):
            items.extend(argument.items)
        else:
            items.extend(elements(interpreter, argument, node, frame))
    return set_of(items, frame.place(node), frame.stage)


def _update(
    interpreter: "Interpreter", target: ListValue, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    result = _union(interpreter, target, arguments, node, frame)
    assert isinstance(result, ListValue)
    target.items[:] = result.items[:MOST_ITEMS]
    target.order = result.order
    interpreter.touch(target)
    return NONE


LIST_METHODS: dict[str, Operation] = {
    "append": _append,
    "set_result": _append,
    "appendleft": lambda i, t, a, n, f: _insert(
        i, t, Arguments([Constant(0), *a.positional]), n, f
    ),
    "extend": _extend,
    "insert": _insert,
    "pop": _pop,
    "sort": _sort,
    "copy": _copy,
}
SET_METHODS: dict[str, Operation] = {
    "add": lambda i, t, a, n, f: _update(i, t, Arguments([ListValue(a.positional)]), n, f),
    "update": _update,
    "union": _union,
    "intersection": _copy,
    "difference": _copy,
    "symmetric_difference": _union,
    "copy": _copy,
    "pop": _pop,
}


def list_method(
    interpreter: "Interpreter",
    target: ListValue,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """A call of a method of a list, a tuple or a set."""
    table = SET_METHODS if target.form == "set" else LIST_METHODS
    operation = table.get(name)
    if operation is not None:
        return operation(interpreter, target, arguments, node, frame)
    if name in ("put", "write", "writelines"):
        return _append(interpreter, target, arguments, node, frame)
    if name in ("getvalue", "read") and target.form == buffers.BUFFER:
        return buffers.content(interpreter, target, node, frame)
    return Unknown(f".{name}()", frame.place(node), called=True)


def update(
    interpreter: "Interpreter",
    target: ListValue | DictValue,
    value: Value,
    node: ast.AST,
    frame: Frame,
) -> None:
    """`target |= value`."""
    if isinstance(target, ListValue):
        list_method(interpreter, target, "update", Arguments([value]), node, frame)
    else:
        mappings.method(interpreter, target, "update", Arguments([value]), node, frame)
