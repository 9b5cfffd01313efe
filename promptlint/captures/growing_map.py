"""Map sequences that go on from each other: an item that stands where it stood keeps its result."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from promptlint.same_objects import same_objects

_REMEMBERED = 8

Item = TypeVar("Item")
Result = TypeVar("Result")


class GrowingMap(Generic[Item, Result]):
    """A function for each item of a sequence, called for what no earlier sequence had."""

    def __init__(self, function: Callable[[Item], Result]) -> None:
        self._function = function
        self._known: deque[tuple[Sequence[Item], tuple[Result, ...]]] = deque(maxlen=_REMEMBERED)

    def __call__(self, items: Sequence[Item]) -> tuple[Result, ...]:
        """The result for each item."""
        shared, number = max(
            ((same_objects(items, known), n) for n, (known, _) in enumerate(self._known)),
            default=(0, -1),
        )
        kept: tuple[Result, ...] = self._known[number][1][:shared] if shared else ()
        results = kept + tuple(map(self._function, items[shared:]))
        if shared and shared == len(self._known[number][0]):
            del self._known[number]
        self._known.append((items, results))
        return results
