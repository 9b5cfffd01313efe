"""Text templates: the order of their placeholders, each with the value it is given."""

import ast
import re
from typing import TYPE_CHECKING

from promptlint.location import Location
from promptlint.source import containers
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import (
    Literal,
    Pieces,
    Unresolved,
    concatenate,
    flat,
    volatiles,
)
from promptlint.source.values import DictValue, External, ListValue, Text, Unknown, Value

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

_JINJA = re.compile(r"\{\{-?(?P<print>.*?)-?\}\}|\{%-?(?P<do>.*?)-?%\}|\{#.*?#\}", re.DOTALL)
_DOLLAR = re.compile(r"\$(?:\$|(\w+)|\{(\w+)\})")
_FOR = re.compile(r"\s*for\s+(\w+)(?:\s*,\s*(\w+))?\s+in\s+(.+?)(?:\s+if\s.*)?$", re.DOTALL)
_MACRO = re.compile(r"\s*macro\s+(\w+)\s*\(")
_SET = re.compile(r"\s*set\s+(\w+)\s*=\s*(.+)$", re.DOTALL)
_INCLUDE = re.compile(r"\s*include\s+['\"]([^'\"]+)['\"]")
DEEPEST_INCLUDE = 3
GLOBALS = ".globals"


def has_globals(owner: Value) -> bool:
    """Whether a value is what an environment gives to all of its templates."""
    return isinstance(owner, Unknown | External) and owner.name.endswith(GLOBALS)


def load(interpreter: "Interpreter", name: str, form: str, node: ast.AST, frame: Frame) -> Value:
    """A template by its file name, wherever the tree keeps it."""
    for path in interpreter.tree.text_files(name, frame.module.path)[:1]:
        text = interpreter.tree.document(path)
        return Text((Literal(text, Location(interpreter.tree.shown(path), 1)),), form)
    return Text((Unresolved(f"template {name}", frame.place(node)),), form)


def render(
    interpreter: "Interpreter",
    receiver: Text,
    method: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """`template.render(...)`, `template.substitute(...)`.

    Of a template that cannot be read, in whole or in part, it is not known what it prints:
    what moves in the arguments is taken to stand there.
    """
    names = {**interpreter.template_globals, **arguments.keywords}
    for value in arguments.positional:
        if isinstance(value, DictValue):
            names.update(value.entries)
    moving: list[Pieces] = []
    if any(isinstance(piece, Unresolved) for piece in flat(receiver.pieces)):
        values = [interpreter.pieces(value, node, frame) for value in names.values()]
        moving = [tuple(volatiles(pieces)) for pieces in values]
    inner = Frame(frame.module, frame.scope, frame.function, frame.caller, frame.call)
    inner.names, inner.stage, inner.depth = names, frame.stage, frame.depth
    parts = [
        _piece(interpreter, piece, method, node, inner) if isinstance(piece, Literal) else (piece,)
        for piece in receiver.pieces
    ]
    return Text(concatenate((*moving, *parts)))


def _piece(
    interpreter: "Interpreter", piece: Literal, method: str, node: ast.AST, frame: Frame
) -> Pieces:
    if "substitute" in method:
        return _dollars(interpreter, piece, node, frame)
    return _jinja(interpreter, piece, node, frame, DEEPEST_INCLUDE)


def at(place: Location | None, text: str, offset: int) -> Location | None:
    """The line of an offset in a text file; in a Python file the place of the literal."""
    if place is None or place.path.endswith(".py"):
        return place
    return Location(place.path, (place.line or 1) + text.count("\n", 0, offset))


def _dollars(interpreter: "Interpreter", piece: Literal, node: ast.AST, frame: Frame) -> Pieces:
    parts: list[Pieces] = []
    end = 0
    for match in _DOLLAR.finditer(piece.text):
        parts.append((Literal(piece.text[end : match.start()], piece.place),))
        end = match.end()
        name = match[1] or match[2]
        if name is None:
            continue
        value = frame.names.get(name)
        unresolved = Unresolved(name, at(piece.place, piece.text, match.start()))
        parts.append((unresolved,) if value is None else interpreter.pieces(value, node, frame))
    parts.append((Literal(piece.text[end:], piece.place),))
    return concatenate(parts)


def _jinja(
    interpreter: "Interpreter", piece: Literal, node: ast.AST, frame: Frame, depth: int
) -> Pieces:
    parts: list[Pieces] = []
    end = 0
    for match in _JINJA.finditer(piece.text):
        parts.append((Literal(piece.text[end : match.start()], piece.place),))
        end = match.end()
        place = at(piece.place, piece.text, match.start())
        if match["print"] is not None:
            value = _expression(interpreter, match["print"], place, node, frame)
            parts.append(interpreter.pieces(value, node, frame))
        elif match["do"] is not None:
            parts.append(_statement(interpreter, match["do"], place, node, frame, depth))
    parts.append((Literal(piece.text[end:], piece.place),))
    return concatenate(parts)


def _expression(
    interpreter: "Interpreter", source: str, place: Location | None, node: ast.AST, frame: Frame
) -> Value:
    """A jinja expression, read as the Python it nearly is; filters pass their input on."""
    written = re.split(r"\|(?!\|)", source)[0].strip()
    try:
        parsed = ast.parse(written, mode="eval").body
    except SyntaxError:
        return Unknown(written, place)
    for inner in ast.walk(parsed):
        ast.copy_location(inner, node)
    value = interpreter.evaluate(parsed, frame)
    if isinstance(value, Unknown):
        return Unknown(value.name, place, value.user, value.called)
    return value


def _statement(
    interpreter: "Interpreter",
    source: str,
    place: Location | None,
    node: ast.AST,
    frame: Frame,
    depth: int,
) -> Pieces:
    if match := _FOR.match(source):
        value = _expression(interpreter, match[3], place, node, frame)
        found = containers.elements(interpreter, value, node, frame)
        element = found[0] if found else Unknown(match[1])
        frame.names[match[1]] = element
        if match[2]:
            pair = element.items if isinstance(element, ListValue) else [element]
            frame.names[match[1]], frame.names[match[2]] = pair[0], pair[-1]
    elif match := _MACRO.match(source):
        # What a macro is given is taken to be printed where it is called.
        frame.names[match[1]] = External("str")
    elif match := _SET.match(source):
        frame.names[match[1]] = _expression(interpreter, match[2], place, node, frame)
    elif (match := _INCLUDE.match(source)) and depth:
        included = load(interpreter, match[1], "jinja", node, frame)
        if isinstance(included, Text):
            (piece,) = included.pieces
            if isinstance(piece, Literal):
                return _jinja(interpreter, piece, node, frame, depth - 1)
    return ()
