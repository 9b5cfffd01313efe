"""Dotted names as they are written."""

import ast


def dotted(node: ast.AST) -> str:
    """The dotted name an expression is written as; what is no name is left out."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            base = dotted(value)
            return f"{base}.{name}" if base else name
        case ast.Call(func=function):
            return f"{dotted(function)}()"
        case ast.Subscript(value=value) | ast.Await(value=value):
            return dotted(value)
        case _:
            return ""
