"""Expressions: one small function for each kind of syntax node."""

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from promptlint.source import (
    arrivals,
    comprehensions,
    containers,
    control,
    mappings,
    operators,
    prompts,
    races,
    request_bodies,
    texts,
)
from promptlint.source.alternatives import either
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.names import dotted
from promptlint.source.pieces import Pieces, concatenate
from promptlint.source.values import (
    NONE,
    Constant,
    DictValue,
    External,
    FunctionValue,
    ListValue,
    Text,
    Unknown,
    Value,
    literal,
    text,
    truth,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

BUILTINS = frozenset(dir(builtins))
Handler: TypeAlias = Callable[..., Value]


def _constant(_interpreter: "Interpreter", node: ast.Constant, frame: Frame) -> Value:
    if isinstance(node.value, str):
        return text(node.value, frame.place(node))
    return Constant(node.value)


def _name(interpreter: "Interpreter", node: ast.Name, frame: Frame) -> Value:
    value = frame.lookup(node.id)
    if value is not None:
        return interpreter.resolve(value)
    if node.id == "__file__":
        return Text(text(f"__file__/{frame.module.path.name}").pieces, "path")
    if node.id in BUILTINS:
        return External(node.id)
    return Unknown(node.id, frame.place(node))


def _attribute(interpreter: "Interpreter", node: ast.Attribute, frame: Frame) -> Value:
    stored = frame.lookup(dotted(node))
    if stored is not None:
        return interpreter.resolve(stored)
    return interpreter.attribute(interpreter.evaluate(node.value, frame), node.attr, node, frame)


def _joined(interpreter: "Interpreter", node: ast.JoinedStr, frame: Frame) -> Value:
    parts: list[Pieces] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append(_formatted(interpreter, part, frame).pieces)
        elif isinstance(part, ast.Constant):
            parts.append(text(str(part.value), frame.place(node)).pieces)
    return Text(concatenate(parts))


def _formatted(interpreter: "Interpreter", node: ast.FormattedValue, frame: Frame) -> Text:
    value = interpreter.evaluate(node.value, frame)
    pieces = interpreter.pieces(value, node.value, frame)
    if node.format_spec is not None:
        spec = literal(interpreter.evaluate(node.format_spec, frame)) or ""
        pieces = texts.formatted(value, pieces, spec)
    return Text(pieces)


def _sequence(interpreter: "Interpreter", node: ast.List | ast.Tuple, frame: Frame) -> Value:
    form = "tuple" if isinstance(node, ast.Tuple) else "list"
    return _display(interpreter, node.elts, form, frame)


def _set(interpreter: "Interpreter", node: ast.Set, frame: Frame) -> Value:
    items = _display(interpreter, node.elts, "list", frame).items
    return containers.set_of(items, frame.place(node), frame.stage)


def _display(
    interpreter: "Interpreter", nodes: list[ast.expr], form: str, frame: Frame
) -> ListValue:
    """The written elements; of one with a star it may not be known how many it stands for."""
    result = ListValue([], form=form)
    for node in nodes:
        value = interpreter.evaluate(node, frame)
        if isinstance(node, ast.Starred):
            result.open = result.open or not isinstance(value, ListValue) or value.open
            result.grows = result.grows or (isinstance(value, ListValue) and value.grows)
            result.items.extend(containers.elements(interpreter, value, node, frame))
            result.arrival = result.arrival or arrivals.arrival_of(value, frame.place(node))
        else:
            result.items.append(value)
    return result


def _dict(interpreter: "Interpreter", node: ast.Dict, frame: Frame) -> Value:
    result = DictValue({}, frame.place(node))
    merged = 0
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = interpreter.evaluate(value_node, frame)
        if key_node is None:
            if isinstance(value, DictValue):
                mappings.merge(result, value)
            else:
                result.open = True
                merged += 1
                result.decoded = result.decoded or merged > 1
                result.entries[f"?{len(result.entries)}"] = value
            continue
        mappings.put(result, interpreter.evaluate(key_node, frame), value)
    request_bodies.of_dict(interpreter, result, node, frame)
    return result


def _call(interpreter: "Interpreter", node: ast.Call, frame: Frame) -> Value:
    callee = interpreter.evaluate(node.func, frame)
    arguments = Arguments()
    for argument in node.args:
        value = interpreter.evaluate(argument, frame)
        if not isinstance(argument, ast.Starred):
            arguments.positional.append(value)
        elif isinstance(value, ListValue) and not value.open:
            arguments.positional.extend(containers.walk(value, frame.place(argument)))
        else:
            arguments.rest.append(value)
    for keyword in node.keywords:
        value = interpreter.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            arguments.keywords[keyword.arg] = value
        elif isinstance(value, DictValue):
            arguments.keywords.update(value.entries)
            if value.open:
                arguments.rest.append(Unknown("", frame.place(node)))
        else:
            arguments.rest.append(value)
    prompts.of_call(interpreter, callee, arguments, node, frame)
    request_bodies.of_call(interpreter, arguments, node, frame)
    return interpreter.call(callee, arguments, node, frame)


def _conditional(interpreter: "Interpreter", node: ast.IfExp, frame: Frame) -> Value:
    test = interpreter.evaluate(node.test, frame)
    known = truth(test)
    if known is not None:
        return interpreter.evaluate(node.body if known else node.orelse, frame)
    with control.controlling([test], node.test, frame):
        one = control.controlled(interpreter.evaluate(node.body, frame), frame)
        other = control.controlled(interpreter.evaluate(node.orelse, frame), frame)
    return either(one, other)


def _either(interpreter: "Interpreter", node: ast.BoolOp, frame: Frame) -> Value:
    """`a or b` may be each of them; `a and b` is the last, or false."""
    values = [interpreter.evaluate(value, frame) for value in node.values]
    if isinstance(node.op, ast.And):
        decisive = next((v for v in values if truth(v) is False), None)
        return decisive or values[-1]
    result: Value | None = None
    for value in values:
        if truth(value) is False:
            continue
        result = value if result is None else either(result, value)
        if truth(value):
            break
    return values[-1] if result is None else result


def _compare(interpreter: "Interpreter", node: ast.Compare, frame: Frame) -> Value:
    left = interpreter.evaluate(node.left, frame)
    right = [interpreter.evaluate(other, frame) for other in node.comparators]
    known = operators.compared(node.ops, left, right)
    if known is not None:
        return Constant(known)
    if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
        return Unknown("", frame.place(node))
    return Text(tuple(p for v in (left, *right) for p in control.deciding(v)), "bool")


def _subscript(interpreter: "Interpreter", node: ast.Subscript, frame: Frame) -> Value:
    value = interpreter.evaluate(node.value, frame)
    if isinstance(node.slice, ast.Slice):
        return operators.sliced(interpreter, value, node.slice, frame)
    index = interpreter.evaluate(node.slice, frame)
    return operators.subscript(interpreter, value, index, node, frame)


def _binary(interpreter: "Interpreter", node: ast.BinOp, frame: Frame) -> Value:
    left = interpreter.evaluate(node.left, frame)
    right = interpreter.evaluate(node.right, frame)
    return operators.binary(interpreter, node.op, left, right, node, frame)


def _unary(interpreter: "Interpreter", node: ast.UnaryOp, frame: Frame) -> Value:
    value = interpreter.evaluate(node.operand, frame)
    if isinstance(node.op, ast.Not):
        known = truth(value)
        return value if known is None else Constant(not known)
    if isinstance(value, Constant) and isinstance(value.value, int | float):
        return Constant(-value.value) if isinstance(node.op, ast.USub) else value
    return value


def _lambda(_interpreter: "Interpreter", node: ast.Lambda, frame: Frame) -> Value:
    return FunctionValue(node, frame.module, frame)


def _walrus(interpreter: "Interpreter", node: ast.NamedExpr, frame: Frame) -> Value:
    value = interpreter.evaluate(node.value, frame)
    frame.bind(node.target.id, value)
    return value


def _starred(interpreter: "Interpreter", node: ast.Starred, frame: Frame) -> Value:
    return interpreter.evaluate(node.value, frame)


def _await(interpreter: "Interpreter", node: ast.Await, frame: Frame) -> Value:
    with races.several(frame, yes=False):
        value = interpreter.evaluate(node.value, frame)
    races.suspend(frame)
    return value


def _yield(interpreter: "Interpreter", node: ast.Yield | ast.YieldFrom, frame: Frame) -> Value:
    target = frame.yields = frame.yields or ListValue([])
    value = interpreter.evaluate(node.value, frame) if node.value is not None else NONE
    items = [value]
    if isinstance(node, ast.YieldFrom):
        items = containers.elements(interpreter, value, node, frame)
    containers.add(interpreter, target, [control.controlled(i, frame) for i in items], frame)
    target.arrival = target.arrival or frame.arrival
    return Unknown("", frame.place(node))


HANDLERS: dict[type[ast.expr], Handler] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.Call: _call,
    ast.IfExp: _conditional,
    ast.BoolOp: _either,
    ast.Compare: _compare,
    ast.ListComp: comprehensions.of_items,
    ast.GeneratorExp: comprehensions.of_items,
    ast.SetComp: comprehensions.of_items,
    ast.DictComp: comprehensions.of_entries,
    ast.Subscript: _subscript,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.Starred: _starred,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
}
