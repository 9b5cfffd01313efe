"""Dictionaries: their entries, merging them, and what their methods do."""

import ast
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.source import arrivals, containers
from promptlint.source.alternatives import any_of, either
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Stage, volatiles
from promptlint.source.values import (
    NONE,
    Constant,
    DictValue,
    ListValue,
    Text,
    Unknown,
    Value,
    births,
    literal,
    stored,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

UNKNOWN_KEY = "?"
MOST_ALTERNATIVES = 24


def known_key(key: Value) -> str | None:
    """The name of an entry, if the key is known."""
    return str(key.value) if isinstance(key, Constant) else literal(key)


def put(mapping: DictValue, key: Value, value: Value) -> None:
    """`mapping[key] = value`."""
    name = known_key(key)
    if name is None:
        name = f"{UNKNOWN_KEY}{len(mapping.entries)}"
        mapping.keys[name] = key
    mapping.entries[name] = value


def merge(target: DictValue, value: Value) -> None:
    """`target.update(value)`. Merged with what nobody knows, its keys come in any order."""
    if isinstance(value, DictValue):
        target.entries.update(value.entries)
        target.keys.update(value.keys)
        target.decoded = target.decoded or value.decoded
        target.arrival = target.arrival or value.arrival
        target.open = target.open or value.open
    else:
        target.decoded = target.decoded or target.open or bool(target.entries)
        target.open = True


def from_keys(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """`dict.fromkeys(keys, value)`."""
    result = DictValue({}, frame.place(node))
    source = arguments.get(0)
    if source is not None:
        for key in containers.elements(interpreter, source, node, frame):
            put(result, key, arguments.get(1, "value") or NONE)
        result.arrival = arrivals.arrival_of(source, frame.place(node))
        result.open = not isinstance(source, ListValue) or source.open
    return result


def method(
    interpreter: "Interpreter",
    target: DictValue,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """A call of a method of a dictionary."""
    match name:
        case "get" | "pop" | "setdefault":
            return _get(interpreter, target, name, arguments, node, frame)
        case "items":
            pairs: list[Value] = [
                ListValue([key, value], form="tuple")
                for key, value in zip(containers.keys(target), target.entries.values(), strict=True)
            ]
            return ListValue(pairs, open=target.open, arrival=target.arrival)
        case "values":
            values = list(target.entries.values())
            return ListValue(values, open=target.open, arrival=target.arrival)
        case "keys":
            return ListValue(
                containers.keys(target), form=containers.KEYS, open=target.open,
                arrival=target.arrival,
            )  # fmt: skip
        case "update":
            for argument in arguments.positional:
                merge(target, argument)
            target.entries.update(arguments.keywords)
            interpreter.touch(target)
            return NONE
        case "copy":
            return replace(
                target, entries=dict(target.entries), keys=dict(target.keys), version=0,
                birth=next(births),
            )  # fmt: skip
        case _:
            return Unknown(f".{name}()", frame.place(node), called=True)


def _get(
    interpreter: "Interpreter",
    target: DictValue,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    default = arguments.get(1, "default") or NONE
    if not arguments.positional:
        return default
    key = arguments.positional[0]
    if name == "setdefault":
        known = known_key(key)
        known = UNKNOWN_KEY if known is None else known
        if interpreter.is_made_at_import(target):
            default = stored(default, Stage.MEMO)
        if known not in target.entries:
            target.entries[known] = default
            if known == UNKNOWN_KEY:
                target.keys[known] = key
            arrivals.received(target, frame)
            interpreter.touch(target)
            return default
    found = item(interpreter, target, key, node, frame)
    return either(found, default) if isinstance(found, Unknown) and default != NONE else found


def item(
    interpreter: "Interpreter", target: DictValue, key: Value, node: ast.AST, frame: Frame
) -> Value:
    """`target[key]`: the order of the keys is not its own, but the order in which it is asked is.

    A key nobody knows may be any of a table of functions or texts.
    """
    found = arrivals.settled(_item(interpreter, target, key, node, frame), target.arrival)
    asked = volatiles(key.pieces) if isinstance(key, Text) else ()
    order = next((piece for piece in asked if piece.order), None)
    return found if order is None else containers.disordered(found, order)


def _item(
    interpreter: "Interpreter", target: DictValue, key: Value, node: ast.AST, frame: Frame
) -> Value:
    name = known_key(key)
    values = target.entries.values()
    if name is None and values:
        return any_of(islice(values, MOST_ALTERNATIVES))
    name = UNKNOWN_KEY if name is None else name
    found = target.entries.get(name)
    if found is None and target.factory is not None:
        found = target.entries.get(UNKNOWN_KEY) or _made(interpreter, target, name, node, frame)
    if found is not None:
        return found
    return Unknown("item" if name == UNKNOWN_KEY else name, frame.place(node))


def _made(
    interpreter: "Interpreter", target: DictValue, name: str, node: ast.AST, frame: Frame
) -> Value:
    """What a defaultdict makes for a key that it has not met."""
    assert target.factory is not None
    made = interpreter.call(target.factory, Arguments(), node, frame)
    target.entries[name] = made
    arrivals.received(target, frame)
    interpreter.touch(target)
    return made
