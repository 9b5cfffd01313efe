"""How far two sequences are equal."""

from collections.abc import Sequence

from promptlint.models.tokens import Tokens

_FIRST_STEP = 32


def common_prefix(first: Sequence[object], second: Sequence[object], *, known: int = 0) -> int:
    """The number of items that two sequences of one type share at their start.

    The first `known` are not compared. Slices are compared at the speed of C, first ever
    longer ones and then halves: about twice the length that is not known to be shared.
    """
    if isinstance(first, Tokens) and isinstance(second, Tokens):
        return _of_tokens(first, second, max(known, first.shared(second)))
    equal, end = known, min(len(first), len(second))
    if not known and _is_start(first, second):
        return end
    step = _FIRST_STEP
    while equal < end and _equal(first, second, equal, min(equal + step, end)):
        equal, step = min(equal + step, end), 2 * step
    while step > 1:
        step //= 2
        if _equal(first, second, equal, min(equal + step, end)):
            equal = min(equal + step, end)
    return equal


def _of_tokens(first: Tokens, second: Tokens, equal: int) -> int:
    for one, other in first.beside(second, equal):
        if one != other:
            return equal + common_prefix(one, other)
        equal += len(one)
    return equal


def _is_start(first: Sequence[object], second: Sequence[object]) -> bool:
    """Whether a text goes on from the other: slices would copy a whole conversation."""
    if not (isinstance(first, str) and isinstance(second, str)):
        return False
    return first.startswith(second) or second.startswith(first)


def _equal(first: Sequence[object], second: Sequence[object], start: int, end: int) -> bool:
    if isinstance(first, str) and isinstance(second, str):
        return first.startswith(second[start:end], start)
    return first[start:end] == second[start:end]
