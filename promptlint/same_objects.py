"""What two sequences share: a growing conversation is known by the objects at its start."""

from collections.abc import Sequence
from operator import is_


def same_objects(first: Sequence[object], second: Sequence[object]) -> int:
    """How many items at the start of two sequences are the same objects.

    Not the equal ones: `1 == True`, and a prompt shows which of them it is.
    """
    return [*map(is_, first, second), False].index(False)
