"""Statements: both branches are taken, loops run once, names are merged behind them."""

import ast
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from promptlint.source import (
    annotations,
    arrivals,
    assignments,
    collection_methods,
    containers,
    control,
    imports,
    lifetimes,
    objects,
    prompts,
    races,
    turns,
)
from promptlint.source.effects import has_effects
from promptlint.source.frames import Frame, merged
from promptlint.source.names import dotted
from promptlint.source.operators import binary
from promptlint.source.pieces import Stage
from promptlint.source.values import (
    NONE,
    ClassValue,
    Constant,
    DictValue,
    FunctionValue,
    ListValue,
    Unknown,
    Value,
    truth,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

MOST_UNROLLED = 40
_LOGGING = re.compile(
    r"(self\.)?_?(log|logger|logging|LOG|LOGGER|print|warnings|console|sys\.std\w+)\b"
)
Handler: TypeAlias = Callable[..., bool]


def execute(interpreter: "Interpreter", body: Sequence[ast.stmt], frame: Frame) -> bool:
    """Run statements. True if control never reaches what follows them."""
    stage = frame.stage
    ends = _execute(interpreter, body, frame)
    frame.stage = stage
    return ends


def _execute(interpreter: "Interpreter", body: Sequence[ast.stmt], frame: Frame) -> bool:
    """Run statements; behind the early return of a stored value the stage is that of the store."""
    for at, statement in enumerate(body):
        interpreter.budget -= 1
        if interpreter.budget < 0:
            return False
        handler = HANDLERS.get(type(statement))
        if handler is not None and handler(interpreter, statement, frame):
            return True
        if isinstance(statement, ast.If) and lifetimes.returns_stored(statement, body[at + 1 :]):
            frame.stage = min(frame.stage, Stage.MEMO)
    return False


def _expression(interpreter: "Interpreter", node: ast.Expr, frame: Frame) -> bool:
    """A call whose result nobody uses matters only for what it changes."""
    call = node.value.value if isinstance(node.value, ast.Await) else node.value
    if isinstance(call, ast.Constant) or (_LOGGING.match(dotted(call)) and not _has_file(call)):
        return False
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name | ast.Attribute):
        callee = interpreter.evaluate(call.func, frame)
        if isinstance(callee, FunctionValue) and not has_effects(callee.node):
            return False
    interpreter.evaluate(node.value, frame)
    return False


def _has_file(node: ast.expr) -> bool:
    """Whether `print` is told where to print: a buffer may be a prompt."""
    return isinstance(node, ast.Call) and any(keyword.arg == "file" for keyword in node.keywords)


def _assign(interpreter: "Interpreter", node: ast.Assign, frame: Frame) -> bool:
    value = control.controlled(interpreter.evaluate(node.value, frame), frame)
    for target in node.targets:
        assignments.assign(interpreter, target, value, frame)
        if isinstance(target, ast.Name):
            prompts.of_constant(interpreter, target, value, frame)
    return False


def _annotated(interpreter: "Interpreter", node: ast.AnnAssign, frame: Frame) -> bool:
    if node.value is not None:
        value = control.controlled(interpreter.evaluate(node.value, frame), frame)
        if isinstance(value, Unknown) and not value.user:
            typed = annotations.value(interpreter, node.annotation, value.name, frame)
            value = value if isinstance(typed, Unknown) else typed
        assignments.assign(interpreter, node.target, value, frame)
        if isinstance(node.target, ast.Name):
            prompts.of_constant(interpreter, node.target, value, frame)
    return False


def _augmented(interpreter: "Interpreter", node: ast.AugAssign, frame: Frame) -> bool:
    old = interpreter.evaluate(node.target, frame)
    value = interpreter.evaluate(node.value, frame)
    if isinstance(old, Unknown) and old.counted:
        return False
    if isinstance(node.target, ast.Attribute) and isinstance(value, Constant):
        return False
    if isinstance(node.op, ast.Add) and isinstance(old, ListValue):
        items = containers.elements(interpreter, value, node, frame)
        containers.add(interpreter, old, [control.controlled(i, frame) for i in items], frame)
        arrivals.received(old, frame, arrivals.arrival_of(value, frame.place(node)))
        return False
    if isinstance(node.op, ast.BitOr) and isinstance(old, ListValue | DictValue):
        collection_methods.update(interpreter, old, value, node, frame)
        return False
    if isinstance(value, Constant) and isinstance(old, Constant | Unknown):
        name = old.name if isinstance(old, Unknown) else "number"
        result: Value = Unknown(name, frame.place(node))
    else:
        value = control.controlled(value, frame)
        result = binary(interpreter, node.op, old, value, node, frame)
    assignments.assign(interpreter, node.target, result, frame)
    return False


def _if(interpreter: "Interpreter", node: ast.If, frame: Frame) -> bool:
    test = interpreter.evaluate(node.test, frame)
    known = truth(test)
    guarded = lifetimes.guards_stored(node)
    if known is not None and not guarded:
        return interpreter.execute(node.body if known else node.orelse, frame)
    with control.controlling([test], node.test, frame):
        stage = frame.stage
        if guarded:
            frame.stage = min(stage, Stage.MEMO)
        before = dict(frame.names)
        ends = interpreter.execute(node.body, frame)
        after, frame.names = frame.names, before
        frame.stage = stage
        other_ends = interpreter.execute(node.orelse, frame)
    if ends and not other_ends:
        return False
    frame.names = after if other_ends and not ends else merged(after, frame.names)
    return ends and other_ends


def _for(interpreter: "Interpreter", node: ast.For | ast.AsyncFor, frame: Frame) -> bool:
    source = interpreter.evaluate(node.iter, frame)
    elements = containers.elements(interpreter, source, node.iter, frame)
    before = dict(frame.names)
    with (
        lifetimes.looping(node, frame),
        turns.rounds(interpreter, node, frame),
        arrivals.walking(source, node.iter, frame),
        races.several(frame, yes=isinstance(node, ast.For)),
    ):
        for element in elements[:MOST_UNROLLED]:
            met = turns.counted(source, element, frame)
            assignments.assign(interpreter, node.target, met, frame)
            interpreter.execute(node.body, frame)
    frame.names = merged(frame.names, before)
    interpreter.execute(node.orelse, frame)
    return False


def _while(interpreter: "Interpreter", node: ast.While, frame: Frame) -> bool:
    before = dict(frame.names)
    with (
        lifetimes.looping(node, frame),
        turns.rounds(interpreter, node, frame),
        races.several(frame, yes=False),
    ):
        test = interpreter.evaluate(node.test, frame)
        interpreter.execute(node.body, frame)
    frame.names = merged(frame.names, before)
    interpreter.execute(node.orelse, frame)
    return truth(test) is True and not any(isinstance(n, ast.Break) for n in ast.walk(node))


def _with(interpreter: "Interpreter", node: ast.With | ast.AsyncWith, frame: Frame) -> bool:
    for item in node.items:
        value = interpreter.evaluate(item.context_expr, frame)
        if isinstance(value, ListValue) and len(value.items) == 1:
            value = value.items[0]
        if item.optional_vars is not None:
            assignments.assign(interpreter, item.optional_vars, value, frame)
    if isinstance(node, ast.AsyncWith):
        races.suspend(frame)
    return _execute(interpreter, node.body, frame)


def _try(interpreter: "Interpreter", node: ast.Try | ast.TryStar, frame: Frame) -> bool:
    before = dict(frame.names)
    ends = interpreter.execute(node.body, frame) or interpreter.execute(node.orelse, frame)
    after = frame.names
    reached = [] if ends else [after]
    for handler in node.handlers:
        frame.names = merged(before, after)
        if not interpreter.execute(handler.body, frame):
            reached.append(frame.names)
    frame.names = after
    if reached:
        frame.names = reached[0]
        for names in reached[1:]:
            frame.names = merged(frame.names, names)
    return interpreter.execute(node.finalbody, frame) or not reached


def _match(interpreter: "Interpreter", node: ast.Match, frame: Frame) -> bool:
    subject = interpreter.evaluate(node.subject, frame)
    before = dict(frame.names)
    reached: list[dict[str, Value]] = []
    exhaustive = False
    for case in node.cases:
        frame.names = dict(before)
        for name in (n.name for n in ast.walk(case.pattern) if isinstance(n, ast.MatchAs)):
            if name is not None:
                frame.names[name] = subject
        exhaustive = exhaustive or (
            isinstance(case.pattern, ast.MatchAs)
            and case.pattern.pattern is None
            and case.guard is None
        )
        if not interpreter.execute(case.body, frame):
            reached.append(frame.names)
    if not exhaustive:
        reached.append(before)
    frame.names = reached[0] if reached else before
    for names in reached[1:]:
        frame.names = merged(frame.names, names)
    return not reached


def _return(interpreter: "Interpreter", node: ast.Return, frame: Frame) -> bool:
    value = interpreter.evaluate(node.value, frame) if node.value is not None else NONE
    frame.returns.append(control.controlled(value, frame))
    return True


def _end(interpreter: "Interpreter", node: ast.stmt, frame: Frame) -> bool:
    if isinstance(node, ast.Raise) and node.exc is not None:
        interpreter.evaluate(node.exc, frame)
    return True


def _function(
    interpreter: "Interpreter", node: ast.FunctionDef | ast.AsyncFunctionDef, frame: Frame
) -> bool:
    function = FunctionValue(node, frame.module, frame)
    frame.bind(node.name, function)
    objects.decorate(interpreter, function, frame)
    return False


def _class(interpreter: "Interpreter", node: ast.ClassDef, frame: Frame) -> bool:
    cls = ClassValue(node, frame.module, frame)
    frame.bind(node.name, cls)
    interpreter.register(cls)
    return False


def _scope(_interpreter: "Interpreter", node: ast.Global | ast.Nonlocal, frame: Frame) -> bool:
    frame.outer_names.update(node.names)
    return False


HANDLERS: dict[type[ast.stmt], Handler] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.Match: _match,
    ast.Return: _return,
    ast.Raise: _end,
    ast.Break: _end,
    ast.Continue: _end,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Global: _scope,
    ast.Nonlocal: _scope,
    ast.Import: imports.module,
    ast.ImportFrom: imports.names,
}
