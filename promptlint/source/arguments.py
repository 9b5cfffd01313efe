"""Arguments of a call, and how parameters take them."""

import ast

from msgspec import Struct, field

from promptlint.source.values import DictValue, ListValue, Value


class Arguments(Struct):
    """Evaluated arguments. `rest` are those of unpacked values nobody could follow."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    rest: list[Value] = field(default_factory=list)

    def all(self) -> list[Value]:
        """Every argument in the order written."""
        return [*self.positional, *self.keywords.values(), *self.rest]

    def get(self, position: int, *names: str) -> Value | None:
        """An argument by position or by one of its names."""
        for name in names:
            if name in self.keywords:
                return self.keywords[name]
        return self.positional[position] if 0 <= position < len(self.positional) else None


class Binding(Struct):
    """Parameters that got a value, and those that did not."""

    names: dict[str, Value]
    missing: list[ast.arg]
    defaults: dict[str, ast.expr]


def bind(signature: ast.arguments, arguments: Arguments) -> Binding:
    """Bind arguments to parameters as Python does; surplus ones go to `*args` and `**kwargs`."""
    positional = [*signature.posonlyargs, *signature.args]
    names = {
        parameter.arg: value
        for parameter, value in zip(positional, arguments.positional, strict=False)
    }
    known = {parameter.arg for parameter in (*positional, *signature.kwonlyargs)}
    names.update({key: value for key, value in arguments.keywords.items() if key in known})
    if signature.vararg:
        surplus = arguments.positional[len(positional) :]
        names[signature.vararg.arg] = ListValue(surplus + arguments.rest, form="tuple")
    if signature.kwarg:
        surplus_keywords = {k: v for k, v in arguments.keywords.items() if k not in known}
        names[signature.kwarg.arg] = DictValue(surplus_keywords, open=bool(arguments.rest))
    return Binding(
        names,
        [p for p in (*positional, *signature.kwonlyargs) if p.arg not in names],
        _defaults(signature),
    )


def _defaults(signature: ast.arguments) -> dict[str, ast.expr]:
    positional = [*signature.posonlyargs, *signature.args]
    tail = positional[len(positional) - len(signature.defaults) :]
    defaults = {
        parameter.arg: value for parameter, value in zip(tail, signature.defaults, strict=True)
    }
    pairs = zip(signature.kwonlyargs, signature.kw_defaults, strict=True)
    defaults.update({parameter.arg: value for parameter, value in pairs if value is not None})
    return defaults
