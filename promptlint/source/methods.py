"""Methods of values that are no objects of the tree: texts, paths, containers, unknown things."""

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import CauseKind, Confidence
from promptlint.source import (
    clock,
    collection_methods,
    containers,
    documents,
    externals,
    mappings,
    races,
    sequences,
    strings,
    templates,
    times,
)
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Pieces, Unresolved, Volatile, concatenate
from promptlint.source.values import (
    NONE,
    DictValue,
    FunctionValue,
    ListValue,
    Text,
    Unknown,
    Value,
    literal,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

READERS = frozenset({"read_text", "read_bytes", "read", "readlines", "readline", "open"})
LISTERS = frozenset({"iterdir", "glob", "rglob", "walk"})
SUBMITTERS = frozenset(
    {"submit", "run_in_executor", "run_sync", "apply_async", "to_thread", "start_soon"}
)
PATH_TESTS = frozenset({"exists", "is_file", "is_dir", "stat", "lstat", "samefile", "is_absolute"})
PATH_WRITES = frozenset({"write_text", "write_bytes", "mkdir", "unlink", "touch", "rename"})


def call(
    interpreter: "Interpreter",
    receiver: Value,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """The result of `receiver.name(...)`."""
    if name == "result" and not isinstance(receiver, Unknown):
        return _result(receiver, node, frame)
    match receiver:
        case Text(form="path"):
            return _of_path(interpreter, receiver, name, arguments, node, frame)
        case Text(form=form) if form in times.FORMS:
            result = times.method(receiver, name, arguments)
            return result or strings.method(interpreter, receiver, name, arguments, node, frame)
        case Text():
            return strings.method(interpreter, receiver, name, arguments, node, frame)
        case ListValue():
            return collection_methods.list_method(
                interpreter, receiver, name, arguments, node, frame
            )
        case DictValue():
            return mappings.method(interpreter, receiver, name, arguments, node, frame)
        case Unknown(name=base):
            callee = replace(receiver, name=f"{base}.{name}", called=False)
            return of_unknown(interpreter, callee, arguments, node, frame)
        case _:
            return Unknown(f".{name}()", frame.place(node), called=True)


def _result(receiver: Value, node: ast.AST, frame: Frame) -> Value:
    """The result of a future; what a pool ran is its own result already."""
    if isinstance(receiver, ListValue) and receiver.form == "future":
        return receiver.items[-1] if receiver.items else Unknown("result", frame.place(node))
    return receiver


def _of_path(
    interpreter: "Interpreter",
    receiver: Text,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    if name == "open" and documents.writes(arguments, 0):
        return Unknown("file", frame.place(node))
    if name in READERS:
        form = "file" if name == "open" else "str"
        return documents.read(interpreter, receiver.pieces, node, frame, form)
    if name in LISTERS:
        detail = " ".join(literal(value) or "" for value in arguments.positional)
        return documents.listing(interpreter, receiver.pieces, detail, node, frame)
    if name == "joinpath":
        return documents.path_of(interpreter, [receiver, *arguments.positional], node, frame)
    if name in ("with_suffix", "with_name", "with_stem"):
        return documents.path_of(interpreter, [receiver, *arguments.positional], node, frame)
    if name in PATH_TESTS | PATH_WRITES:
        return Unknown("", frame.place(node))
    return strings.method(interpreter, receiver, name, arguments, node, frame)


def of_unknown(
    interpreter: "Interpreter", callee: Unknown, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """The result of calling something unknown: what its method's name says is still known."""
    base, _, name = callee.name.rpartition(".")
    if not base:
        return externals.unknown_call(interpreter, callee, arguments, node, frame)
    receiver = replace(callee, name=base)
    if name in SUBMITTERS:
        submitted = _submitted(interpreter, arguments, node, frame)
        if submitted is not None:
            return submitted
    formatted = strings.of_unknown(interpreter, receiver, name, arguments, node, frame)
    if formatted is not None:
        return formatted
    found = _by_name(interpreter, receiver, name, arguments, node, frame)
    return found or externals.unknown_call(interpreter, callee, arguments, node, frame)


def _by_name(
    interpreter: "Interpreter",
    receiver: Unknown,
    name: str,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value | None:
    """What a method does whose name only paths, texts and times have."""
    own: Pieces = (Unresolved(receiver.name, frame.place(node)),)
    match name:
        case "update" if templates.has_globals(receiver):
            interpreter.template_globals.update(arguments.keywords)
            return NONE
        case "read_text" | "read_bytes":
            return documents.read(interpreter, own, node, frame)
        case "iterdir" | "rglob" | "glob":
            detail = " ".join(literal(value) or "" for value in arguments.positional)
            return documents.listing(interpreter, own, detail, node, frame)
        case "strftime" if arguments.positional:
            return _handed_in(interpreter, receiver, arguments, node, frame)
        case "startswith" | "endswith" if receiver.user:
            return Text((Unresolved(receiver.name, receiver.place, user=True),), "bool")
        case "lower" | "upper" | "strip" | "casefold" | "split" | "copy" | "title" | "encode":
            return replace(receiver, place=receiver.place or frame.place(node))
        case "imap_unordered" if arguments.positional:
            found = sequences.HANDLERS["map"](interpreter, arguments, node, frame)
            order = races.completion_order(frame.place(node), frame.stage)
            return replace(found, order=order) if isinstance(found, ListValue) else found
        case "join" if arguments.positional:
            items = containers.elements(interpreter, arguments.positional[0], node, frame)
            return Text(concatenate(interpreter.pieces(item, node, frame) for item in items))
        case _:
            return None


def _submitted(
    interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame
) -> Value | None:
    """`pool.submit(function, ...)`: the function runs elsewhere, its result is the same."""
    for at, value in enumerate(arguments.positional[:2]):
        if isinstance(interpreter.resolve(value), FunctionValue):
            rest = Arguments(arguments.positional[at + 1 :], arguments.keywords)
            with races.submitted(frame):
                return interpreter.call(value, rest, node, frame)
    return None


def _handed_in(
    interpreter: "Interpreter",
    receiver: Unknown,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """A time that a caller handed in: only its name says that it is the time now."""
    guess = interpreter.tables.guess(receiver.name)
    template = literal(arguments.positional[0]) or ""
    axis = clock.of_format(template)
    if guess is None or guess.kind is not CauseKind.CLOCK or axis is None:
        return Text((Unresolved(f"{receiver.name}.strftime()", frame.place(node)),))
    piece = Volatile(
        CauseKind.CLOCK, guess.source, axis, template, frame.place(node), frame.stage,
        Confidence.LOW, guessed=True,
    )  # fmt: skip
    return Text((piece,))
