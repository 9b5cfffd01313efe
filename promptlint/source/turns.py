"""Rounds: loops that send a request each time, and the numbers they count."""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from promptlint.source import classes
from promptlint.source.frames import Frame
from promptlint.source.names import dotted
from promptlint.source.tables import Tables
from promptlint.source.values import (
    ClassValue,
    Constant,
    FunctionValue,
    Instance,
    ListValue,
    ModuleValue,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

Loop = ast.For | ast.AsyncFor | ast.While
RANGE, ENUMERATE = "range", "enumerate"
DEEPEST_HELPER = 2
_TALKS = frozenset({"completion", "acompletion", "invoke", "ainvoke", "generate", "chat", "stream"})


@contextmanager
def rounds(interpreter: "Interpreter", node: Loop, frame: Frame) -> Iterator[None]:
    """Evaluate a loop's body. What it adds to moves from round to round if each one sends."""
    outer = frame.rounds
    frame.rounds = sends(interpreter, node, frame)
    if frame.rounds:
        for name, operand in _increments(node):
            if _is_number(frame.names.get(name), operand):
                frame.names[name] = Unknown(name, frame.place(node), counted=True)
    try:
        yield
    finally:
        frame.rounds = outer


def counted(source: Value, element: Value, frame: Frame) -> Value:
    """An element that a loop meets: the number of a round that sends is a counter."""
    if not frame.rounds or not isinstance(source, ListValue):
        return element
    if source.form == RANGE:
        return _counter(element)
    if source.form == ENUMERATE and isinstance(element, ListValue):
        number, *rest = element.items
        return ListValue([_counter(number), *rest], form="tuple")
    return element


def _counter(number: Value) -> Value:
    place = number.place if isinstance(number, Unknown) else None
    return Unknown("", place, counted=True)


def _is_number(value: Value | None, operand: ast.expr) -> bool:
    """Whether a number is counted up; of an unknown value a constant added to it says so."""
    if isinstance(value, Constant):
        return isinstance(value.value, int | float) and not isinstance(value.value, bool)
    known = isinstance(operand, ast.Constant) and isinstance(operand.value, int | float)
    return isinstance(value, Unknown) and known


@lru_cache(maxsize=4096)
def _increments(node: Loop) -> tuple[tuple[str, ast.expr], ...]:
    """The names that a loop's body adds to or subtracts from, and what."""
    found: list[tuple[str, ast.expr]] = []
    for inner in ast.walk(node):
        match inner:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=operand):
                found.append((name, operand))
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.BinOp(left=ast.Name(id=same), op=ast.Add() | ast.Sub(), right=operand),
            ) if name == same:
                found.append((name, operand))
            case _:
                pass
    return tuple(found)


def sends(interpreter: "Interpreter", node: Loop, frame: Frame) -> bool:
    """Whether a loop's body sends a request, itself or through functions of the tree."""
    owner = frame.function.owner if frame.function is not None else None
    return _sends(interpreter, node, frame, owner, DEEPEST_HELPER)


def _sends(
    interpreter: "Interpreter", node: ast.AST, scope: Frame, owner: ClassValue | None, depth: int
) -> bool:
    found = _calls(node)
    if any(_is_request(interpreter.tables, call) for call in found):
        return True
    if not depth:
        return False
    callees = (_callee(interpreter, call.func, scope, owner) for call in found)
    return any(
        _sends(interpreter, callee.node, callee.scope, callee.owner, depth - 1)
        for callee in callees
        if isinstance(callee, FunctionValue)
    )


@lru_cache(maxsize=4096)
def _calls(node: ast.AST) -> tuple[ast.Call, ...]:
    return tuple(inner for inner in ast.walk(node) if isinstance(inner, ast.Call))


def _is_request(tables: Tables, call: ast.Call) -> bool:
    """Whether a call looks like one that sends messages or system text, and keeps none."""
    name = dotted(call.func)
    sink = tables.sink(name)
    if sink is None or sink.stored:
        return False
    keywords = {keyword.arg for keyword in call.keywords}
    return bool(keywords & (sink.system | sink.messages)) or name.rpartition(".")[2] in _TALKS


def _callee(
    interpreter: "Interpreter", node: ast.expr, scope: Frame, owner: ClassValue | None
) -> Value | None:
    """The function of the tree that a written name means, as far as no code must be run."""
    match node:
        case ast.Name(id=name):
            value = scope.lookup(name)
            return None if value is None else interpreter.resolve(value)
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if owner is not None:
            return classes.find(interpreter, owner, name)
        case ast.Attribute(value=ast.Name(id=base), attr=name):
            value = scope.lookup(base)
            match interpreter.resolve(value) if value is not None else None:
                case Instance(cls=cls):
                    return classes.find(interpreter, cls, name)
                case ModuleValue(path=path):
                    return interpreter.member(path, name)
                case _:
                    return None
        case _:
            return None
