"""Lists, sets and dictionaries: walking them, and what their methods do."""

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind
from promptlint.location import Location
from promptlint.source import arrivals
from promptlint.source.frames import Frame
from promptlint.source.pieces import Literal, Stage, Volatile, flat
from promptlint.source.values import (
    Choice,
    Constant,
    DictValue,
    Instance,
    ListValue,
    Text,
    Unknown,
    Value,
    births,
    literal,
    stored,
    text,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

MOST_ITEMS = 120


TEXTS = "set of texts"
KEYS = "keys"


def unordered_set(place: Location, stage: Stage, *, texts: bool = False) -> Volatile:
    """The order of a set: another one for every hash seed. Only `texts` can surely be sorted."""
    detail = TEXTS if texts else "set"
    kind, axis = CauseKind.SET_ORDER, Axis.HASH_SEED
    return Volatile(kind, "unknown", axis, detail, place, stage, order=True)


def set_of(items: list[Value], place: Location, stage: Stage) -> ListValue:
    """A set. One of numbers, or of one element only, has a settled order."""
    settled = (bool(items) and all(isinstance(item, Constant) for item in items)) or (
        len(items) == 1 and literal(items[0]) is not None
    )
    texts = bool(items) and all(isinstance(item, Text) and item.form == "str" for item in items)
    order = None if settled else unordered_set(place, stage, texts=texts)
    return ListValue(items, order, form="set")


def walk(container: ListValue, place: Location) -> list[Value]:
    """The elements as a walk at `place` meets them. An unsettled order becomes text here."""
    if container.order is None:
        return container.items
    order = container.order
    if order.order and container.form == "set":
        order = replace(order, place=place)
    return [disordered(item, order) for item in container.items or [Unknown("")]]


def disordered(item: Value, order: Volatile) -> Value:
    """An element of an unordered container: its literal text moves as well."""
    match item:
        case Text(pieces=pieces):
            own = "".join(p.text for p in flat(pieces) if isinstance(p, Literal))
            moving = tuple(p for p in flat(pieces) if isinstance(p, Volatile))
            return Text((replace(order, text=own), *moving), item.form)
        case Unknown(name=name):
            return Text((replace(order, text="", section=name),))
        case ListValue(items=items):
            return ListValue([disordered(i, order) for i in items], item.order, item.form)
        case DictValue(entries=entries):
            inner = {key: disordered(value, order) for key, value in entries.items()}
            return replace(item, entries=inner, version=0, birth=next(births))
        case _:
            return item


def elements(interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame) -> list[Value]:
    """What a `for` over a value meets, in order."""
    match interpreter.resolve(value):
        case ListValue() as items:
            return walk(items, frame.place(node))
        case DictValue() as mapping:
            return keys(mapping)
        case Choice(options=options):
            return [e for option in options for e in elements(interpreter, option, node, frame)]
        case Text(form="file" | "process") as lines:
            return [lines]
        case Text(pieces=pieces):
            return [Text(pieces)]
        case Unknown() as unknown:
            return [unknown]
        case _:
            return [Unknown("", frame.place(node))]


def keys(mapping: DictValue) -> list[Value]:
    """The keys of a mapping; what is numbered under `?` is not known."""
    return [
        mapping.keys.get(key, Unknown("key")) if key.startswith("?") else text(key)
        for key in mapping.entries
    ]


def as_list(
    interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame, form: str = "list"
) -> ListValue:
    """`list(value)`: the order is walked here."""
    source = interpreter.resolve(value)
    if isinstance(source, ListValue):
        place = frame.place(node)
        arrival = arrivals.arrival_of(source, place)
        return ListValue(list(walk(source, place)), None, form, source.open, arrival=arrival)
    arrival = arrivals.arrival_of(source, frame.place(node))
    found = list(elements(interpreter, source, node, frame))
    return ListValue(found, None, form, open=True, arrival=arrival)


def is_message(item: Value) -> bool:
    """Whether this is a message of a conversation."""
    fields = item.entries if isinstance(item, DictValue) else ()
    return "role" in (item.fields if isinstance(item, Instance) else fields)


def unwalked(interpreter: "Interpreter", value: Value, node: ast.AST, frame: Frame) -> ListValue:
    """The elements of a value whose order does not matter to what follows."""
    source = interpreter.resolve(value)
    if isinstance(source, Choice):
        parts = [unwalked(interpreter, option, node, frame) for option in source.options]
        return ListValue([item for part in parts for item in part.items], open=True)
    if isinstance(source, ListValue):
        items = [arrivals.settled(item, source.arrival) for item in source.items]
        return replace(source, items=items, version=0, birth=next(births))
    arrival = arrivals.arrival_of(source, frame.place(node))
    found = elements(interpreter, source, node, frame)
    return ListValue([arrivals.settled(item, arrival) for item in found], open=True)


def ordered(value: ListValue) -> ListValue:
    """`sorted(value)`: the order is settled, what moves otherwise still does."""
    items = [arrivals.settled(_unsorted_cleared(item), value.arrival) for item in value.items]
    return ListValue(items, None, "list", value.open)


def _unsorted_cleared(item: Value) -> Value:
    if isinstance(item, Text):
        pieces = tuple(
            replace(p, unsorted=False) if isinstance(p, Volatile) else p for p in item.pieces
        )
        return Text(pieces, item.form)
    return item


def add(interpreter: "Interpreter", target: ListValue, items: list[Value], frame: Frame) -> None:
    """Append, with a limit for lists that a loop would grow without end.

    A message that is added to a list which outlives the turn is written once, and sent again.
    """
    began = frame.turns_began
    target.grows = (
        target.grows
        or (began is not None and target.birth < began)
        or (frame.stage is Stage.CALL and interpreter.is_made_at_import(target))
    )
    if target.grows:
        items = [stored(item, Stage.MEMO) if is_message(item) else item for item in items]
    if len(target.items) < MOST_ITEMS:
        target.items.extend(items)
    interpreter.touch(target)
