"""Values of which one is meant, and nobody knows which: both branches are kept."""

from collections.abc import Iterable

from promptlint.source.pieces import merge
from promptlint.source.values import NONE, Choice, ListValue, Text, Value

MOST_OPTIONS = 8


def options(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value; one value is its own only alternative."""
    return value.options if isinstance(value, Choice) else (value,)


def either(one: Value, other: Value) -> Value:
    """Both values of two branches. None is dropped where the other branch has a value.

    Tuples that two returns made are taken together place by place.
    """
    if one is other or other in (one, NONE):
        return one
    if one == NONE:
        return other
    if isinstance(one, Text) and isinstance(other, Text):
        form = one.form if one.form == other.form else "str"
        return Text(merge(one.pieces, other.pieces), form)
    if isinstance(one, ListValue) and isinstance(other, ListValue) and _is_same_shape(one, other):
        pairs = zip(one.items, other.items, strict=True)
        return ListValue([either(*pair) for pair in pairs], form="tuple")
    found: list[Value] = []
    for option in (*options(one), *options(other)):
        if option not in found:
            found.append(option)
    return found[0] if len(found) == 1 else Choice(tuple(found[:MOST_OPTIONS]))


def _is_same_shape(one: ListValue, other: ListValue) -> bool:
    settled = all(
        value.form == "tuple" and value.order is None and not value.open for value in (one, other)
    )
    return settled and len(one.items) == len(other.items)


def any_of(values: Iterable[Value]) -> Value:
    """One of some values, of which there is at least one. Behind the last option none counts."""
    result: Value | None = None
    for value in values:
        result = value if result is None else either(result, value)
        if isinstance(result, Choice) and len(result.options) >= MOST_OPTIONS:
            break
    assert result is not None
    return result
