"""Text that is written to a buffer: what was written to it, in order."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from promptlint.source import containers
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import concatenate
from promptlint.source.values import NONE, ListValue, Text, Value, text

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

BUFFER = "buffer"
Handler: TypeAlias = Callable[["Interpreter", Arguments, ast.AST, Frame], Value]


def content(interpreter: "Interpreter", buffer: ListValue, node: ast.AST, frame: Frame) -> Text:
    """`buffer.getvalue()`."""
    return Text(concatenate(interpreter.pieces(item, node, frame) for item in buffer.items))


def _opened(
    _interpreter: "Interpreter", arguments: Arguments, _node: ast.AST, _frame: Frame
) -> Value:
    return ListValue(list(arguments.positional), form=BUFFER)


def _printed(
    interpreter: "Interpreter", arguments: Arguments, _node: ast.AST, frame: Frame
) -> Value:
    """`print(..., file=buffer)`; printed anywhere else it is no prompt."""
    target = arguments.keywords.get("file")
    if isinstance(target, ListValue):
        containers.add(interpreter, target, [*arguments.positional, text("\n")], frame)
    return NONE


HANDLERS: dict[str, Handler] = {"io.StringIO": _opened, "print": _printed}
