"""Lists whose elements came in an order that nothing settles: of a set, of a race, of chance.

The order of such a list is text only where it reaches a prompt as a list: tools do. What is
made of the elements otherwise carries the order itself, since they were walked.
"""

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from promptlint.location import Location
from promptlint.source.frames import Frame
from promptlint.source.pieces import Literal, Piece, Pieces, Unresolved, Volatile
from promptlint.source.values import (
    Arrival,
    Choice,
    DictValue,
    ListValue,
    Text,
    Value,
    births,
    mapped,
)

DEEPEST_ELEMENT = 6


def arrival_of(value: Value, place: Location) -> Arrival | None:
    """How the elements of a value come when it is walked at `place`; None if in settled order."""
    if isinstance(value, Choice):
        return next((found for o in value.options if (found := arrival_of(o, place))), None)
    if isinstance(value, DictValue):
        return value.arrival
    if not isinstance(value, ListValue):
        return None
    if value.order is None or not value.order.order:
        return value.arrival
    order = replace(value.order, place=place) if value.form == "set" else value.order
    texts = bool(value.items) and all(
        isinstance(item, Text) and item.form == "str" for item in value.items
    )
    return Arrival(order, texts, next(births))


def first_of(values: Iterable[Value], place: Location) -> Arrival | None:
    """How the elements of several values come, one value after the other."""
    return next((found for value in values if (found := arrival_of(value, place))), None)


@contextmanager
def walking(source: Value, node: ast.AST, frame: Frame) -> Iterator[None]:
    """Evaluate the body of a loop over `source`."""
    outer = frame.arrival
    frame.arrival = arrival_of(source, frame.place(node)) or outer
    try:
        yield
    finally:
        frame.arrival = outer


def received(target: ListValue | DictValue, frame: Frame, found: Arrival | None = None) -> None:
    """Note that a container received elements in a loop that began after it was made."""
    around = frame.arrival
    if around is not None and around.birth < target.birth:
        around = None
    target.arrival = target.arrival or found or around


def settled(item: Value, arrival: Arrival | None) -> Value:
    """An element of a list that is sorted: its text moves no longer with the walk."""
    if arrival is None:
        return item
    return mapped(item, lambda pieces: _settled(pieces, arrival), DEEPEST_ELEMENT)


def _settled(pieces: Pieces, arrival: Arrival) -> Pieces:
    return tuple(_settled_piece(piece, arrival) for piece in pieces)


def _settled_piece(piece: Piece, arrival: Arrival) -> Piece:
    order = arrival.order
    if not isinstance(piece, Volatile) or not piece.order or piece.place != order.place:
        return piece
    return Literal(piece.text, order.place) if piece.text else Unresolved(piece.section)
