"""Facts that only source can show."""

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from promptlint.layout import CauseKind, Confidence
from promptlint.location import Location
from promptlint.source import arrivals
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Unresolved, flat, volatiles
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source.values import (
    NONE,
    Constant,
    DictValue,
    External,
    ListValue,
    Unknown,
    Value,
    inner,
    truth,
)

if TYPE_CHECKING:
    from promptlint.source.conversations import Entry
    from promptlint.source.interpreter import Interpreter

FETCHED = frozenset(
    {CauseKind.FILE, CauseKind.QUERY, CauseKind.CLOCK, CauseKind.LISTING, CauseKind.PROCESS}
)


def unsorted_json(
    interpreter: "Interpreter", value: Value, arguments: Arguments, node: ast.AST, frame: Frame
) -> bool:
    """Note `json.dumps` without `sort_keys` of a mapping whose keys come in any order.

    Of one that was filled from a set this is sure; of one that was decoded or merged it may be.
    True if it is one.
    """
    sort_keys = arguments.keywords.get("sort_keys")
    if sort_keys is not None and truth(sort_keys) is not False:
        return False
    disordered = next((m.arrival.order.place for m in _mappings(value) if m.arrival), None)
    decoded = isinstance(value, DictValue) and value.decoded
    answered = isinstance(value, Unknown) and value.name.endswith(".json()")
    if disordered is not None:
        detail, confidence = "keys come in the order of a walk", Confidence.HIGH
    elif decoded or answered:
        detail, confidence = "keys come in the order in which they arrived", Confidence.LOW
    else:
        return False
    trail = _trail(frame) if disordered is None else (disordered, *_trail(frame))
    place = frame.place(node)
    interpreter.fact(SourceFact(FactKind.UNSORTED_JSON, place, detail, trail, confidence))
    return True


def by_key(value: Value) -> Value:
    """A value whose mappings are in the order of their keys, for that order has its own fact."""
    for mapping in _mappings(value):
        value = arrivals.settled(value, mapping.arrival)
    return value


def _mappings(value: Value, depth: int = 4) -> Iterator[DictValue]:
    """The mappings in a value, the outer ones first."""
    if isinstance(value, DictValue):
        yield value
    for held in inner(value) if depth else ():
        yield from _mappings(held, depth - 1)


def head_insert(
    interpreter: "Interpreter", written: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> None:
    """`insert(0, ...)` of something that moves or was looked up, into messages or text blocks."""
    if len(arguments.positional) != 2:
        return
    index, item = arguments.positional
    if not isinstance(index, Constant) or index.value not in (0, 1):
        return
    names = interpreter.tables.names
    fields = item.entries.keys() if isinstance(item, DictValue) else ()
    is_message = "role" in fields or {"type", "text"} <= set(fields)
    if not is_message and not names["history"].search(written):
        return
    pieces = interpreter.pieces(item, node, frame)
    moves = any(piece.kind in FETCHED for piece in volatiles(pieces))
    guessed = any(
        isinstance(p, Unresolved) and interpreter.tables.guess(p.name) for p in flat(pieces)
    )
    if moves or guessed:
        confidence = Confidence.MEDIUM if moves else Confidence.LOW
        interpreter.fact(
            SourceFact(FactKind.HEAD_INSERT, frame.place(node), written, _trail(frame), confidence)
        )


def completion_order(interpreter: "Interpreter", entries: "Sequence[Entry]") -> None:
    """Tools or sections in the order in which their requests were answered."""
    for piece in (piece for entry in entries for piece in volatiles(entry.pieces)):
        if piece.kind is CauseKind.COMPLETION_ORDER and piece.place is not None:
            interpreter.fact(
                SourceFact(
                    FactKind.COMPLETION_ORDER, piece.place, piece.detail, piece.trail,
                    Confidence.HIGH,
                )
            )  # fmt: skip


def framework_switch(
    interpreter: "Interpreter", name: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> None:
    """An option of a framework, or a tool given to it, that makes its prompt move."""
    names = (name, *_given(arguments))
    named = [(one, switch) for one in names for switch in interpreter.tables.named(one).switches]
    for found, switch in named:
        if switch.keyword and (
            found != name or truth(arguments.keywords.get(switch.keyword, NONE)) is not True
        ):
            continue
        detail = f"{switch.framework}: {switch.keyword or found} {switch.detail} ({switch.since})"
        interpreter.fact(
            SourceFact(
                FactKind.FRAMEWORK_SWITCH, frame.place(node), detail, _trail(frame),
                Confidence.MEDIUM,
            )
        )  # fmt: skip


def _given(arguments: Arguments) -> Iterator[str]:
    """The names of what a call is given in lists and is no part of the tree."""
    for value in arguments.keywords.values():
        for item in value.items if isinstance(value, ListValue) else ():
            if isinstance(item, External):
                yield item.name


def _trail(frame: Frame) -> tuple[Location, ...]:
    """The calls that lead here, nearest first."""
    trail: list[Location] = []
    current: Frame | None = frame
    while current is not None:
        if current.call is not None:
            trail.append(current.call)
        current = current.caller
    return tuple(trail)
