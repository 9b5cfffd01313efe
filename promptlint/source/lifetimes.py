"""How long a value lives: memo guards, and loops over turns."""

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from promptlint.source.frames import Frame
from promptlint.source.pieces import Stage
from promptlint.source.values import births, stored

_CLOCKS = re.compile(
    r"\b(time|monotonic|now|perf_counter|mtime|expired|ttl|age|stale)\b|mtime|ttl", re.I
)


def _tested(test: ast.expr) -> tuple[set[str], set[str]]:
    """What a test says is stored already, and what it says is not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            held, missing = _tested(operand)
            return missing, held
        case ast.BoolOp(values=values):
            parts = [_tested(value) for value in values]
            return set().union(*(p[0] for p in parts)), set().union(*(p[1] for p in parts))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return _compared(left, operator, right)
        case ast.Call(func=ast.Name(id="hasattr"), args=[owner, ast.Constant(value=str(name))]):
            return {f"{ast.unparse(owner)}.{name}"}, set()
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return {ast.unparse(test)}, set()
        case ast.NamedExpr():
            return _named(test), set()
        case _:
            return set(), set()


def _named(node: ast.expr) -> set[str]:
    """What an expression names: itself, what it is bound to, the cache it was looked up in."""
    match node:
        case ast.NamedExpr(target=target, value=value):
            return {target.id} | _named(value)
        case ast.Call(func=ast.Attribute(value=cache, attr="get")):
            return {ast.unparse(node), ast.unparse(cache)}
        case _:
            return {ast.unparse(node)}


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> tuple[set[str], set[str]]:
    """`x is None`, `key in cache` and their opposites."""
    is_none = isinstance(right, ast.Constant) and right.value is None
    match operator:
        case ast.Is() | ast.Eq() if is_none:
            return set(), _named(left)
        case ast.IsNot() | ast.NotEq() if is_none:
            return _named(left), set()
        case ast.In():
            return {ast.unparse(right)}, set()
        case ast.NotIn():
            return set(), {ast.unparse(right)}
        case _:
            return set(), set()


@lru_cache(maxsize=4096)
def guards_stored(node: ast.If) -> bool:
    """`if x is None: x = ...`: the body runs once in the life of `x`."""
    _, missing = _tested(node.test)
    if not missing or _CLOCKS.search(ast.unparse(node.test)):
        return False
    lasting = {name for name in missing if _lasts(name) or _is_global(name, node)}
    return bool(lasting & _assigned(node.body))


def returns_stored(node: ast.If, rest: Sequence[ast.stmt]) -> bool:
    """`if x: return x` in front of `x = ...`: the rest runs once in the life of `x`."""
    if not node.body or not isinstance(node.body[-1], ast.Return) or node.orelse:
        return False
    names, _ = _tested(node.test)
    if not names or _CLOCKS.search(ast.unparse(node.test)):
        return False
    returned = ast.unparse(node.body[-1])
    if not any(name in returned for name in names):
        return False
    assigned = _assigned(rest)
    return any((_lasts(n) or n in _globals(rest)) and n in assigned for n in names)


def _lasts(name: str) -> bool:
    """Whether a written name outlives the call: an attribute or an item, no local."""
    return "." in name or "[" in name or (name.startswith("_") and name != "_") or name.isupper()


def _is_global(name: str, node: ast.If) -> bool:
    return name in _globals(node.body)


def _globals(body: Sequence[ast.stmt]) -> set[str]:
    return {
        name
        for statement in body
        for inner in ast.walk(statement)
        if isinstance(inner, ast.Global | ast.Nonlocal)
        for name in inner.names
    }


def _assigned(body: Sequence[ast.stmt]) -> set[str]:
    """What some statements assign to: names, attributes, and containers by their items."""
    names: set[str] = set()
    for statement in body:
        for node in ast.walk(statement):
            targets: list[ast.expr] = []
            if isinstance(node, ast.Assign):
                targets = node.targets
            elif isinstance(node, ast.AnnAssign):
                targets = [node.target]
            for target in targets:
                names.add(ast.unparse(target))
                if isinstance(target, ast.Subscript):
                    names.add(ast.unparse(target.value))
    return names


@contextmanager
def looping(node: ast.For | ast.AsyncFor | ast.While, frame: Frame) -> Iterator[None]:
    """Evaluate a loop's body. What was made before a loop over turns is frozen for its session."""
    outer, stage = frame.turns, frame.stage
    is_turns = _is_over_turns(node)
    if is_turns:
        if not frame.user_turn:
            for name, value in frame.names.items():
                frame.names[name] = stored(value, Stage.MEMO)
        frame.turns = next(births)
        if frame.function is None:
            frame.stage = Stage.CALL
    try:
        yield
    finally:
        frame.turns, frame.stage = outer, stage


@lru_cache(maxsize=4096)
def _is_over_turns(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether a loop's body talks to a model or takes input."""
    for inner in ast.walk(node):
        if not isinstance(inner, ast.Call):
            continue
        name = inner.func.attr if isinstance(inner.func, ast.Attribute) else ""
        name = inner.func.id if isinstance(inner.func, ast.Name) else name
        keywords = {keyword.arg for keyword in inner.keywords}
        if name == "input" or keywords & {"messages", "system", "system_prompt", "instructions"}:
            return True
        if name in ("create", "completion", "invoke", "ainvoke", "generate", "chat", "stream"):
            return True
    return False
