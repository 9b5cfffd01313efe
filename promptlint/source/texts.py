"""What a value looks like when it is printed, and what formatting does to it."""

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind
from promptlint.source import clock, containers
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import (
    Literal,
    Piece,
    Pieces,
    Unresolved,
    Volatile,
    branch,
    concatenate,
    counter,
    transform,
)
from promptlint.source.values import (
    Choice,
    Constant,
    DictValue,
    External,
    FunctionValue,
    Imported,
    Instance,
    ListValue,
    Method,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

DEEPEST_PRINT = 5
_VALUE: Pieces = (Literal(": "),)


def printed(
    interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame, depth: int = 0
) -> Pieces:
    """The text of `str(value)`."""
    if depth > DEEPEST_PRINT:
        return ()
    match interpreter.resolve(value):
        case Text(pieces=pieces) | Method(receiver=Text(pieces=pieces)):
            return pieces  # nobody prints a method: it is a part of what the text stands for
        case Constant(value=content):
            return (Literal(str(content)),)
        case External(name=name):
            return _external(interpreter, name, node, frame)
        case Unknown() as unknown:
            return (_unknown(unknown, node, frame),)
        case Choice(options=options):
            return branch(printed(interpreter, o, node, frame, depth + 1) for o in options)
        case ListValue() | DictValue() as container:
            return _container(interpreter, container, node, frame, depth)
        case Instance() as instance:
            return _instance(interpreter, instance, node, frame, depth)
        case FunctionValue(name=name) | Imported(name=name):
            return (Unresolved(name, frame.place(node)),)
        case _:
            return (Unresolved("", frame.place(node)),)


def _unknown(value: Unknown, node: ast.AST, frame: Frame) -> Piece:
    if value.counted:
        return counter(value.name, frame.place(node), frame.stage)
    return Unresolved(value.name, value.place or frame.place(node), value.user)


def _container(
    interpreter: "Interpreter",
    container: ListValue | DictValue,
    node: ast.AST,
    frame: Frame,
    depth: int,
) -> Pieces:
    if isinstance(container, ListValue):
        walked = containers.walk(container, frame.place(node))
        parts = [printed(interpreter, item, node, frame, depth + 1) for item in walked]
    else:
        parts = [
            concatenate((_key(interpreter, container, key, node, frame), _VALUE, part))
            for key, item in container.entries.items()
            for part in (printed(interpreter, item, node, frame, depth + 1),)
        ]
    return joined((Literal(", "),), parts)


def _key(
    interpreter: "Interpreter", mapping: DictValue, key: str, node: ast.AST, frame: Frame
) -> Pieces:
    known = mapping.keys.get(key)
    return (Literal(key),) if known is None else interpreter.pieces(known, node, frame)


def _external(interpreter: "Interpreter", name: str, node: ast.AST, frame: Frame) -> Pieces:
    entry = interpreter.tables.calls.get(name)
    if entry is None or entry.kind is not CauseKind.HOST:
        return (Unresolved(name, frame.place(node)),)
    place = frame.place(node)
    return (Volatile(entry.kind, entry.source, entry.axis, name, place, frame.stage),)


def _instance(
    interpreter: "Interpreter", instance: Instance, node: ast.AST, frame: Frame, depth: int
) -> Pieces:
    """An object prints as its `__str__` says; its fields are not its text."""
    for name in ("__str__", "__format__", "__repr__", "__html__"):
        method = interpreter.attribute(instance, name, node, frame)
        if isinstance(method, FunctionValue):
            result = interpreter.call(method, Arguments(), node, frame)
            return printed(interpreter, result, node, frame, depth + 1)
    return (Unresolved(instance.cls.name, frame.place(node)),)


def joined(separator: Pieces, parts: list[Pieces]) -> Pieces:
    """`separator.join(parts)`."""
    result: list[Pieces] = []
    for part in parts:
        if result:
            result.append(separator)
        result.append(part)
    return concatenate(result)


def at_axis(value: Text, axis: Axis | None, detail: str, form: str = "str") -> Text:
    """A clock printed with the precision of `axis`; None prints nothing that moves."""
    if axis is None:
        return Text((Literal(detail),), form)

    def coarser(piece: Volatile) -> Volatile:
        if piece.kind is not CauseKind.CLOCK:
            return piece
        if piece.axis is Axis.DAY or clock.finest(axis, piece.axis) is axis is not piece.axis:
            return replace(piece, detail=detail)
        return replace(piece, axis=axis, detail=detail)

    return Text(transform(value.pieces, coarser), form)


def formatted(value: Value, pieces: Pieces, spec: str) -> Pieces:
    """`format(value, spec)`: a time follows its directives."""
    if isinstance(value, Text) and value.form in ("datetime", "date") and "%" in spec:
        return at_axis(value, clock.of_format(spec), spec).pieces
    return pieces
