"""Calls of what lies outside the tree: the tables first, then what its name or arguments say."""

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import CauseKind
from promptlint.source import control, documents, library, prompts, templates
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.patterns import Pattern
from promptlint.source.pieces import Volatile, has_user_text
from promptlint.source.tables import VolatileCall
from promptlint.source.values import (
    Constant,
    DictValue,
    FunctionValue,
    ListValue,
    Method,
    Partial,
    Text,
    Unknown,
    Value,
    literal,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter


def call(
    interpreter: "Interpreter", name: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """The result of calling an external function."""
    entry = interpreter.tables.calls.get(name)
    if entry is not None:
        return _volatile(interpreter, name, entry, arguments, node, frame)
    handler = library.HANDLERS.get(name)
    if handler is not None:
        return handler(interpreter, arguments, node, frame)
    if name in interpreter.tables.through:
        return _through(interpreter, arguments, node, frame)
    return unknown_call(interpreter, Unknown(name), arguments, node, frame)


def named_call(
    interpreter: "Interpreter",
    function: FunctionValue,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value | None:
    """The result of a function of the tree that the project's own table names, else None."""
    if not interpreter.tables.own_calls:
        return None
    name = f"{function.module.dotted}.{function.name}"
    entry = interpreter.tables.own_call(name)
    return None if entry is None else _volatile(interpreter, name, entry, arguments, node, frame)


def _volatile(
    interpreter: "Interpreter",
    name: str,
    entry: VolatileCall,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    if entry.kind is CauseKind.PROCESS:
        return documents.process(interpreter, name, entry, arguments, node, frame)
    if entry.kind is CauseKind.LISTING:
        path = (
            interpreter.pieces(arguments.positional[0], node, frame) if arguments.positional else ()
        )
        return documents.listing(interpreter, path, "", node, frame)
    if name == "os.path.expanduser":
        return _through(interpreter, arguments, node, frame)
    place = frame.place(node)
    piece = Volatile(entry.kind, entry.source, entry.axis, name, place, frame.stage)
    return Text((piece,), entry.form)


def _through(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """A function that hands its first argument's text on; containers stay what they are."""
    values = arguments.all()
    if not values:
        return Text(())
    first = values[0]
    if isinstance(first, Text | ListValue | DictValue | Unknown | Constant):
        if isinstance(first, Text) and first.form not in ("str", "path", "number", "process"):
            return Text(first.pieces, first.form if first.form == "epoch" else "str")
        return first
    if isinstance(first, FunctionValue | Method | Partial):
        return interpreter.call(first, Arguments(values[1:]), node, frame)
    return first


def unknown_call(
    interpreter: "Interpreter",
    callee: Unknown,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """The result of a call nobody could follow: unknown, unless it looks up the user's text."""
    last = callee.name.rpartition(".")[2]
    message = prompts.message(interpreter, last, arguments, node, frame)
    if message is not None:
        return message
    template = _template(interpreter, last, arguments, node, frame)
    if template is not None:
        return template
    by_user = callee.user or any(_is_users(interpreter, v, node, frame) for v in arguments.all())
    names = interpreter.tables.names
    if (by_user and names["retrieval"].search(callee.name)) or (
        _is_asked(names, arguments) and names["store"].search(callee.name)
    ):
        piece = control.by_user(node, frame, f"{callee.name}()")
        return Text((piece,), "retrieved")
    return replace(
        callee, name=f"{callee.name}()", place=frame.place(node), user=by_user, called=True
    )


def _is_asked(names: Mapping[str, Pattern], arguments: Arguments) -> bool:
    """Whether an argument is what a store would be asked for, by its name alone."""
    return any(isinstance(v, Unknown) and names["asked"].search(v.name) for v in arguments.all())


def _is_users(interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame) -> bool:
    """Whether an argument holds what the user wrote."""
    match value:
        case Unknown(user=user):
            return user
        case Text(pieces=pieces):
            return has_user_text(pieces)
        case DictValue() | ListValue():
            return has_user_text(interpreter.pieces(value, node, frame))
        case _:
            return False


def _template(
    interpreter: "Interpreter", last: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value | None:
    """Calls that make or load a text template."""
    if last in ("Template", "from_string", "from_template", "PromptTemplate"):
        source = arguments.get(0, "template", "source")
        if source is not None:
            pieces = interpreter.pieces(source, node, frame)
            return Text(pieces, "template")
    if last in ("get_template", "select_template", "render_template", "load_template"):
        name = literal(arguments.positional[0]) if arguments.positional else None
        if name is not None:
            loaded = templates.load(interpreter, name, "template", node, frame)
            if last == "render_template" and isinstance(loaded, Text):
                rest = Arguments(arguments.positional[1:], arguments.keywords, arguments.rest)
                return templates.render(interpreter, loaded, "render", rest, node, frame)
            return loaded
    return None
