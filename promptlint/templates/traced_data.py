"""Containers that know the input they are, and tracing plain data."""

from collections.abc import Iterator, Mapping
from typing import Any

from promptlint.templates.leaf import UNKNOWN, Leaf, common_leaf
from promptlint.templates.traced_number import TRACED_NUMBERS, traced_number, untraced_number
from promptlint.templates.traced_text import TracedText, pieces_of, plain_text, text_from


class TracedDict(dict[Any, Any]):
    """A dict whose keys, braces and constants belong to `_leaf`."""

    _leaf: Leaf

    def __init__(self, items: Mapping[Any, Any], leaf: Leaf) -> None:
        super().__init__(items)
        self._leaf = leaf


class TracedList(list[Any]):
    """A list whose brackets and constants belong to `_leaf`."""

    _leaf: Leaf

    def __init__(self, items: list[Any], leaf: Leaf) -> None:
        super().__init__(items)
        self._leaf = leaf


_TRACED_CONTAINERS = (TracedDict, TracedList)
_TRACED = (TracedText, TracedDict, TracedList)
_SEQUENCES = (list, tuple)
_MAPPINGS = (dict, Mapping)
"""A dict is asked for first: to ask what a Mapping is takes long."""


def trace(value: Any, leaf: Leaf) -> Any:
    """Plain data with its provenance; every value is one step below its container.

    What is traced already keeps its own leaf, so parts of an input may come from elsewhere.
    """
    if isinstance(value, _TRACED):
        return value
    if isinstance(value, str):
        return text_from(value, leaf, 0)
    if isinstance(value, _SEQUENCES):
        return TracedList([trace(item, (*leaf, i)) for i, item in enumerate(value)], leaf)
    if isinstance(value, _MAPPINGS):
        return TracedDict({_key(k, leaf): trace(v, (*leaf, k)) for k, v in value.items()}, leaf)
    return traced_number(value, leaf)


def _key(key: Any, leaf: Leaf) -> Any:
    return text_from(key, leaf) if isinstance(key, str) else key


def untrace(value: Any) -> Any:
    """The same data as plain `str`, `dict`, `list`, `int` and `float`."""
    if isinstance(value, str):
        return plain_text(value)
    if isinstance(value, _MAPPINGS):
        return {untrace(key): untrace(item) for key, item in value.items()}
    if isinstance(value, _SEQUENCES):
        return [untrace(item) for item in value]
    return untraced_number(value)


def leaves_of(value: Any) -> Iterator[Leaf | None]:
    """The leaves of every text, number and container in a value; plain text is None."""
    if isinstance(value, str):
        yield from (piece.leaf for piece in pieces_of(value))
    elif isinstance(value, TRACED_NUMBERS):
        yield value._leaf
    elif isinstance(value, bytes):
        yield UNKNOWN
    elif isinstance(value, _TRACED_CONTAINERS):
        yield value._leaf
    elif isinstance(value, _SEQUENCES):
        for item in value:
            yield from leaves_of(item)
    elif isinstance(value, _MAPPINGS):
        for item in value.items():
            yield from leaves_of(item)


def retraced(result: Any, *sources: Any) -> Any:
    """What a function without provenance made from these sources, with their common leaf."""
    if isinstance(result, str):
        leaves = set(leaves_of(sources))
        if isinstance(result, TracedText) or leaves <= {None}:
            return result
        return text_from(result, common_leaf(leaves))
    if type(result) in (int, float, bool):
        leaves = set(leaves_of(sources)) - {None}
        return traced_number(result, common_leaf(leaves)) if leaves else result
    return result
