"""The arguments of a template: its undeclared variables, with the values that it asks for."""

from collections.abc import Iterator
from functools import lru_cache

from jinja2 import TemplateSyntaxError, meta, nodes
from msgspec import Struct

from promptlint.request import Json
from promptlint.templates.environment import ChatEnvironment

_GIVEN = frozenset({"messages", "tools", "add_generation_prompt", "continue_final_message"})
"""The variables that every engine sets by itself."""
_FUNCTIONS = frozenset({"strftime_now"})


class Switch(Struct, frozen=True):
    """A keyword argument of a template with a value to try."""

    name: str
    value: Json

    def __str__(self) -> str:
        return f"{self.name}={self.value!r}"


@lru_cache(maxsize=16)
def undeclared(template: str) -> tuple[str, ...]:
    """The names of the variables that the template may read without having set them.

    Empty for a template with a syntax error, which rendering it reports.
    """
    tree = _parsed(template)
    return () if tree is None else tuple(sorted(meta.find_undeclared_variables(tree)))


def arguments_of(template: str) -> tuple[str, ...]:
    """The undeclared variables that neither an engine nor a tokenizer sets."""
    own = (name for name in undeclared(template) if name not in _GIVEN | _FUNCTIONS)
    return tuple(name for name in own if not name.endswith("_token"))


@lru_cache(maxsize=16)
def switches_of(template: str) -> tuple[Switch, ...]:
    """Each argument with true, false and every constant that the template compares it with."""
    tree = _parsed(template)
    if tree is None:
        return ()
    compared: dict[str, dict[str, Json]] = {}
    for comparison in tree.find_all(nodes.Compare):
        sides = [comparison.expr, *(operand.expr for operand in comparison.ops)]
        for name in (side.name for side in sides if isinstance(side, nodes.Name)):
            constants = (value for side in sides for value in _constants(side))
            compared.setdefault(name, {}).update((repr(value), value) for value in constants)
    return tuple(
        Switch(name, value)
        for name in arguments_of(template)
        for value in ({"True": True, "False": False} | compared.get(name, {})).values()
    )


@lru_cache(maxsize=16)
def _parsed(template: str) -> nodes.Template | None:
    try:
        return ChatEnvironment().parse(template)
    except TemplateSyntaxError:
        return None


def _constants(side: nodes.Node) -> Iterator[Json]:
    """The numbers and texts that a side of a comparison is, or lists."""
    if isinstance(side, nodes.List | nodes.Tuple):
        for item in side.items:
            yield from _constants(item)
    elif isinstance(side, nodes.Const):
        values = side.value if isinstance(side.value, list | tuple) else [side.value]
        yield from (value for value in values if isinstance(value, str | int | float))
