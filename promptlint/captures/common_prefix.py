"""How far two sequences are equal."""

from collections.abc import Sequence


def common_prefix(first: Sequence[object], second: Sequence[object]) -> int:
    """The number of items that two sequences of one type share at their start.

    Halving slices compares at the speed of C, in about twice the shared length.
    """
    equal, end = 0, min(len(first), len(second))
    if first[:end] == second[:end]:
        return end
    while end - equal > 1:
        middle = (equal + end) // 2
        if first[equal:middle] == second[equal:middle]:
            equal = middle
        else:
            end = middle
    return equal
