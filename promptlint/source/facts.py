"""Facts that only source can show."""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from promptlint.layout import CauseKind, Confidence
from promptlint.location import Location
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Unresolved, flat, volatiles
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source.values import (
    Constant,
    DictValue,
    Unknown,
    Value,
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
    """Note `json.dumps` of a decoded or merged mapping without `sort_keys`; True if it is one."""
    sort_keys = arguments.keywords.get("sort_keys")
    decoded = isinstance(value, DictValue) and value.decoded
    answered = isinstance(value, Unknown) and value.name.endswith(".json()")
    found = (decoded or answered) and (sort_keys is None or truth(sort_keys) is False)
    if found:
        place = frame.place(node)
        detail = "keys come in the order in which they arrived"
        interpreter.fact(
            SourceFact(FactKind.UNSORTED_JSON, place, detail, _trail(frame), Confidence.LOW)
        )
    return found


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
                    FactKind.COMPLETION_ORDER, piece.place, "as_completed", piece.trail,
                    Confidence.HIGH,
                )
            )  # fmt: skip


def framework_switch(
    interpreter: "Interpreter", name: str, arguments: Arguments, node: ast.AST, frame: Frame
) -> None:
    """An option of a framework that makes its prompt move."""
    for switch in interpreter.tables.switches:
        if switch.keyword and switch.keyword not in arguments.keywords:
            continue
        if switch.keyword and truth(arguments.keywords[switch.keyword]) is not True:
            continue
        if not switch.callee.search(name):
            continue
        detail = f"{switch.framework}: {switch.keyword or name} {switch.detail} ({switch.since})"
        interpreter.fact(
            SourceFact(
                FactKind.FRAMEWORK_SWITCH, frame.place(node), detail, _trail(frame),
                Confidence.MEDIUM,
            )
        )  # fmt: skip


def _trail(frame: Frame) -> tuple[Location, ...]:
    """The calls that lead here, nearest first."""
    trail: list[Location] = []
    current: Frame | None = frame
    while current is not None:
        if current.call is not None:
            trail.append(current.call)
        current = current.caller
    return tuple(trail)
