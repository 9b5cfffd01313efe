"""Values written as text, as JSON and as Python do it, with provenance.

The text is always what `json.dumps` and `repr` give; the walk here finds where its parts
came from. Keys, brackets and constants belong to the container that they stand in.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import Undefined
from msgspec import Struct

from promptlint.templates.leaf import UNKNOWN, Leaf, common_leaf
from promptlint.templates.traced_data import TracedDict, TracedList, leaves_of, untrace
from promptlint.templates.traced_number import TRACED_NUMBERS, untraced_number
from promptlint.templates.traced_text import (
    TracedText,
    concatenated,
    mapped,
    pieces_of,
    plain_text,
    text_from,
)


class _Notation(Struct, frozen=True):
    """How values are written: `atom` writes text and constants, `key` a key that is no text."""

    atom: Callable[[Any], str]
    key: Callable[[Any], str]
    item_separator: str = ", "
    key_separator: str = ": "
    indent: str | None = None
    sort_keys: bool = False


_PYTHON = _Notation(atom=repr, key=repr)


def printed(value: Any) -> str:
    """`str(value)` with provenance, which is what a template prints."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple | dict):
        return _checked(repr(value), value, _PYTHON)
    if isinstance(value, Undefined):
        return str(value)
    return text_from(str(value), _constant_leaf(value, None))


def as_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """The `tojson` filter of chat templates: `json.dumps` with provenance."""
    options: dict[str, Any] = {"ensure_ascii": ensure_ascii, "indent": indent}
    text = json.dumps(untrace(value), separators=separators, sort_keys=sort_keys, **options)
    items, keys = separators or ("," if indent is not None else ", ", ": ")
    notation = _Notation(
        atom=json.JSONEncoder(ensure_ascii=ensure_ascii).encode,
        key=lambda key: json.dumps(json.dumps(key)),
        item_separator=items,
        key_separator=keys,
        indent=" " * indent if isinstance(indent, int) else indent,
        sort_keys=sort_keys,
    )
    return _checked(text, value, notation)


def _checked(text: str, value: Any, notation: _Notation) -> str:
    """The walk's result if it is `text`, else `text` with the common leaf of the value."""
    result = concatenated(_written(value, notation, None, 0))
    return result if result == text else text_from(text, common_leaf(leaves_of(value)))


def _written(value: Any, notation: _Notation, container: Leaf | None, level: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from _quoted(value, notation, container)
    elif isinstance(value, Mapping):
        items = sorted(value.items()) if notation.sort_keys else value.items()
        leaf = value._leaf if isinstance(value, TracedDict) else None
        entries = (_entry(key, item, notation, leaf, level) for key, item in items)
        yield from _enclosed("{}", entries, notation, leaf, level)
    elif isinstance(value, list | tuple):
        leaf = value._leaf if isinstance(value, TracedList) else None
        entries = (_written(item, notation, leaf, level + 1) for item in value)
        yield from _enclosed("[]", entries, notation, leaf, level)
    else:
        yield text_from(notation.atom(untraced_number(value)), _constant_leaf(value, container))


def _entry(
    key: Any, value: Any, notation: _Notation, leaf: Leaf | None, level: int
) -> Iterator[str]:
    if isinstance(key, str) and leaf is None:
        yield from _quoted(key, notation, leaf)
        yield notation.key_separator
    else:
        write = notation.atom if isinstance(key, str) else notation.key
        yield text_from(write(key) + notation.key_separator, _constant_leaf(key, leaf))
    yield from _written(value, notation, leaf, level + 1)


def _enclosed(
    brackets: str,
    entries: Iterable[Iterable[str]],
    notation: _Notation,
    leaf: Leaf | None,
    level: int,
) -> Iterator[str]:
    """The entries of a container between its brackets."""
    between = "" if notation.indent is None else "\n" + notation.indent * (level + 1)
    before = brackets[0]
    for entry in entries:
        yield text_from(before + between, leaf)
        yield from entry
        before = notation.item_separator
    if before == brackets[0]:
        yield text_from(brackets, leaf)
    else:
        last = "" if notation.indent is None else "\n" + notation.indent * level
        yield text_from(last + brackets[1], leaf)


def _quoted(text: str, notation: _Notation, container: Leaf | None) -> Iterator[str]:
    """A text in quotes; they belong to its container, or else to the text."""
    quote = notation.atom(plain_text(text))[0]
    leaf = container or common_leaf(piece.leaf for piece in pieces_of(text))
    if isinstance(text, TracedText) and not pieces_of(text):
        leaf = container or UNKNOWN
    yield text_from(quote, leaf)
    yield mapped(text, lambda plain: notation.atom(plain)[1:-1])
    yield text_from(quote, leaf)


def _constant_leaf(value: Any, container: Leaf | None) -> Leaf | None:
    """The leaf of what is no text: a number that is not traced was counted by the template."""
    if isinstance(value, TRACED_NUMBERS):
        return value._leaf
    return container or (None if type(value) in (int, float) else UNKNOWN)
