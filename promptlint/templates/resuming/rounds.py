"""A loop of a template over its messages or its tools, which may start in the middle."""

from collections.abc import Iterator, Sequence
from typing import Any

from jinja2.runtime import Undefined

from promptlint.templates.resuming.message_view import END, MessageView, UnwatchedError
from promptlint.templates.resuming.watch import Watch


class Rounds:
    """The rounds of the loop with this number; `entry` are the variables around it."""

    def __init__(
        self, watch: Watch, number: int, items: MessageView | Sequence[Any], entry: tuple[Any, ...]
    ) -> None:
        self.watch = watch
        self.number = number
        self.items = items
        self.entry = entry

    @property
    def source(self) -> object:
        """What is looped over, however long it is."""
        return self.items.source if isinstance(self.items, MessageView) else "tools"

    def length(self) -> int:
        """How many rounds there are."""
        return self.items.length() if isinstance(self.items, MessageView) else len(self.items)

    def message_at(self, position: int) -> int:
        """The number of the message that a round is about. Tools are what they were: 0."""
        return self.items.message_at(position) if isinstance(self.items, MessageView) else 0

    def has(self, position: int) -> bool:
        """Whether there is a round at this position; the round now depends on that."""
        there = position < self.length()
        if isinstance(self.items, MessageView):
            self.watch.note(self.items.message_at(position) if there else END)
        return there

    def item(self, position: int) -> Any:
        """What a round is about."""
        items = self.items
        return items.item(position) if isinstance(items, MessageView) else items[position]

    def __iter__(self) -> Iterator[Any]:
        return map(self.item, self.watch.positions(self))


class RoundsContext:
    """The variable `loop` of such a loop, as jinja's own."""

    depth0 = 0
    depth = 1

    def __init__(self, rounds: Rounds, undefined: type[Undefined]) -> None:
        self._rounds = rounds
        self._undefined = undefined
        self.index0 = -1

    def __iter__(self) -> Iterator[tuple[Any, "RoundsContext"]]:
        for position in self._rounds.watch.positions(self._rounds):
            self.index0 = position
            yield self._rounds.item(position), self

    @property
    def index(self) -> int:
        """The number of the round, from 1."""
        return self.index0 + 1

    @property
    def first(self) -> bool:
        """Whether this is the first round."""
        return self.index0 == 0

    @property
    def last(self) -> bool:
        """Whether this is the last round."""
        return not self._rounds.has(self.index0 + 1)

    @property
    def length(self) -> int:
        """The number of rounds."""
        self._rounds.watch.note(END)
        return self._rounds.length()

    @property
    def revindex0(self) -> int:
        """The number of rounds that follow."""
        return self.length - self.index

    @property
    def revindex(self) -> int:
        """The number of rounds that follow, and this one."""
        return self.length - self.index0

    @property
    def previtem(self) -> Any:
        """What the round before was about."""
        if self.first:
            return self._undefined("there is no previous item")
        return self._rounds.item(self.index0 - 1)

    @property
    def nextitem(self) -> Any:
        """What the next round is about."""
        if not self._rounds.has(self.index0 + 1):
            return self._undefined("there is no next item")
        return self._rounds.item(self.index0 + 1)

    def cycle(self, *values: Any) -> Any:
        """One of the values after the other."""
        if not values:
            raise TypeError("no items for cycling given")
        return values[self.index0 % len(values)]

    def changed(self, *_: Any) -> bool:
        """It depends on all rounds before, which may not have been rendered."""
        raise UnwatchedError

    def __len__(self) -> int:
        return self.length
