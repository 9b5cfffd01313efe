"""Classes of the tree: members, bases, constructors, and what their methods do to fields."""

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from promptlint.source.arguments import Arguments
from promptlint.source.frames import Frame
from promptlint.source.pieces import Stage, counter
from promptlint.source.values import (
    NONE,
    ClassValue,
    Constant,
    DictValue,
    FunctionValue,
    Instance,
    Text,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

FIELD = "?field"
_COUNTED_UP = re.compile(r"\.(\w+)\s*[+-]=\s*[\w(]|\.(\w+)\s*=\s*[\w.]+\.\2\s*[+-]\s*\w")
MOST_OVERRIDES = 4


def members(interpreter: "Interpreter", cls: ClassValue) -> dict[str, Value]:
    """The names of a class's body; its functions see the scope around the class."""
    if cls.members is None:
        cls.members = {}
        frame = Frame(cls.module, cls.scope, stage=Stage.IMPORT)
        with interpreter.spending(5_000):
            interpreter.execute(cls.node.body, frame)
        for name, value in frame.names.items():
            if isinstance(value, FunctionValue) and value.scope is frame:
                frame.names[name] = FunctionValue(value.node, value.module, cls.scope, cls)
        cls.members = frame.names
    return cls.members


def bases(interpreter: "Interpreter", cls: ClassValue) -> list[ClassValue]:
    """The base classes that belong to the tree."""
    found: list[ClassValue] = []
    for node in cls.node.bases:
        target = node.value if isinstance(node, ast.Subscript) else node
        if isinstance(target, ast.Name | ast.Attribute):
            value = interpreter.evaluate(target, cls.scope)
            if isinstance(value, ClassValue) and value is not cls:
                found.append(value)
    return found


def lineage(interpreter: "Interpreter", cls: ClassValue, depth: int = 6) -> list[ClassValue]:
    """A class and its bases, nearest first."""
    if cls.lineage is not None:
        return cls.lineage
    found = [cls]
    if depth:
        for base in bases(interpreter, cls):
            found.extend(c for c in lineage(interpreter, base, depth - 1) if c not in found)
        cls.lineage = found
    return found


def find(interpreter: "Interpreter", cls: ClassValue, name: str) -> Value | None:
    """A member of a class or of its bases."""
    own = members(interpreter, cls)
    if name in own:
        return interpreter.resolve(own[name])
    for other in lineage(interpreter, cls)[1:]:
        inherited = members(interpreter, other)
        if name in inherited:
            return interpreter.resolve(inherited[name])
    return None


def decorators(function: FunctionValue) -> set[str]:
    """The last names of a function's decorators."""
    if isinstance(function.node, ast.Lambda):
        return set()
    names: set[str] = set()
    for decorator in function.node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Attribute):
            names.add(target.attr)
        elif isinstance(target, ast.Name):
            names.add(target.id)
    return names


def is_abstract(function: FunctionValue) -> bool:
    """Whether a method says nothing: `...`, `pass` or NotImplementedError."""
    if isinstance(function.node, ast.Lambda):
        return False
    return all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        or (isinstance(statement, ast.Raise) and "NotImplemented" in ast.unparse(statement))
        for statement in function.node.body
    )


def overrides(
    interpreter: "Interpreter", instance: Instance, node: ast.AST, _frame: Frame
) -> list[Value]:
    """The methods of known subclasses that stand for an abstract one."""
    name = getattr(node, "name", "")
    found: list[Value] = []
    for cls in interpreter.classes.get(instance.cls.name, [])[:MOST_OVERRIDES]:
        value = members(interpreter, cls).get(name)
        if isinstance(value, FunctionValue) and not is_abstract(value):
            receiver = Instance(cls, instance.stage, pending={"__init__"})
            found.append(
                FunctionValue(value.node, value.module, value.scope, value.owner, receiver)
            )
    return found


def is_mapping(interpreter: "Interpreter", cls: ClassValue) -> bool:
    """Whether a class is a TypedDict."""
    return any(
        "TypedDict" in ast.unparse(base)
        for other in lineage(interpreter, cls)
        for base in other.node.bases
    )


def initialise(
    interpreter: "Interpreter",
    instance: Instance,
    arguments: Arguments | None,
    node: ast.AST,
    frame: Frame,
) -> None:
    """Run a constructor; without arguments its parameters are unknown and it ran earlier."""
    from promptlint.source import calls

    init = find(interpreter, instance.cls, "__init__")
    if isinstance(init, FunctionValue):
        if arguments is None:
            inner = calls.root_frame(interpreter, init, instance, Stage.OBJECT)
            if not interpreter.is_active(init):
                interpreter.active.append(calls.Activation(init.node, 0))
                calls.run_body(interpreter, init, inner)
                interpreter.active.pop()
        else:
            bound = FunctionValue(init.node, init.module, init.scope, init.owner, instance)
            interpreter.call(bound, arguments, node, frame)
        return
    _fill(interpreter, instance, arguments or Arguments(), node, frame)
    after = find(interpreter, instance.cls, "__post_init__")
    if isinstance(after, FunctionValue) and arguments is not None:
        bound = FunctionValue(after.node, after.module, after.scope, after.owner, instance)
        interpreter.call(bound, Arguments(), node, frame)


def _fill(
    interpreter: "Interpreter",
    instance: Instance,
    arguments: Arguments,
    node: ast.AST,
    frame: Frame,
) -> None:
    """Fields of dataclasses and models: arguments first, then what factories make now."""
    names = field_names(interpreter, instance.cls)
    instance.fields.update(zip(names, arguments.positional, strict=False))
    instance.fields.update(arguments.keywords)
    for name in names:
        if name not in instance.fields:
            default = find(interpreter, instance.cls, name)
            if isinstance(default, DictValue) and FIELD in default.entries:
                instance.fields[name] = field_default(
                    interpreter, default, instance.stage, node, frame
                )


def field_names(interpreter: "Interpreter", cls: ClassValue) -> list[str]:
    """The annotated fields of a class, its bases' first."""
    if cls.fields is None:
        cls.fields = list(
            dict.fromkeys(
                name
                for other in reversed(lineage(interpreter, cls))
                for name, node in _annotations(other).items()
                if "ClassVar" not in ast.unparse(node)
            )
        )
    return cls.fields


def _annotations(cls: ClassValue) -> dict[str, ast.expr]:
    """The annotations in a class's own body, the first of each name."""
    if cls.annotations is None:
        cls.annotations = {}
        for statement in cls.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                cls.annotations.setdefault(statement.target.id, statement.annotation)
    return cls.annotations


def field_default(
    interpreter: "Interpreter", value: Value, stage: Stage, node: ast.AST, frame: Frame
) -> Value:
    """The default of a field; a factory is called where the object is made."""
    if not (isinstance(value, DictValue) and FIELD in value.entries):
        return value
    factory = value.entries.get("default_factory") or value.entries.get("factory")
    if factory is not None:
        made = Frame(frame.module, frame.scope, stage=stage, depth=frame.depth)
        return interpreter.call(factory, Arguments(), node, made)
    default = value.entries.get("default")
    return Unknown("", frame.place(node)) if default is None else default


def annotation(
    interpreter: "Interpreter", cls: ClassValue, name: str
) -> tuple[ClassValue, ast.expr] | None:
    """The annotation of a field, with the class that gives it."""
    for other in lineage(interpreter, cls):
        if name in _annotations(other):
            return other, _annotations(other)[name]
    return None


def assigned_elsewhere(interpreter: "Interpreter", instance: Instance, name: str) -> Value | None:
    """What another method stores in a field: it lives as long as the object."""
    from promptlint.source import calls

    for cls in lineage(interpreter, instance.cls):
        for function, value in _assignments(interpreter, cls).get(name, ()):
            frame = calls.root_frame(interpreter, function, instance, Stage.OBJECT)
            result = interpreter.evaluate(value, frame)
            if result != NONE and not isinstance(result, Unknown):
                return result
    return None


def _assignments(
    interpreter: "Interpreter", cls: ClassValue
) -> dict[str, list[tuple[FunctionValue, ast.expr]]]:
    """What the methods of a class assign to fields, constructors aside."""
    if cls.assignments is None:
        cls.assignments = {}
        for function in list(members(interpreter, cls).values()):
            if isinstance(function, FunctionValue) and function.owner is cls:
                if getattr(function.node, "name", "") == "__init__":
                    continue
                for name, value in _stores(function.node):
                    cls.assignments.setdefault(name, []).append((function, value))
    return cls.assignments


def _stores(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    targets: list[ast.expr]
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                continue
        for assigned in targets:
            match assigned:
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    yield name, value
                case _:
                    pass


def incremented_attributes(source: str) -> set[str]:
    """Attributes that some code counts up, found in its text: a walk of every file is dear."""
    return {one or two for one, two in _COUNTED_UP.findall(source)}


def counted(
    interpreter: "Interpreter", name: str, value: Value, node: ast.AST, frame: Frame
) -> Value:
    """A number that other code counts up is a counter where it is read."""
    if (
        not isinstance(value, Constant)
        or isinstance(value.value, bool)
        or not isinstance(value.value, int | float)
        or name not in interpreter.incremented
    ):
        return value
    return Text((counter(name, frame.place(node), frame.stage),), "number")
