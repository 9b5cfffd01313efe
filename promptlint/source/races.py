"""Functions that run side by side: what they add to one list comes when each of them is ready."""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from promptlint.layout import Axis, CauseKind
from promptlint.location import Location
from promptlint.source import containers
from promptlint.source.frames import Frame, Race
from promptlint.source.pieces import Stage, Volatile
from promptlint.source.values import (
    Arrival,
    DictValue,
    FunctionValue,
    ListValue,
    Text,
    Value,
    births,
)


def completion_order(place: Location, stage: Stage) -> Volatile:
    """The order in which results happen to be ready."""
    kind, axis = CauseKind.COMPLETION_ORDER, Axis.REPEAT
    return Volatile(kind, "unknown", axis, "completion order", place, stage, order=True)


@contextmanager
def several(frame: Frame, *, yes: bool = True) -> Iterator[None]:
    """Evaluate what is done for several elements; behind an `await` it is done one by one."""
    outer, frame.several = frame.several, yes
    try:
        yield
    finally:
        frame.several = outer


@contextmanager
def submitted(frame: Frame) -> Iterator[None]:
    """Evaluate the call of a function that is run by a pool, for several elements."""
    outer = frame.race
    if frame.several:
        frame.race = Race(next(births), suspended=True)
    try:
        yield
    finally:
        frame.race = outer


def of_call(function: FunctionValue, caller: Frame) -> Race | None:
    """The race that a called function takes part in: coroutines that nobody awaits make one."""
    if caller.several and isinstance(function.node, ast.AsyncFunctionDef):
        return Race(next(births))
    return caller.race


def suspend(frame: Frame) -> None:
    """Note that others may run meanwhile."""
    if frame.race is not None:
        frame.race.suspended = True


def added(
    target: ListValue | DictValue, items: Sequence[Value], node: ast.AST, frame: Frame
) -> list[Value]:
    """What is added to a container: in a race its place there is where it happens to come in.

    A conversation that grows keeps its order once it has one.
    """
    race = frame.race
    is_older = race is not None and race.suspended and target.birth < race.birth
    grows = isinstance(target, ListValue) and target.grows
    if not is_older or grows or any(map(containers.is_message, items)):
        return list(items)
    order = completion_order(frame.place(node), frame.stage)
    texts = all(isinstance(item, Text) and item.form == "str" for item in items)
    target.arrival = target.arrival or Arrival(order, texts, next(births))
    return [containers.disordered(item, order) for item in items]
