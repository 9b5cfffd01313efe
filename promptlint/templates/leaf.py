"""What a run of rendered text came from."""

from collections.abc import Iterable
from itertools import takewhile
from typing import TypeAlias

from msgspec import Struct

Leaf: TypeAlias = tuple[str | int, ...]
"""A path into the inputs of a rendering.

`("messages", 1, "content")` is a text, `("tools", 0)` a whole tool (its keys,
braces and numbers), `("clock", "%Y-%m-%d")` a time that the template asked for,
`("arguments", "date_string")` a keyword argument of the template, `UNKNOWN` text
that cannot be traced. Where a leaf is optional, None is the template's own text.
"""

UNKNOWN: Leaf = ("unknown",)


class Run(Struct, frozen=True):
    """A run of rendered text with one leaf, from character `start` to before `end`.

    `offset` is where the run starts in the text of its leaf, character for
    character, or None where positions were not kept (escapes, keys, numbers).
    """

    start: int
    end: int
    leaf: Leaf | None
    offset: int | None


def common_leaf(leaves: Iterable[Leaf | None]) -> Leaf | None:
    """The leaf of a text that was made from all of these together.

    It is the smallest input that holds them all. Inputs with nothing in common,
    or an input mixed with the template's own text, give UNKNOWN.
    """
    distinct = set(leaves)
    if None in distinct or not distinct:
        return UNKNOWN if len(distinct) > 1 else None
    if len(distinct) == 1:
        return distinct.pop()
    levels = zip(*(leaf for leaf in distinct if leaf is not None), strict=False)
    return tuple(level[0] for level in takewhile(_all_equal, levels)) or UNKNOWN


def _all_equal(steps: tuple[str | int, ...]) -> bool:
    return len(set(steps)) == 1
