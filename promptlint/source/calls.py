"""Calls: binding, inlining with memoised summaries, stages, and what follows from a name alone."""

import ast
from collections.abc import Sized
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from promptlint.location import Location
from promptlint.source import classes, externals, memos, methods, objects, races
from promptlint.source.alternatives import any_of
from promptlint.source.arguments import Arguments, bind
from promptlint.source.frames import Frame
from promptlint.source.pieces import Mark, Pieces, Stage, concatenate, frozen, through
from promptlint.source.values import (
    NONE,
    Choice,
    ClassValue,
    Constant,
    DictValue,
    External,
    FunctionValue,
    Imported,
    Instance,
    ListValue,
    Method,
    Partial,
    Text,
    Unknown,
    Value,
    births,
    mapped,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

DEEPEST_CALL = 8
CALL_SHARE = 0.6
SMALLEST_SHARE = 2_000
MOST_COMPARED = 10


class Activation(Struct):
    """One evaluation of a function. It stays pure while it changes nothing older than itself.

    `cut` says that a call below it was not followed because it was too deep.
    """

    node: ast.AST
    start: int
    pure: bool = True
    cut: bool = False


class Summary(Struct, frozen=True):
    """The result of a pure call. `holds` keeps the values alive that the key names by id.

    One that was cut is good for calls at `depth` or deeper, which would be cut as well.
    """

    result: Value
    depth: int
    holds: tuple[Value, ...]


def call(
    interpreter: "Interpreter", callee: Value, arguments: Arguments, node: ast.AST, frame: Frame
) -> Value:
    """The result of a call, by what is called."""
    match interpreter.resolve(callee):
        case FunctionValue() as function:
            named = externals.named_call(interpreter, function, arguments, node, frame)
            return named or _call_function(interpreter, function, arguments, node, frame)
        case ClassValue() as cls:
            return objects.construct(interpreter, cls, arguments, node, frame)
        case External(name=name):
            return externals.call(interpreter, name, arguments, node, frame)
        case Method(receiver=receiver, name=name):
            return methods.call(interpreter, receiver, name, arguments, node, frame)
        case Partial() as partial:
            return interpreter.call(partial.callee, _bound(partial, arguments), node, frame)
        case Choice(options=options):
            results = [call(interpreter, option, arguments, node, frame) for option in options]
            return any_of(results)
        case Instance() as instance:
            return _call_instance(interpreter, instance, arguments, node, frame)
        case Text() as text:
            return text  # what an element of something unordered says of itself
        case Unknown() as unknown:
            return methods.of_unknown(interpreter, unknown, arguments, node, frame)
        case _:
            return Unknown("()", frame.place(node), called=True)


def _bound(partial: Partial, arguments: Arguments) -> Arguments:
    return Arguments(
        [*partial.positional, *arguments.positional],
        {**dict(partial.keywords), **arguments.keywords},
        arguments.rest,
    )


def _call_instance(
    interpreter: "Interpreter",
    instance: Instance,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    method = objects.member(interpreter, instance, "__call__", node, frame)
    if isinstance(method, FunctionValue):
        return call(interpreter, method, arguments, node, frame)
    return Unknown(f"{instance.cls.name}()", frame.place(node), called=True)


def _call_function(
    interpreter: "Interpreter",
    function: FunctionValue,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    place = frame.place(node)
    name = f"{function.name}()"
    if frame.depth >= DEEPEST_CALL or interpreter.budget < 0:
        for activation in interpreter.active:
            activation.cut = True
        return Unknown(name, place, called=True)
    if interpreter.is_active(function):
        return Unknown(name, place, called=True)
    applied = classes.decorators(function)
    kept = memos.is_memoised(function, arguments)
    stage = min(frame.stage, Stage.MEMO) if kept else frame.stage
    if function.receiver is not None and "staticmethod" not in applied:
        receiver = function.receiver
        if "classmethod" in applied and isinstance(receiver, Instance):
            receiver = receiver.cls
        arguments = replace(arguments, positional=[receiver, *arguments.positional])
    key = _key(function, arguments, stage, frame)
    summary = interpreter.memo.get(key)
    if summary is None or frame.depth < summary.depth:
        result, activation = _evaluate(interpreter, function, arguments, stage, frame, place)
        if activation.pure:
            depth = frame.depth if activation.cut else 0
            interpreter.memo[key] = Summary(result, depth, tuple(arguments.all()))
    else:
        result = summary.result
    return mapped(result, lambda pieces: through(frozen(pieces, stage), place))


def _evaluate(
    interpreter: "Interpreter",
    function: FunctionValue,
    arguments: Arguments,
    stage: Stage,
    caller: Frame,
    place: Location | None,
) -> tuple[Value, Activation]:
    """Run a function's body."""
    activation = Activation(function.node, next(births))
    interpreter.active.append(activation)
    frame = Frame(
        function.module, function.scope, function, caller, place, stage, depth=caller.depth + 1
    )
    frame.user_turn = caller.user_turn
    frame.race = races.of_call(function, caller)
    _bind_parameters(interpreter, frame, function, arguments)
    budget = interpreter.budget
    interpreter.budget = share = max(int(budget * CALL_SHARE), min(budget, SMALLEST_SHARE))
    result = run_body(interpreter, function, frame)
    activation.cut = activation.cut or interpreter.budget < 0
    interpreter.budget += budget - share
    interpreter.active.pop()
    return result, activation


def run_body(interpreter: "Interpreter", function: FunctionValue, frame: Frame) -> Value:
    """The value a function returns in a frame whose parameters are bound."""
    if isinstance(function.node, ast.Lambda):
        return interpreter.evaluate(function.node.body, frame)
    interpreter.execute(function.node.body, frame)
    if frame.yields is not None:
        return frame.yields
    result: Value = any_of(frame.returns) if frame.returns else NONE
    mark = Mark(mark_of(function))
    return mapped(result, lambda pieces: _marked(pieces, mark), 2)


def mark_of(function: FunctionValue) -> str:
    """The name under which a function's result is recognised elsewhere."""
    return f"{function.module.shown}:{getattr(function.node, 'lineno', 0)}"


def _marked(pieces: Pieces, mark: Mark) -> Pieces:
    return pieces if mark in pieces else concatenate(((mark,), pieces))


def _bind_parameters(
    interpreter: "Interpreter", frame: Frame, function: FunctionValue, arguments: Arguments
) -> None:
    binding = bind(function.node.args, arguments)
    frame.names.update(binding.names)
    frame.parameters = frozenset(binding.names)
    definition = replace_stage(function.scope, Stage.IMPORT)
    for parameter in binding.missing:
        default = binding.defaults.get(parameter.arg)
        if default is not None and not arguments.rest:
            frame.names[parameter.arg] = interpreter.evaluate(default, definition)
        else:
            frame.names[parameter.arg] = objects.parameter(interpreter, parameter, function)


def replace_stage(frame: Frame, stage: Stage) -> Frame:
    """A frame that sees the names of `frame` and evaluates at `stage`."""
    return Frame(frame.module, frame, frame.function, stage=min(stage, frame.stage))


def root_frame(
    interpreter: "Interpreter",
    function: FunctionValue,
    receiver: Value | None = None,
    stage: Stage = Stage.CALL,
) -> Frame:
    """A frame in which a function is evaluated with no caller: its parameters are unknown."""
    applied = classes.decorators(function)
    if memos.is_memoised(function):
        stage = min(stage, Stage.MEMO)
    frame = Frame(function.module, function.scope, function, stage=stage)
    signature = function.node.args
    parameters = [*signature.posonlyargs, *signature.args, *signature.kwonlyargs]
    if function.owner is not None and "staticmethod" not in applied and parameters:
        first, *parameters = parameters
        own: Value = receiver or Instance(function.owner, Stage.OBJECT, pending={"__init__"})
        frame.names[first.arg] = function.owner if "classmethod" in applied else own
    for parameter in parameters:
        frame.names[parameter.arg] = objects.parameter(interpreter, parameter, function)
    for surplus in (signature.vararg, signature.kwarg):
        if surplus is not None:
            frame.names[surplus.arg] = Unknown(surplus.arg)
    turn = interpreter.tables.names["turn"]
    frame.user_turn = any(turn.search(parameter.arg) for parameter in parameters)
    return frame


def _key(function: FunctionValue, arguments: Arguments, stage: Stage, frame: Frame) -> object:
    """What the result of a pure call depends on."""
    parts: list[object] = [id(function.node), id(function.scope), stage, frame.user_turn]
    for name, value in (
        *enumerate(arguments.positional),
        *arguments.keywords.items(),
        *((None, value) for value in arguments.rest),
    ):
        parts.append((name, _fingerprint(value, 3)))
    return tuple(parts)


_PLAIN = frozenset({Text, Constant, External, Unknown, Imported})
"""What is the same if it is equal."""


def _held(value: ListValue | DictValue) -> Sized:
    return value.items if isinstance(value, ListValue) else value.entries


def _fingerprint(value: Value, depth: int) -> object:
    """What a summary may depend on in a value: all of it, objects too, down to some depth."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    large = isinstance(value, ListValue | DictValue) and len(_held(value)) > MOST_COMPARED
    if depth <= 0 or large:
        return (kind, id(value), getattr(value, "version", 0))
    match value:
        case ListValue(items=items, order=order, arrival=arrival):
            came = arrival and arrival.order
            known = (order, came, value.open, value.grows)
            return (*known, *(_fingerprint(item, depth - 1) for item in items))
        case Choice(options=options):
            return tuple(_fingerprint(option, depth) for option in options)
        case DictValue(entries=entries):
            came = value.arrival and value.arrival.order
            held = (*entries.items(), *value.keys.items())
            return (came, *((k, _fingerprint(item, depth - 1)) for k, item in held))
        case Instance(cls=cls, fields=fields):
            state = tuple((k, _fingerprint(item, depth - 1)) for k, item in fields.items())
            return (id(cls), value.stage, tuple(sorted(value.pending)), state)
        case FunctionValue(receiver=receiver):
            own = None if receiver is None else _fingerprint(receiver, depth - 1)
            return (id(value.node), id(value.scope), value.memoised, own)
        case _:
            return (type(value), id(value))
