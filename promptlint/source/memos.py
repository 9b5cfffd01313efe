"""Functions whose results are kept: by a decorator, or by what it makes of a function."""

import ast

from promptlint.source import classes
from promptlint.source.arguments import Arguments
from promptlint.source.pieces import has_volatile
from promptlint.source.values import FunctionValue, Text

_DECORATORS = frozenset(
    {"lru_cache", "cache", "cached_property", "cached", "memoize", "alru_cache", "once", "memo"}
)


def is_memoised(function: FunctionValue, arguments: Arguments | None = None) -> bool:
    """Whether a call with these arguments gives what an earlier one gave.

    Not where results are kept for a time only, nor for arguments that are other ones each time.
    """
    if arguments is not None and any(map(_moves, arguments.all())):
        return False
    return function.memoised or (
        not classes.decorators(function).isdisjoint(_DECORATORS) and not _expires(function)
    )


def _expires(function: FunctionValue) -> bool:
    """Whether a decorator says that it keeps results for a time."""
    if isinstance(function.node, ast.Lambda):
        return False
    written = " ".join(map(ast.unparse, function.node.decorator_list)).lower()
    return "ttl" in written or "expir" in written


def _moves(argument: object) -> bool:
    return isinstance(argument, Text) and has_volatile(argument.pieces)
