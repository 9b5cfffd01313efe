"""Objects of the tree: attributes, properties, construction, fields of dataclasses and models."""

import ast
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import CauseKind
from promptlint.source import annotations, classes, times
from promptlint.source.alternatives import any_of
from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Stage, Volatile
from promptlint.source.values import (
    NONE,
    Choice,
    ClassValue,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Method,
    ModuleValue,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

SUPER = "<super>"
DEEPEST_FIELD = 4
PROPERTIES = frozenset({"property", "cached_property", "computed_field", "hybrid_property"})
PATH_PARTS = frozenset({"name", "stem", "parent", "parents", "suffix", "parts", "path", "drive"})
OUTPUTS = frozenset({"stdout", "stderr", "output", "text", "hex", "returncode"})


def attribute(
    interpreter: "Interpreter", value: Value, name: str, node: ast.AST, frame: Frame
) -> Value:
    """The value of `value.name`."""
    match interpreter.resolve(value):
        case ModuleValue(path=path):
            return interpreter.member(path, name)
        case External() | Unknown() as outside:
            return _of_outside(outside, name, node, frame)
        case Text() as content:
            return _of_text(content, name)
        case DictValue() | ListValue() as container:
            own = container.entries.get(name) if isinstance(container, DictValue) else None
            return own or Method(container, name)
        case Instance() as instance:
            return member(interpreter, instance, name, node, frame)
        case ClassValue() as cls:
            return _of_class(interpreter, cls, name, node, frame)
        case Choice(options=options):
            return _of_choice(interpreter, options, name, node, frame)
        case Method(receiver=Instance() as instance, name=method) if method == SUPER:
            return _of_super(interpreter, instance, name, node, frame)
        case _:
            return Unknown(name, frame.place(node))


def _of_outside(value: External | Unknown, name: str, node: ast.AST, frame: Frame) -> Value:
    written = f"{value.name}.{name}" if value.name else name
    if isinstance(value, External):
        return External(written)
    return Unknown(written, frame.place(node), value.user)


def _of_class(
    interpreter: "Interpreter", cls: ClassValue, name: str, node: ast.AST, frame: Frame
) -> Value:
    found = classes.find(interpreter, cls, name)
    if isinstance(found, FunctionValue) and "classmethod" in classes.decorators(found):
        return replace_receiver(found, cls)
    return Unknown(f"{cls.name}.{name}", frame.place(node)) if found is None else found


def _of_text(value: Text, name: str) -> Value:
    if value.form in times.FORMS and (found := times.attribute(value, name)) is not None:
        return found
    if value.form == "path" and name in PATH_PARTS:
        return value
    if name in OUTPUTS or (_is_found(value) and not hasattr(str, name)):
        return Text(value.pieces)
    return Method(value, name)


def _is_found(value: Text) -> bool:
    """Whether a value was retrieved or is an element of something unordered: so are its parts."""
    return any(
        isinstance(piece, Volatile) and (piece.order or piece.kind is CauseKind.QUERY)
        for piece in value.pieces
    )


def _of_choice(
    interpreter: "Interpreter",
    options: tuple[Value, ...],
    name: str,
    node: ast.AST,
    frame: Frame,
) -> Value:
    return any_of(attribute(interpreter, option, name, node, frame) for option in options)


def _of_super(
    interpreter: "Interpreter", instance: Instance, name: str, node: ast.AST, frame: Frame
) -> Value:
    owner = frame.function.owner if frame.function is not None else None
    for base in classes.bases(interpreter, owner) if owner is not None else ():
        found = classes.find(interpreter, base, name)
        if isinstance(found, FunctionValue):
            return replace_receiver(found, instance)
    return Unknown(f"super().{name}", frame.place(node))


def replace_receiver(function: FunctionValue, receiver: Value) -> FunctionValue:
    """A function bound to an object or a class."""
    return replace(function, receiver=receiver)


def member(
    interpreter: "Interpreter", instance: Instance, name: str, node: ast.AST, frame: Frame
) -> Value:
    """An attribute of an object: a field, a property, a method, a default of its class."""
    if name in instance.fields and instance.fields[name] != NONE:
        return classes.counted(interpreter, name, _held(instance.fields[name]), node, frame)
    found = classes.find(interpreter, instance.cls, name)
    if isinstance(found, FunctionValue):
        return _method(interpreter, instance, found, node, frame)
    if "__init__" in instance.pending:
        instance.pending.discard("__init__")
        classes.initialise(interpreter, instance, None, node, frame)
    if name in instance.fields and instance.fields[name] != NONE:
        return classes.counted(interpreter, name, _held(instance.fields[name]), node, frame)
    if name in instance.pending or interpreter.nesting >= DEEPEST_FIELD:
        return Unknown(name, frame.place(node))
    instance.pending.add(name)
    interpreter.nesting += 1
    value = _default(interpreter, instance, name, found, node, frame)
    interpreter.nesting -= 1
    instance.pending.discard(name)
    if not isinstance(value, Unknown):
        instance.fields[name] = value
    return classes.counted(interpreter, name, value, node, frame)


def _held(value: Value) -> Value:
    """What an object holds: other methods may add to its lists."""
    if isinstance(value, ListValue):
        value.grows = True
    return value


def _method(
    interpreter: "Interpreter",
    instance: Instance,
    function: FunctionValue,
    node: ast.AST,
    frame: Frame,
) -> Value:
    applied = classes.decorators(function)
    if classes.is_abstract(function):
        overriding = classes.overrides(interpreter, instance, function.node, frame)
        if overriding:
            return overriding[0] if len(overriding) == 1 else Choice(tuple(overriding))
        return Unknown(function.name, frame.place(node))
    bound = replace_receiver(function, instance)
    if applied & PROPERTIES:
        return interpreter.call(bound, Arguments(), node, frame)
    return bound


def _default(
    interpreter: "Interpreter",
    instance: Instance,
    name: str,
    found: Value | None,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """What a field holds that no constructor set."""
    if found is not None and found != NONE:
        return classes.field_default(interpreter, found, instance.stage, node, frame)
    assigned = classes.assigned_elsewhere(interpreter, instance, name)
    if assigned is not None:
        return assigned
    annotation = classes.annotation(interpreter, instance.cls, name)
    if annotation is not None:
        owner, node_ = annotation
        return annotations.value(interpreter, node_, name, owner.scope)
    if found == NONE or instance.fields.get(name) == NONE:
        return NONE
    return Unknown(name, frame.place(node))


def construct(
    interpreter: "Interpreter",
    cls: ClassValue,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> Value:
    """A new object of a class of the tree."""
    if classes.is_mapping(interpreter, cls):
        return DictValue(dict(arguments.keywords), frame.place(node))
    instance = Instance(cls, frame.stage)
    classes.initialise(interpreter, instance, arguments, node, frame)
    return instance


def parameter(interpreter: "Interpreter", argument: ast.arg, function: FunctionValue) -> Value:
    """The value of a parameter nobody passed: what its annotation says, else its name."""
    place = function.module.place(argument)
    user = bool(interpreter.tables.names["user"].search(argument.arg))
    unknown = Unknown(argument.arg, place, user)
    if argument.annotation is None or user:
        return unknown
    value = annotations.value(interpreter, argument.annotation, argument.arg, function.scope)
    return unknown if isinstance(value, Unknown) else value


def decorate(interpreter: "Interpreter", function: FunctionValue, frame: Frame) -> None:
    """Apply decorators of the tree for what they register; the function itself stays."""
    if isinstance(function.node, ast.Lambda) or frame.stage is not Stage.IMPORT:
        return
    for decorator in function.node.decorator_list:
        if not _is_of_tree(decorator, frame):
            continue
        applied = interpreter.evaluate(decorator, frame)
        if isinstance(applied, FunctionValue):
            interpreter.call(applied, Arguments([function]), decorator, frame)


def _is_of_tree(decorator: ast.expr, frame: Frame) -> bool:
    root = decorator
    while isinstance(root, ast.Call | ast.Attribute):
        root = root.func if isinstance(root, ast.Call) else root.value
    value = frame.lookup(root.id) if isinstance(root, ast.Name) else None
    return value is not None and not isinstance(value, External | Unknown)
