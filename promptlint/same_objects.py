"""What two sequences share: a growing conversation is known by the objects at its start."""

from collections.abc import Sequence
from itertools import compress, count
from operator import is_, is_not


def same_objects(first: Sequence[object], second: Sequence[object]) -> int:
    """How many items at the start of two sequences are the same objects.

    Not the equal ones: `1 == True`, and a prompt shows which of them it is.
    """
    if all(map(is_, first, second)):
        return min(len(first), len(second))
    return next(compress(count(), map(is_not, first, second)))
