"""Sorting: the order is settled, unless what decides it is the user's text."""

import ast
from typing import TYPE_CHECKING

from promptlint.source import containers, control
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Volatile, has_user_text
from promptlint.source.values import (
    DictValue,
    Instance,
    ListValue,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter


def ranked(
    interpreter: "Interpreter", source: ListValue, key: Value | None, node: ast.AST, frame: Frame
) -> ListValue:
    """`sorted(source, key=key)`."""
    result = containers.ordered(source)
    if not source.items or not _is_by_user(interpreter, source.items[0], key, node, frame):
        return result
    piece = control.by_user(node, frame)
    return ListValue([_moved(item, piece) for item in result.items], open=True)


def _is_by_user(
    interpreter: "Interpreter", item: Value, key: Value | None, node: ast.AST, frame: Frame
) -> bool:
    """Whether what an element is sorted by comes of the user's text: its key, or its score."""
    by: Value | None = None
    if key is not None:
        by = interpreter.call(key, Arguments([item]), node, frame)
    elif isinstance(item, ListValue) and item.form == "tuple" and item.items:
        by = item.items[0]
    return by is not None and has_user_text(interpreter.pieces(by, node, frame))


def _moved(item: Value, piece: Volatile) -> Value:
    match item:
        case Text() | Unknown() | Instance():
            return Text((piece,))
        case ListValue() | DictValue():
            return control.moved(item, piece)
        case _:
            return item
