"""Operators, comparisons, subscripts and slices."""

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import CauseKind
from promptlint.location import Location
from promptlint.source import arrivals, clock, containers, documents, mappings, strings
from promptlint.source.alternatives import any_of
from promptlint.source.frames import Frame
from promptlint.source.pieces import (
    Literal,
    Pieces,
    Volatile,
    concatenate,
    has_volatile,
    transform,
    volatiles,
)
from promptlint.source.values import (
    NONE,
    Choice,
    Constant,
    DictValue,
    External,
    ListValue,
    Text,
    Unknown,
    Value,
    births,
    literal,
    text,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

TIMES = frozenset({"datetime", "date", "epoch", "timedelta"})
_LONGEST_REPEATED = 100_000
"""Characters: a text that is written some times over is judged by no more than these."""

SET_OPERATORS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


def compared(ops: Sequence[ast.cmpop], left: Value, right: Sequence[Value]) -> bool | None:
    """The result of a comparison of two known values, else None."""
    if len(ops) != 1:
        return None
    one, other = _plain(left), _plain(right[0])
    if one is None or other is None:
        return None
    match ops[0]:
        case ast.Eq() | ast.Is():
            return one == other
        case ast.NotEq() | ast.IsNot():
            return one != other
        case _:
            return None


def _plain(value: Value) -> tuple[object] | None:
    if isinstance(value, Constant):
        return (value.value,)
    known = literal(value)
    return None if known is None else (known,)


def binary(
    interpreter: "Interpreter",
    operator: ast.operator,
    left: Value,
    right: Value,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """The value of `left operator right`."""
    match operator, left, right:
        case ast.Add(), ListValue(), _:
            items = containers.elements(interpreter, right, node, frame)
            place = frame.place(node)
            arrival = arrivals.first_of((left, right), place)
            items = [*containers.walk(left, place), *items]
            grows = left.grows or (isinstance(right, ListValue) and right.grows)
            return ListValue(items, None, left.form, arrival=arrival, grows=grows)
        case ast.Add(), Unknown(), ListValue():
            place = frame.place(node)
            arrival = arrivals.arrival_of(right, place)
            return ListValue([left, *containers.walk(right, place)], open=True, arrival=arrival)
        case ast.Mod(), Text(form="str"), _:
            return strings.percent(interpreter, left, right, node, frame)
        case ast.Div(), _, _ if _is_path(left, right):
            return _path(interpreter, left, right, node, frame)
        case ast.BitOr(), DictValue(), DictValue():
            return _merged(left, right)
        case _, _, _ if isinstance(operator, SET_OPERATORS) and _is_set(left, right):
            return _sets(interpreter, left, right, node, frame)
        case ast.Mult(), Text(form="str"), Constant(value=int(times)):
            return _repeated(left, times)
        case ast.Mult(), Constant(value=int(times)), Text(form="str"):
            return _repeated(right, times)
        case _, Constant(value=int() | float()), Constant(value=int() | float()):
            return Unknown("number", frame.place(node))
        case _:
            return _texts(interpreter, operator, left, right, node, frame)


def _repeated(value: Text, times: int) -> Text:
    """A text some times over. What is not literal stands once: it says nothing new again."""
    written = literal(value)
    if written is None:
        return value
    longest = _LONGEST_REPEATED // max(len(written), 1)
    return text(written * max(min(times, longest), 0), _first_place(value.pieces))


def _first_place(pieces: Pieces) -> Location | None:
    return next((piece.place for piece in pieces if isinstance(piece, Literal)), None)


def _merged(left: DictValue, right: DictValue) -> Value:
    result = DictValue({}, left.place)
    mappings.merge(result, left)
    mappings.merge(result, right)
    return result


def _is_path(left: Value, right: Value) -> bool:
    if isinstance(left, Text) and left.form == "path":
        return True
    if isinstance(right, Text) and right.form in ("str", "path"):
        return literal(right) is not None or right.form == "path"
    return False


def _path(
    interpreter: "Interpreter", left: Value, right: Value, node: ast.AST, frame: Frame
) -> Value:
    one = interpreter.pieces(left, node, frame)
    other = interpreter.pieces(right, node, frame)
    return Text(concatenate((one, (Literal("/"),), other)), "path")


def _is_set(*values: Value) -> bool:
    """Whether there is a set, or what works like one: the keys of a mapping."""
    return any(
        (isinstance(value, ListValue) and value.form in ("set", containers.KEYS))
        or (isinstance(value, Unknown) and value.name.endswith(".keys()"))
        for value in values
    )


def _sets(
    interpreter: "Interpreter", left: Value, right: Value, node: ast.AST, frame: Frame
) -> Value:
    items: list[Value] = []
    for value in (left, right):
        found = containers.unwalked(interpreter, value, node, frame)
        items.extend(found.items)
        if found.form == containers.KEYS and not found.items:
            items.append(Unknown("key"))  # one that is put into the mapping elsewhere
    return containers.set_of(items, frame.place(node), frame.stage)


def _texts(
    interpreter: "Interpreter",
    operator: ast.operator,
    left: Value,
    right: Value,
    node: ast.AST,
    frame: Frame,
) -> Value:
    one = interpreter.pieces(left, node, frame)
    other = interpreter.pieces(right, node, frame)
    left_form = left.form if isinstance(left, Text) else ""
    right_form = right.form if isinstance(right, Text) else ""
    if isinstance(operator, ast.Sub) and (left_form in TIMES or right_form in TIMES):
        return _difference(left, right, one, other)
    if isinstance(operator, ast.Div | ast.FloorDiv) and isinstance(right, Constant):
        return _divided(one, left_form, right)
    if isinstance(operator, ast.Add) and left_form in TIMES:
        return Text(one, left_form)
    if isinstance(operator, ast.Add) and left_form != "number":
        return Text(concatenate((one, other)))
    if isinstance(operator, ast.Mult) and left_form not in ("number", *TIMES):
        return Text(one if isinstance(right, Constant | Unknown) else concatenate((one, other)))
    kept = tuple(volatiles(one)) + tuple(volatiles(other))
    return Text(kept, "number") if kept else Unknown("number", frame.place(node))


def _difference(left: Value, right: Value, one: Pieces, other: Pieces) -> Value:
    """A time minus a time is an age; a time minus a span is a time."""
    is_span = isinstance(right, Unknown) and "delta" in right.name
    if is_span and isinstance(left, Text):
        return left
    ages = tuple(
        replace(piece, kind=CauseKind.AGE) if piece.kind is CauseKind.CLOCK else piece
        for piece in (*volatiles(one), *volatiles(other))
    )
    return Text(ages, "timedelta")


def _divided(pieces: Pieces, form: str, divisor: Constant) -> Value:
    seconds = divisor.value if isinstance(divisor.value, int | float) else 1

    def coarser(piece: Volatile) -> Volatile:
        if piece.kind not in (CauseKind.AGE, CauseKind.CLOCK) or form == "days":
            return piece
        return replace(piece, axis=clock.coarsened(piece.axis, seconds))

    kept = tuple(volatiles(pieces))
    return Text(transform(kept, coarser), "timedelta" if form in TIMES else "number")


def sliced(interpreter: "Interpreter", value: Value, bounds: ast.Slice, frame: Frame) -> Value:
    """`value[a:b]`: a time loses precision, a known list its items, anything else stays."""
    lower = _integer(interpreter, bounds.lower, frame)
    upper = _integer(interpreter, bounds.upper, frame)
    if isinstance(value, Text):
        if bounds.lower is None and upper is not None and has_volatile(value.pieces):
            return Text(transform(value.pieces, lambda p: _cut(p, value.form, upper)), value.form)
        return value
    if isinstance(value, ListValue):
        known = not value.open and value.order is None
        exact = (bounds.lower is None or lower is not None) and (
            bounds.upper is None or upper is not None
        )
        items = value.items[lower:upper] if known and exact else value.items
        return replace(value, items=list(items), version=0, birth=next(births))
    return value


def _cut(piece: Volatile, form: str, end: int) -> Volatile:
    if piece.kind is not CauseKind.CLOCK:
        return piece
    axis = clock.of_slice(piece.axis, form, end)
    return piece if axis is piece.axis else replace(piece, axis=axis)


def _integer(interpreter: "Interpreter", node: ast.expr | None, frame: Frame) -> int | None:
    value = interpreter.evaluate(node, frame) if node is not None else NONE
    return value.value if isinstance(value, Constant) and isinstance(value.value, int) else None


def subscript(
    interpreter: "Interpreter", value: Value, index: Value, node: ast.AST, frame: Frame
) -> Value:
    """`value[index]`."""
    match value:
        case DictValue():
            return mappings.item(interpreter, value, index, node, frame)
        case ListValue(items=items):
            at = index.value if isinstance(index, Constant) else None
            if isinstance(at, int) and not value.open and -len(items) <= at < len(items):
                return items[at]
            found = containers.walk(value, frame.place(node))
            if found and isinstance(at, int) and at < 0:
                return any_of(found)
            return found[0] if found else Unknown("item", frame.place(node))
        case Text():
            return value
        case Choice(options=options):
            return any_of(subscript(interpreter, o, index, node, frame) for o in options)
        case External(name="os.environ"):
            return documents.environment(index, node, frame)
        case External():
            return value
        case Unknown(name=name):
            return _of_unknown(interpreter, value, name, index, node, frame)
        case _:
            return Unknown("item", frame.place(node))


def _of_unknown(
    interpreter: "Interpreter",
    value: Unknown,
    name: str,
    index: Value,
    node: ast.AST,
    frame: Frame,
) -> Value:
    key = literal(index)
    if key is not None:
        return replace(value, name=f"{name}.{key}", place=frame.place(node), called=False)
    is_last = isinstance(index, Constant | Unknown) and getattr(index, "value", None) == -1
    if is_last and interpreter.tables.names["history"].search(name):
        return Unknown(f"{name}[-1]", frame.place(node), user=True)
    return replace(value, place=frame.place(node))
