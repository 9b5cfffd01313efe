"""Assigning: names, attributes, items and unpacked targets."""

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.source import arrivals, containers, mappings, prompts, races, templates
from promptlint.source.control import controlled
from promptlint.source.frames import Frame
from promptlint.source.names import dotted
from promptlint.source.values import (
    ClassValue,
    Constant,
    DictValue,
    Instance,
    ListValue,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter


def assign(interpreter: "Interpreter", target: ast.expr, value: Value, frame: Frame) -> None:
    """Bind what a target names to a value."""
    match target:
        case ast.Name(id=name):
            frame.bind(name, _named(value, name))
        case ast.Attribute():
            _assign_attribute(interpreter, target, value, frame)
        case ast.Subscript():
            _assign_item(interpreter, target, value, frame)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            _unpack(interpreter, targets, value, target, frame)
        case ast.Starred(value=inner):
            assign(interpreter, inner, value, frame)
        case _:
            pass


def _named(value: Value, name: str) -> Value:
    """A nameless unknown takes the name it is given."""
    return replace(value, name=name) if isinstance(value, Unknown) and not value.name else value


def _assign_attribute(
    interpreter: "Interpreter", target: ast.Attribute, value: Value, frame: Frame
) -> None:
    owner = interpreter.evaluate(target.value, frame)
    value = controlled(value, frame)
    match owner:
        case Instance():
            owner.fields[target.attr] = value
            interpreter.touch(owner)
        case ClassValue() if owner.members is not None:
            owner.members[target.attr] = value
        case _:
            frame.names[dotted(target)] = value
    prompts.of_assignment(interpreter, target.attr, value, target, frame)


def _assign_item(
    interpreter: "Interpreter", target: ast.Subscript, value: Value, frame: Frame
) -> None:
    owner = interpreter.evaluate(target.value, frame)
    if isinstance(target.slice, ast.Slice):
        if isinstance(owner, ListValue):
            found = containers.elements(interpreter, value, target, frame)
            containers.add(interpreter, owner, found, frame)
        return
    index = interpreter.evaluate(target.slice, frame)
    value = controlled(value, frame)
    if templates.has_globals(owner) and (name := mappings.known_key(index)) is not None:
        interpreter.template_globals[name] = value
    elif isinstance(owner, DictValue):
        if mappings.known_key(index) is None:
            index, value = races.added(owner, (index, value), target, frame)
        mappings.put(owner, index, value)
        arrivals.received(owner, frame)
        interpreter.touch(owner)
        prompts.of_item(interpreter, owner, mappings.known_key(index), target, frame)
    elif isinstance(owner, ListValue):
        at = index.value if isinstance(index, Constant) else None
        if isinstance(at, int) and -len(owner.items) <= at < len(owner.items):
            owner.items[at] = value
        else:
            owner.items.append(value)
        interpreter.touch(owner)
    elif isinstance(owner, Unknown) and isinstance(value, DictValue):
        prompts.of_assignment(interpreter, owner.name, value, target, frame)


def _unpack(
    interpreter: "Interpreter",
    targets: list[ast.expr],
    value: Value,
    node: ast.AST,
    frame: Frame,
) -> None:
    if isinstance(value, ListValue) and not value.open and len(value.items) >= len(targets):
        items = containers.walk(value, frame.place(node))
        for at, target in enumerate(targets):
            if isinstance(target, ast.Starred):
                rest = len(items) - (len(targets) - at - 1)
                assign(interpreter, target.value, ListValue(items[at:rest]), frame)
                for tail, item in zip(targets[at + 1 :], items[rest:], strict=False):
                    assign(interpreter, tail, item, frame)
                return
            assign(interpreter, target, items[at], frame)
        return
    for target in targets:
        assign(interpreter, target, _part_of(value, target), frame)


def _part_of(value: Value, target: ast.expr) -> Value:
    """One part of something that cannot be taken apart: whatever moves it moves its parts."""
    match value:
        case Text():
            return value
        case ListValue(items=items) if items:
            return items[0]
        case Unknown(user=user):
            name = target.id if isinstance(target, ast.Name) else value.name
            return Unknown(name, value.place, user)
        case _:
            return Unknown("")
