"""Tools that are handed over in an order that nothing settles, and what to sort them by."""

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from promptlint.layout import CauseKind, Confidence, Part, Source
from promptlint.source import arrivals, classes, conversations
from promptlint.source.conversations import Entry
from promptlint.source.frames import Frame
from promptlint.source.pieces import Piece, Volatile
from promptlint.source.reading import FactKind, SourceFact
from promptlint.source.values import (
    Choice,
    Constant,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    Text,
    Value,
)

if TYPE_CHECKING:
    from promptlint.source.interpreter import Interpreter

_SORTABLE = (ast.Name, ast.Attribute, ast.Call, ast.List, ast.Set, ast.ListComp, ast.BinOp)


def entries(
    interpreter: "Interpreter", value: Value, written: ast.expr, node: ast.AST, frame: Frame
) -> Iterator[Entry]:
    """Tool definitions, and the order in which they come. `written` is the expression given."""
    yield from conversations.tools(interpreter, value, node, frame)
    value = interpreter.resolve(value)
    arrival = arrivals.arrival_of(value, frame.place(written))
    if arrival is None or not isinstance(value, ListValue):
        return
    order = replace(arrival.order, source=Source.TOOLS, section="", text="")
    yield Entry(Part.TOOLS, "tools", (order,))
    if order.place is None or (arrival.texts and order.kind is CauseKind.SET_ORDER):
        return  # texts can be sorted where their set is walked
    fixable = written is not node and _may_be_sorted(written, frame)
    name = _common_name(interpreter, value) if fixable else ""
    place = frame.place(written)
    fact = SourceFact(FactKind.UNSORTED_TOOLS, place, name, (order.place,), Confidence.HIGH)
    interpreter.fact(fact)


def written(node: ast.Call | ast.Dict, name: str) -> ast.expr:
    """The expression that is given by this name; the whole where it stands elsewhere."""
    if isinstance(node, ast.Call):
        return next((k.value for k in node.keywords if k.arg == name), node)
    pairs = zip(node.keys, node.values, strict=True)
    return next(
        (value for key, value in pairs if isinstance(key, ast.Constant) and key.value == name),
        node,
    )


def _may_be_sorted(written: ast.expr, frame: Frame) -> bool:
    """Whether `sorted(...)` may stand around an expression: it is a list here, and never None.

    What a function is given, its callers know better.
    """
    if not isinstance(written, _SORTABLE):
        return False
    if not isinstance(written, ast.Name):
        return True
    function = frame.function
    if function is None or written.id not in frame.parameters:
        return function is None or not _may_be_none(function.node, written.id)
    return False


def _may_be_none(function: ast.AST, name: str) -> bool:
    """Whether some statement of a function sets a name to None."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(value=value, targets=targets) if any(
                isinstance(target, ast.Name) and target.id == name for target in targets
            ):
                pass
            case ast.AnnAssign(value=value, target=ast.Name(id=found)) if found == name:
                pass
            case _:
                continue
        if value is not None and any(
            isinstance(inner, ast.Constant) and inner.value is None for inner in _results(value)
        ):
            return True
    return False


def _results(value: ast.expr) -> Iterator[ast.expr]:
    """What an expression may give: both sides of its branches."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_results(body), *_results(orelse))
        case ast.BoolOp(values=values):
            for one in values:
                yield from _results(one)
        case _:
            yield value


def _common_name(interpreter: "Interpreter", tools: ListValue) -> str:
    """The expression that names each `tool`; empty where they have no known shape in common."""
    names = {_name(interpreter, interpreter.resolve(item)) for item in tools.items}
    return names.pop() if len(names) == 1 else ""


def _is_order_alone(piece: Piece) -> bool:
    """Whether a piece only says that something came in no settled order."""
    return isinstance(piece, Volatile) and piece.order and not piece.text


def _name(interpreter: "Interpreter", tool: Value) -> str:
    match tool:
        case DictValue(entries={"name": name}) if not isinstance(name, Constant):
            return 'tool["name"]'
        case DictValue(entries={"function": DictValue(entries={"name": name})}) if not isinstance(
            name, Constant
        ):
            return 'tool["function"]["name"]'
        case Instance(cls=cls):
            own = "name" in tool.fields or "name" in classes.field_names(interpreter, cls)
            return "tool.name" if own or classes.find(interpreter, cls, "name") else ""
        case FunctionValue(node=ast.FunctionDef(decorator_list=[])):
            return "tool.__name__"
        case Text(pieces=pieces, form="str") if not all(map(_is_order_alone, pieces)):
            return "tool"
        case Choice(options=options):
            names = {_name(interpreter, option) for option in options}
            return names.pop() if len(names) == 1 else ""
        case _:
            return ""
