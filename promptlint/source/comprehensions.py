"""Comprehensions: their element is evaluated for each item that is known."""

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.source import arrivals, assignments, containers, control, mappings
from promptlint.source.frames import Frame
from promptlint.source.values import DictValue, ListValue, Value, truth

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

MOST_UNROLLED = 40


def of_items(
    interpreter: "Interpreter", node: ast.ListComp | ast.GeneratorExp | ast.SetComp, frame: Frame
) -> Value:
    """A list, a generator or a set. How many items it has is not known."""
    items: list[Value] = []
    result = ListValue(items, open=True)

    def element(inner: Frame) -> None:
        items.append(control.controlled(interpreter.evaluate(node.elt, inner), inner))
        if inner.arrival is not frame.arrival:
            result.arrival = inner.arrival

    _generate(interpreter, node.generators, frame, element)
    if isinstance(node, ast.SetComp):
        return containers.set_of(items, frame.place(node), frame.stage)
    return result


def of_entries(interpreter: "Interpreter", node: ast.DictComp, frame: Frame) -> Value:
    """A dictionary, by the keys that are known."""
    result = DictValue({}, frame.place(node), open=True)

    def entry(inner: Frame) -> None:
        key = interpreter.evaluate(node.key, inner)
        mappings.put(result, key, interpreter.evaluate(node.value, inner))
        if inner.arrival is not frame.arrival:
            result.arrival = inner.arrival

    _generate(interpreter, node.generators, frame, entry)
    return result


def _generate(
    interpreter: "Interpreter",
    generators: list[ast.comprehension],
    frame: Frame,
    body: Callable[[Frame], object],
) -> None:
    """Run `body` for each element."""
    first, *rest = generators
    source = interpreter.evaluate(first.iter, frame)
    for element in containers.elements(interpreter, source, first.iter, frame)[:MOST_UNROLLED]:
        inner = replace(frame, names={}, scope=frame, several=True)
        assignments.assign(interpreter, first.target, element, inner)
        tests = [interpreter.evaluate(test, inner) for test in first.ifs]
        if any(truth(test) is False for test in tests):
            continue
        with (
            control.controlling(tests, first.iter, inner),
            arrivals.walking(source, first.iter, inner),
        ):
            if rest:
                _generate(interpreter, rest, inner, body)
            else:
                body(inner)
        frame.yields = inner.yields
