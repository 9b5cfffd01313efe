"""Control dependence: text that the user, chance or a counter puts into the prompt."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind, Confidence
from promptlint.source import containers
from promptlint.source.frames import Frame
from promptlint.source.pieces import (
    Branch,
    Literal,
    Piece,
    Pieces,
    Stage,
    Unresolved,
    Volatile,
    concatenate,
    counter,
    flat,
)
from promptlint.source.values import Choice, ListValue, Text, Unknown, Value, mapped

DECIDING = frozenset({CauseKind.QUERY, CauseKind.RANDOM, CauseKind.COUNTER})


def decisive(pieces: Pieces) -> Pieces:
    """What of a test's operands makes the text of its branches move."""
    return tuple(
        piece
        for piece in flat(pieces)
        if (isinstance(piece, Unresolved) and piece.user)
        or (isinstance(piece, Volatile) and (piece.kind in DECIDING or _is_part_of_day(piece)))
    )


def _is_part_of_day(piece: Volatile) -> bool:
    """Whether a greeting goes by it. An age decides what is kept, not what is said."""
    return piece.kind is CauseKind.CLOCK and piece.axis in (Axis.HOUR, Axis.DAY)


def deciding(value: Value) -> Pieces:
    """What of a value makes the text of a branch move that tests it."""
    match value:
        case Unknown(name=name, place=place, user=True):
            return (Unresolved(name, place, user=True),)
        case Unknown(name=name, place=place, counted=True):
            return (counter(name, place, Stage.CALL),)
        case Text(pieces=pieces):
            return decisive(pieces)
        case ListValue(items=items) | Choice(options=items):
            return tuple(piece for item in items for piece in deciding(item))
        case _:
            return ()


def cause(tests: Sequence[Value], node: ast.AST, frame: Frame) -> Volatile | None:
    """What a branch depends on. That something is present at all does not count."""
    for test in tests:
        if not isinstance(test, Text) or test.form != "bool":
            continue
        for piece in decisive(test.pieces):
            if isinstance(piece, Volatile):
                return replace(piece, text="")
            return by_user(node, frame)
    return None


def by_user(node: ast.AST, frame: Frame, detail: str = "the user's text") -> Volatile:
    """Text chosen by what the user wrote."""
    return Volatile(
        CauseKind.QUERY,
        "retrieval",
        Axis.TURN,
        detail,
        frame.place(node),
        frame.stage,
        Confidence.MEDIUM,
    )


@contextmanager
def controlling(tests: Sequence[Value], node: ast.AST, frame: Frame) -> Iterator[None]:
    """Evaluate a branch under what its tests depend on."""
    outer = frame.control
    frame.control = cause(tests, node, frame) or outer
    try:
        yield
    finally:
        frame.control = outer


def controlled(value: Value, frame: Frame) -> Value:
    """A value made under a branch: its literal text moves with what decides the branch.

    Several values in a tuple, and the messages of a list, are no text that was chosen as one.
    """
    control = frame.control
    if control is None or (isinstance(value, ListValue) and _is_several(value)):
        return value
    return moved(value, control)


def moved(value: Value, by: Volatile) -> Value:
    """A value whose literal text moves with `by`."""
    return mapped(value, lambda pieces: _moving(pieces, by))


def _is_several(value: ListValue) -> bool:
    return value.form == "tuple" or any(map(containers.is_message, value.items))


def _moving(pieces: Pieces, control: Volatile) -> Pieces:
    return concatenate((_moving_piece(piece, control),) for piece in pieces)


def _moving_piece(piece: Piece, control: Volatile) -> Piece:
    match piece:
        case Literal(text=words) if words.strip():
            return replace(control, text=words)
        case Branch(options=options, size=size):
            return Branch(tuple(_moving(option, control) for option in options), size)
        case Unresolved(user=False):
            return replace(control, section=piece.name)
        case _:
            return piece
