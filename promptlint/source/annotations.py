"""Annotations as types: what a parameter or a field holds that nobody passed."""

import ast
from typing import TYPE_CHECKING

from promptlint.source import containers
from promptlint.source.frames import Frame
from promptlint.source.pieces import Stage, Unresolved
from promptlint.source.values import (
    ClassValue,
    External,
    Instance,
    ListValue,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

TRANSPARENT = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired"})
SETS = frozenset({"set", "frozenset", "Set", "FrozenSet", "AbstractSet", "MutableSet"})
SEQUENCES = frozenset({"list", "List", "Sequence", "Iterable", "tuple", "Tuple", "Collection"})
ENUMS = frozenset({"Enum", "StrEnum", "IntEnum", "Flag", "Exception", "str", "int"})


def value(interpreter: "Interpreter", node: ast.expr, name: str, frame: Frame) -> Value:
    """A value of the annotated type; unknown where the type says nothing."""
    match node:
        case ast.Constant(value=str(written)):
            try:
                parsed = ast.parse(written, mode="eval").body
            except SyntaxError:
                return Unknown(name)
            for inner in ast.walk(parsed):
                ast.copy_location(inner, node)
            return value(interpreter, parsed, name, frame)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            found = value(interpreter, left, name, frame)
            return value(interpreter, right, name, frame) if isinstance(found, Unknown) else found
        case ast.Subscript(value=base, slice=inner):
            return _generic(interpreter, base, inner, name, frame)
        case ast.Name() | ast.Attribute():
            return _plain(interpreter, node, name, frame)
        case _:
            return Unknown(name)


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _generic(
    interpreter: "Interpreter", base: ast.expr, inner: ast.expr, name: str, frame: Frame
) -> Value:
    first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
    kind = _last(base)
    if kind in TRANSPARENT:
        return value(interpreter, first, name, frame)
    if kind in SETS:
        return _set(name, base, frame, texts=_last(first) == "str")
    if kind in SEQUENCES:
        element = value(interpreter, first, name, frame)
        return Unknown(name) if isinstance(element, Unknown) else ListValue([element], open=True)
    return Unknown(name)


def _set(name: str, node: ast.expr, frame: Frame, *, texts: bool = False) -> ListValue:
    order = containers.unordered_set(frame.place(node), Stage.CALL, texts=texts)
    return ListValue([Unknown(name, frame.place(node))], order, form="set", open=True)


def _plain(
    interpreter: "Interpreter", node: ast.Name | ast.Attribute, name: str, frame: Frame
) -> Value:
    if _last(node) in SETS:
        return _set(name, node, frame)
    found = interpreter.evaluate(node, frame)
    if isinstance(found, External) and found.name in ("pathlib.Path", "anyio.Path"):
        return Text((Unresolved(name, frame.place(node)),), "path")
    if isinstance(found, ClassValue):
        bases = {_last(base) for base in found.node.bases}
        if not bases & ENUMS:
            return Instance(found, Stage.OBJECT, pending={"__init__"})
    return Unknown(name)
