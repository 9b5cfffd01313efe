"""Whether a function does more than to return a value, as far as its own body says."""

import ast
from functools import lru_cache

from promptlint.source.names import dotted

_CHANGES = frozenset(
    {"append", "extend", "insert", "add", "update", "setdefault", "pop", "register", "appendleft"}
    | {"set_result", "put", "put_nowait", "remove", "discard", "clear", "sort", "reverse"}
)
_SENDS = frozenset({"messages", "system", "system_prompt", "instructions", "system_instruction"})


@lru_cache(maxsize=8192)
def has_effects(node: ast.AST) -> bool:
    """Whether a body stores in objects, changes containers, or sends something."""
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) | ast.Global():
                return True
            case ast.Call(func=function, keywords=keywords):
                if dotted(function).rpartition(".")[2] in _CHANGES:
                    return True
                if any(keyword.arg in _SENDS for keyword in keywords):
                    return True
            case ast.Dict(keys=keys):
                names = (key.value for key in keys if isinstance(key, ast.Constant))
                if "role" in names:
                    return True
            case ast.Yield() | ast.YieldFrom():
                return True
            case _:
                pass
    return False
