"""Files, folders, commands and the environment: what is read from outside the program."""

import ast
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind, Confidence, Source
from promptlint.location import Location
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import (
    Literal,
    Pieces,
    Unresolved,
    Volatile,
    flat,
    literal_text,
    literals,
    one_way,
    volatiles,
    words,
)
from promptlint.source.tables import VolatileCall
from promptlint.source.values import ListValue, Text, Unknown, Value, literal

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

EDITED = frozenset({Source.MEMORY, Source.SKILLS, Source.PROJECT})
LONGEST_DOCUMENT = 60_000


def read(
    interpreter: "Interpreter", path: Pieces, node: ast.AST, frame: Frame, form: str = "str"
) -> Value:
    """The text of a file: itself where the tree ships it, else what its name says it is."""
    written = words(path)
    shipped = _shipped(interpreter, path, written, frame)
    if shipped is not None:
        return Text((Literal(shipped, _place(path, node, frame)),), form)
    listed = next((p for p in volatiles(path) if p.kind is CauseKind.LISTING), None)
    source, confidence = _source(interpreter, written, frame)
    if listed is not None:
        return Text(_listed(listed, source, node, frame), form)
    if source is None or source == "fixed":
        return Text((Unresolved(f"text of {written}" if written else "", frame.place(node)),), form)
    place = _place(path, node, frame)
    section = written.rpartition("/")[2].strip()
    piece = Volatile(
        CauseKind.FILE, source, _edits(source), written.strip(), place, frame.stage, confidence,
        section=section if "." in section else "",
    )  # fmt: skip
    return Text((piece,), form)


def _listed(listed: Volatile, source: str | None, node: ast.AST, frame: Frame) -> Pieces:
    """A file met in a listing: of the listing's source, unless its own name says more.

    The listing itself is no text of it, only the order in which it meets its files.
    """
    own = source if source in EDITED else listed.source
    if own not in EDITED:
        return (listed,)
    piece = replace(
        listed, kind=CauseKind.FILE, source=own, axis=_edits(own), unsorted=False,
        place=frame.place(node),
    )  # fmt: skip
    return (replace(listed, axis=Axis.LISTING_ORDER), piece) if listed.unsorted else (piece,)


def _edits(source: str) -> Axis:
    """Who edits a file: agents edit memory and skills while they work, people the project's."""
    match source:
        case Source.WORKSPACE:
            return Axis.EDIT_WORKSPACE
        case Source.PROJECT:
            return Axis.EDIT_PROJECT
        case _:
            return Axis.MID_SESSION_EDIT


def _source(
    interpreter: "Interpreter", written: str, frame: Frame
) -> tuple[str | None, Confidence]:
    """What a file is, from its path; from the names of the functions if the path says nothing."""
    if "__file__" in written:
        return "fixed", Confidence.HIGH
    source = interpreter.tables.file_source(written)
    literal_name = "." in written or "/" in written
    if source is not None:
        return source, Confidence.HIGH if literal_name else Confidence.MEDIUM
    source = interpreter.tables.file_source(frame.hints.rpartition(".")[2]) if written else None
    return (source if source in EDITED else None), Confidence.MEDIUM


def _shipped(interpreter: "Interpreter", path: Pieces, written: str, frame: Frame) -> str | None:
    """The text of a file that the tree ships with its code, such as a prompt next to a module."""
    name = re.split(r"[/\s]", written)[-1] if written else ""
    source = interpreter.tables.file_source(written)
    packaged = "__file__" in written
    if "." not in name or has_moving(path) or not (packaged or source in ("fixed", None)):
        return None
    near = frame.module.path
    for candidate in interpreter.tree.text_files(written.rpartition(" ")[2], near)[:1]:
        if packaged or near.parent in candidate.parents or source == "fixed":
            return interpreter.tree.document(candidate)[:LONGEST_DOCUMENT]
    return None


def has_moving(path: Pieces) -> bool:
    """Whether a path leads to another file another time."""
    return any(isinstance(piece, Volatile) for piece in flat(path))


def _place(path: Pieces, node: ast.AST, frame: Frame) -> Location:
    """Where a file is read: where a generic reader is called, if it was handed the name."""
    place = frame.place(node)
    if frame.call is None or not frame.parameters:
        return place
    handed = {
        inner.id
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and inner.id in frame.parameters
    }
    for name in handed:
        value = frame.names.get(name)
        own = value.pieces if isinstance(value, Text) else ()
        if own and any(piece in path for piece in own):
            return frame.call
    return place


def writes(arguments: Arguments, position: int) -> bool:
    """Whether a file is opened to be written."""
    mode = arguments.get(position, "mode")
    return mode is not None and bool(set(literal(mode) or "") & set("wax+"))


def opened(interpreter: "Interpreter", arguments: Arguments, node: ast.AST, frame: Frame) -> Value:
    """`open(path)`."""
    if writes(arguments, 1) or not arguments.positional:
        return Unknown("file", frame.place(node))
    path = interpreter.pieces(arguments.positional[0], node, frame)
    return read(interpreter, path, node, frame, "file")


def listing(
    interpreter: "Interpreter", path: Pieces, detail: str, node: ast.AST, frame: Frame
) -> Value:
    """The entries of a folder, in no settled order."""
    written = words(path)
    source, confidence = _source(interpreter, f"{written} {detail}".strip(), frame)
    if source == "fixed":
        return ListValue([Unknown(f"files of {written}", frame.place(node))], open=True)
    if source not in EDITED:
        source = Source.WORKSPACE
        confidence = Confidence.HIGH
    piece = Volatile(
        CauseKind.LISTING, source, _edits(source), written or detail, frame.place(node),
        frame.stage, confidence, unsorted=True,
    )  # fmt: skip
    return ListValue([Text((piece,), "path")], open=True)


def process(
    interpreter: "Interpreter",
    name: str,
    entry: VolatileCall,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """The output of a command: the command says what kind of output it is."""
    given = [interpreter.pieces(value, node, frame) for value in arguments.positional]
    command = _command(map(words, given))
    kind, source, axis = entry.kind, entry.source, entry.axis
    for other, patterns in interpreter.tables.commands.items():
        if any(pattern.search(command) for pattern in patterns):
            kind = CauseKind(other)
            is_clock = kind is CauseKind.CLOCK
            source = Source.TIMESTAMP if is_clock else Source.ENVIRONMENT
            axis = Axis.SECOND if is_clock else Axis.MACHINE
    confidence = Confidence.HIGH if command else Confidence.MEDIUM
    detail = _command(words(one_way(pieces)) for pieces in given if literals(pieces)) or name
    piece = Volatile(kind, source, axis, detail, frame.place(node), frame.stage, confidence)
    return Text((piece,), entry.form)


def _command(parts: Iterable[str]) -> str:
    return re.sub(r"[\s,]+", " ", " ".join(parts)).strip()


def environment(key: Value | None, node: ast.AST, frame: Frame) -> Value:
    """`os.environ[key]`: the user's and the machine's own variables, else configuration."""
    name = literal(key) if key is not None else None
    if name is None:
        return Unknown("os.environ", frame.place(node))
    axis, source = Axis.MACHINE, Source.ENVIRONMENT
    if name in ("USER", "USERNAME", "LOGNAME", "HOME", "USERPROFILE"):
        axis, source = Axis.USER, Source.IDENTITY
    elif name not in ("PWD", "HOSTNAME", "SHELL", "TERM", "LANG", "TZ", "PATH", "COMPUTERNAME"):
        return Unknown(f"environ.{name}", frame.place(node))
    piece = Volatile(CauseKind.HOST, source, axis, name, frame.place(node), frame.stage)
    return Text((piece,))


def path_of(interpreter: "Interpreter", values: list[Value], node: ast.AST, frame: Frame) -> Text:
    """A path made of some parts."""
    parts: list[Pieces] = []
    for value in values:
        if parts:
            parts.append((Literal("/"),))
        parts.append(interpreter.pieces(value, node, frame))
    pieces = tuple(piece for part in parts for piece in part)
    known = literal_text(pieces)
    place = next((p.place for p in pieces if isinstance(p, Literal) and p.place), None)
    return Text((Literal(known, place),) if known is not None else pieces, "path")
