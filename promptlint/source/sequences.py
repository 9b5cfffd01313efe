"""Builtins and library functions over sequences: sorting, walking, counting, choosing."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind
from promptlint.source import arrivals, containers, control, mappings, races, ranking, turns
from promptlint.source.alternatives import either
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import (
    Pieces,
    Stage,
    Volatile,
    concatenate,
    counter,
    has_user_text,
    volatiles,
)
from promptlint.source.values import (
    NONE,
    DictValue,
    ListValue,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

Handler: TypeAlias = Callable[["Interpreter", Arguments, ast.AST, Frame], Value]


def _sorted(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    if not arguments.positional:
        return ListValue([])
    source = containers.unwalked(interpreter, arguments.positional[0], node, frame)
    return ranking.ranked(interpreter, source, arguments.get(1, "key"), node, frame)


def _set(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    if not arguments.positional:
        return containers.set_of([], frame.place(node), frame.stage)
    source = containers.unwalked(interpreter, arguments.positional[0], node, frame)
    return containers.set_of(list(source.items), frame.place(node), frame.stage)


def _list(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    if not arguments.positional:
        return ListValue([])
    source = interpreter.resolve(arguments.positional[0])
    if isinstance(source, Unknown):
        return source
    return containers.as_list(interpreter, source, node, frame)


def _dict(_interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    result = DictValue({}, frame.place(node))
    for value in arguments.positional:
        if isinstance(value, DictValue):
            mappings.merge(result, value)
        elif isinstance(value, ListValue) and (pairs := _pairs(value)) is not None:
            result.entries.update(pairs)
        else:
            mappings.merge(result, value)
    for value in arguments.rest:
        mappings.merge(result, value)
    result.entries.update(arguments.keywords)
    return result


def _pairs(value: ListValue) -> dict[str, Value] | None:
    """The entries that pairs of a known key and a value make."""
    entries: dict[str, Value] = {}
    for item in value.items:
        if not isinstance(item, ListValue) or len(item.items) != 2:
            return None
        key = mappings.known_key(item.items[0])
        if key is None:
            return None
        entries.pop(key, None)
        entries[key] = item.items[1]
    return entries


def _reversed(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    source = _list(interpreter, arguments, node, frame)
    if isinstance(source, ListValue):
        source.items.reverse()
    return source


def _default_dict(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    factory, *rest = arguments.positional or [NONE]
    result = _dict(interpreter, Arguments(rest, arguments.keywords), node, frame)
    if isinstance(result, DictValue) and factory != NONE:
        result.factory = factory
    return result


def _length(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    """A number derived from what moves moves with it; the length of the history is a counter."""
    value = arguments.positional[0] if arguments.positional else NONE
    if isinstance(value, Unknown) and interpreter.tables.names["own"].search(value.name):
        length = counter(f"len({value.name})", frame.place(node), frame.stage)
        return Text((length,), "number")
    if isinstance(value, ListValue):
        value = replace(value, order=None)
    pieces = interpreter.pieces(value, node, frame)
    moving = tuple(replace(p, text="") for p in volatiles(pieces) if not p.order)
    if moving or has_user_text(pieces):
        return Text(moving or pieces, "number")
    return Unknown("length", frame.place(node))


def _first(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    """`max`, `min`, `next`: one of the elements, chosen by its value and not by its order."""
    if not arguments.positional:
        return Unknown("", frame.place(node))
    source = interpreter.resolve(arguments.positional[0])
    if len(arguments.positional) > 1 and not isinstance(source, ListValue):
        pieces = concatenate(interpreter.pieces(v, node, frame) for v in arguments.positional)
        moving = tuple(volatiles(pieces))
        return Text(moving, "number") if moving else Unknown("number", frame.place(node))
    if isinstance(source, ListValue):
        ranked = _sorted(interpreter, Arguments([source], arguments.keywords), node, frame)
        items = ranked.items if isinstance(ranked, ListValue) else []
        return items[0] if items else Unknown("item", frame.place(node))
    found = containers.elements(interpreter, source, node, frame)
    return found[0] if found else Unknown("item", frame.place(node))


def _next(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    if not arguments.positional:
        return Unknown("", frame.place(node))
    found = containers.elements(interpreter, arguments.positional[0], node, frame)
    default = arguments.get(1)
    if not found:
        return default or Unknown("item", frame.place(node))
    if isinstance(found[0], Unknown) and found[0].counted:
        return _next_number(found[0], node, frame)
    return found[0] if default is None else either(found[0], default)


def _next_number(number: Unknown, node: ast.AST, frame: Frame) -> Value:
    """What a counter hands out: what an import numbers has the same number every time."""
    if frame.stage is Stage.IMPORT:
        return replace(number, counted=False)
    return Text((counter(number.name, frame.place(node), frame.stage),), "number")


def _zip(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    columns = [containers.elements(interpreter, v, node, frame) for v in arguments.positional]
    rows = zip(*columns, strict=False)
    return ListValue([ListValue(list(row), form="tuple") for row in rows], open=True)


def _map(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return ListValue([], open=True)
    callee, source = arguments.positional[:2]
    found = containers.elements(interpreter, source, node, frame)
    with races.several(frame):
        items = [interpreter.call(callee, Arguments([item]), node, frame) for item in found[:24]]
    arrival = arrivals.arrival_of(source, frame.place(node))
    return ListValue(items, open=True, arrival=arrival)


def _filter(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    if len(arguments.positional) < 2:
        return ListValue([], open=True)
    callee, source = arguments.positional[:2]
    kept: list[Value] = []
    for item in containers.elements(interpreter, source, node, frame)[:24]:
        test = item if callee == NONE else interpreter.call(callee, Arguments([item]), node, frame)
        with control.controlling([test], node, frame):
            kept.append(control.controlled(item, frame))
    arrival = arrivals.arrival_of(source, frame.place(node))
    return ListValue(kept, open=True, arrival=arrival)


def _enumerate(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    found = containers.elements(interpreter, arguments.positional[0], node, frame)
    number = Unknown("number", frame.place(node))
    pairs: list[Value] = [ListValue([number, item], form="tuple") for item in found]
    return ListValue(pairs, form=turns.ENUMERATE, open=True)


def _range(
    _interpreter: "Interpreter", _arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    return ListValue([Unknown("number", frame.place(node))], form=turns.RANGE, open=True)


def _count(
    _interpreter: "Interpreter", _arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """`itertools.count()`: one that outlives the call counts the calls."""
    number = Unknown("count", frame.place(node), counted=frame.stage is not Stage.CALL)
    return ListValue([number], form=turns.RANGE, open=True)


def _sum(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    pieces: Pieces = concatenate(interpreter.pieces(v, node, frame) for v in arguments.positional)
    moving = tuple(p for p in volatiles(pieces) if not p.order)
    if moving:
        return Text(moving, "number")
    start = arguments.get(1, "start")
    if isinstance(start, ListValue):
        return ListValue([Text(pieces)], open=True)
    return Unknown("number", frame.place(node))


def _gather(
    _interpreter: "Interpreter", arguments: Arguments, _node: ast.AST, _frame: Frame
) -> Value:
    return ListValue([*arguments.positional, *arguments.rest], open=bool(arguments.rest))


def _as_completed(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """Results in the order in which they happen to be ready."""
    value = arguments.positional[0] if arguments.positional else NONE
    order = races.completion_order(frame.place(node), frame.stage)
    found = containers.elements(interpreter, value, node, frame) or [Unknown("future")]
    return ListValue(list(found), order, open=True)


def _wait(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    """`done, pending = wait(tasks)`: two sets."""
    done = _as_completed(interpreter, arguments, node, frame)
    assert isinstance(done, ListValue)
    return ListValue([replace(done, form="set"), ListValue([], open=True)], form="tuple")


def _shuffle(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    target = arguments.positional[0] if arguments.positional else NONE
    if isinstance(target, ListValue):
        target.order = Volatile(
            CauseKind.RANDOM, "unknown", Axis.REPEAT, "random.shuffle", frame.place(node),
            frame.stage, order=True,
        )  # fmt: skip
        interpreter.touch(target)
    return NONE


HANDLERS: dict[str, Handler] = {
    "sorted": _sorted,
    "natsort.natsorted": _sorted,
    "set": _set,
    "frozenset": _set,
    "list": _list,
    "tuple": _list,
    "collections.deque": _list,
    "dict": _dict,
    "dict.fromkeys": mappings.from_keys,
    "reversed": _reversed,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _default_dict,
    "len": _length,
    "max": _first,
    "min": _first,
    "next": _next,
    "heapq.nlargest": lambda i, a, n, f: _sorted(i, Arguments(a.positional[1:], a.keywords), n, f),
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "enumerate": _enumerate,
    "range": _range,
    "itertools.count": _count,
    "sum": _sum,
    "asyncio.gather": _gather,
    "itertools.chain": lambda i, a, n, f: ListValue(
        [e for v in a.positional for e in containers.elements(i, v, n, f)], open=True
    ),
    "asyncio.as_completed": _as_completed,
    "concurrent.futures.as_completed": _as_completed,
    "asyncio.wait": _wait,
    "concurrent.futures.wait": _wait,
    "random.shuffle": _shuffle,
}
