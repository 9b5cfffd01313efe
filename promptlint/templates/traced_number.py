"""Numbers and booleans that know the input they came from, through arithmetic."""

from collections.abc import Callable
from typing import Any, TypeAlias

from promptlint.templates.leaf import Leaf, common_leaf


class TracedInt(int):
    """An int from an input, or computed from inputs."""

    _leaf: Leaf | None = None


class TracedFlag(TracedInt):
    """A bool from an input. It is an int, as bool is, but not the constant True or False itself."""

    def __repr__(self) -> str:
        return str(bool(self))


class TracedFloat(float):
    """A float from an input, or computed from inputs."""

    _leaf: Leaf | None = None


TracedNumber: TypeAlias = TracedInt | TracedFloat
TRACED_NUMBERS = (TracedInt, TracedFloat)

_CLASSES: dict[type, type[TracedNumber]] = {bool: TracedFlag, int: TracedInt, float: TracedFloat}


def traced_number(value: Any, leaf: Leaf | None) -> Any:
    """`value` with its leaf where it is an int, a float or a bool; anything else as it is."""
    if type(value) not in _CLASSES:
        return value
    number = _CLASSES[type(value)](value)
    number._leaf = leaf
    return number


def untraced_number(value: Any) -> Any:
    """The same int, float or bool without its leaf; anything else as it is."""
    if isinstance(value, TracedFlag):
        return bool(value)
    if isinstance(value, TracedInt):
        return int(value)
    return float(value) if isinstance(value, TracedFloat) else value


def _tracing(method: Callable[..., Any]) -> Callable[..., Any]:
    """The arithmetic `method` of int or float, with the operands' common leaf on its result."""

    def traced_method(self: TracedNumber, *operands: Any) -> Any:
        traced = [n._leaf for n in (self, *operands) if isinstance(n, TRACED_NUMBERS)]
        return traced_number(method(self, *operands), common_leaf(traced))

    return traced_method


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_METHODS = ["neg", "pos", "abs", "round", *_BINARY, *(f"r{name}" for name in _BINARY)]
for _name in _METHODS:
    for _traced, _plain in ((TracedInt, int), (TracedFloat, float)):
        setattr(_traced, f"__{_name}__", _tracing(getattr(_plain, f"__{_name}__")))
