"""Methods of texts, and text with placeholders."""

import ast
import re
import string
from typing import TYPE_CHECKING

from promptlint.source import containers, control, mappings, templates, texts, times
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
from promptlint.source.values import (
    Constant,
    DictValue,
    ListValue,
    Text,
    Unknown,
    Value,
    literal,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

TESTS = frozenset(
    {"startswith", "endswith", "isdigit", "isupper", "islower", "find", "index", "count", "match"}
    | {"isalpha", "isspace", "fullmatch"}
)
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*(?:\*|\d+)?(?:\.\d+)?([a-zA-Z%])")


def method(
    interpreter: "Interpreter",
    receiver: Text,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """A call of a method of a text."""
    match name:
        case "join":
            return _join(interpreter, receiver, arguments, node, frame)
        case "format":
            return Text(format_pieces(interpreter, receiver.pieces, arguments, node, frame))
        case "format_map":
            mapping = arguments.get(0)
            keywords = dict(mapping.entries) if isinstance(mapping, DictValue) else {}
            bound = Arguments(keywords=keywords)
            return Text(format_pieces(interpreter, receiver.pieces, bound, node, frame))
        case "replace":
            return _replace(interpreter, receiver, arguments, node, frame)
        case "render" | "substitute" | "safe_substitute" | "render_async":
            return templates.render(interpreter, receiver, name, arguments, node, frame)
        case "split" | "splitlines" | "rsplit" | "partition" | "rpartition":
            return ListValue([Text(receiver.pieces)], open=True)
        case _ if name in TESTS:
            values = (receiver, *arguments.positional)
            return Text(tuple(p for v in values for p in control.deciding(v)), "bool")
        case "encode" | "decode" | "strip" | "rstrip" | "lstrip":
            return Text(_stripped(receiver.pieces, name, arguments), receiver.form)
        case _:
            return Text(receiver.pieces, receiver.form if receiver.form in times.FORMS else "str")


def _stripped(pieces: Pieces, name: str, arguments: Arguments) -> Pieces:
    """White space at the ends of a literal text is no text of the prompt."""
    if arguments.positional or "strip" not in name or len(pieces) != 1:
        return pieces
    (piece,) = pieces
    return (Literal(piece.text.strip(), piece.place),) if isinstance(piece, Literal) else pieces


def _join(
    interpreter: "Interpreter", receiver: Text, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    if not arguments.positional:
        return receiver
    value = arguments.positional[0]
    items = containers.elements(interpreter, value, node, frame)
    parts = [interpreter.pieces(item, node, frame) for item in items]
    return Text(texts.joined(receiver.pieces, parts))


def _replace(
    interpreter: "Interpreter", receiver: Text, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    if receiver.form in times.FORMS:
        return times.replace_fields(receiver, arguments)
    if len(arguments.positional) < 2:
        return receiver
    old = literal(arguments.positional[0])
    new = interpreter.pieces(arguments.positional[1], node, frame)
    found = any(isinstance(p, Literal) and old and old in p.text for p in flat(receiver.pieces))
    if found and old:
        return Text(_substituted(receiver.pieces, old, new))
    if any(isinstance(p, Unresolved) for p in receiver.pieces):
        return Text(concatenate((receiver.pieces, tuple(volatiles(new)))))
    return receiver


def _substituted(pieces: Pieces, old: str, new: Pieces) -> Pieces:
    parts: list[Pieces] = []
    for piece in pieces:
        if isinstance(piece, Literal) and old in piece.text:
            chunks = [(Literal(chunk, piece.place),) for chunk in piece.text.split(old)]
            parts.append(texts.joined(new, list(chunks)))
        else:
            parts.append((piece,))
    return concatenate(parts)


def format_pieces(
    interpreter: "Interpreter", pieces: Pieces, arguments: Arguments, node: ast.AST, frame: Frame
) -> Pieces:
    """`text.format(...)`: the placeholders of the literal parts, in their order."""
    parts: list[Pieces] = []
    auto = 0
    for piece in pieces:
        if not isinstance(piece, Literal):
            parts.append((piece,))
            continue
        try:
            fields = list(string.Formatter().parse(piece.text))
        except ValueError:
            parts.append((piece,))
            continue
        for before, name, spec, _ in fields:
            parts.append((Literal(before, piece.place),))
            if name is None:
                continue
            position = name if name else str(auto)
            auto += 1
            parts.append(_field(interpreter, position, spec or "", arguments, piece, node, frame))
    if any(isinstance(p, Unresolved) for p in pieces) and not any(
        isinstance(p, Literal) and "{" in p.text for p in pieces
    ):
        parts.extend(tuple(volatiles(interpreter.pieces(a, node, frame))) for a in arguments.all())
    return concatenate(parts)


def _field(
    interpreter: "Interpreter",
    name: str,
    spec: str,
    arguments: Arguments,
    origin: Literal,
    node: ast.AST,
    frame: Frame,
) -> Pieces:
    """One replacement field: `0`, `name`, `name.attribute`, `name[key]`."""
    head, *path = re.split(r"[.\[]", name)
    value: Value | None = arguments.keywords.get(head)
    if head.isdigit() and int(head) < len(arguments.positional):
        value = arguments.positional[int(head)]
    if value is None:
        return (Unresolved(name, origin.place or frame.place(node)),)
    for step in path:
        if isinstance(value, DictValue):
            value = mappings.item(
                interpreter, value, Text((Literal(step.rstrip("]")),)), node, frame
            )
        else:
            value = interpreter.attribute(value, step.rstrip("]"), node, frame)
    return texts.formatted(value, interpreter.pieces(value, node, frame), spec)


def percent(
    interpreter: "Interpreter", left: Text, right: Value, node: ast.AST, frame: Frame
) -> Value:
    """`template % values`."""
    if left.form != "str" or (isinstance(right, Constant) and not isinstance(right.value, int)):
        return left
    values = right.items if isinstance(right, ListValue) else [right]
    named = right.entries if isinstance(right, DictValue) else {}
    parts: list[Pieces] = []
    at = 0
    for piece in left.pieces:
        if not isinstance(piece, Literal):
            parts.append((piece,))
            continue
        end = 0
        for match in _PERCENT.finditer(piece.text):
            parts.append((Literal(piece.text[end : match.start()], piece.place),))
            end = match.end()
            if match[2] == "%":
                parts.append((Literal("%", piece.place),))
                continue
            value = named.get(match[1]) if match[1] else values[at] if at < len(values) else None
            at += 1
            shown = interpreter.pieces(value, node, frame) if value is not None else ()
            parts.append(shown or (Unresolved(match[1] or "", frame.place(node)),))
        parts.append((Literal(piece.text[end:], piece.place),))
    return Text(concatenate(parts))


def of_unknown(
    interpreter: "Interpreter",
    receiver: Unknown,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value | None:
    """Formatting a text nobody could read: its arguments reach the text, their order is unknown."""
    if name not in ("format", "replace", "render", "substitute", "safe_substitute", "format_map"):
        return None
    moving: list[Pieces] = []
    for argument in arguments.all():
        values = argument.entries.values() if isinstance(argument, DictValue) else [argument]
        moving.extend(tuple(volatiles(interpreter.pieces(v, node, frame))) for v in values)
    own = Unresolved(receiver.name, frame.place(node), receiver.user)
    return Text(concatenate((*moving, (own,))))
