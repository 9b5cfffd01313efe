"""What the rounds of a loop printed, and what they looked at."""

import operator
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct, field

from promptlint.templates.resuming.alike import alike

Key: TypeAlias = tuple[int, str]
"""An attribute of a namespace: the namespace's number, in the order in which they were made."""

State: TypeAlias = Mapping[Key, Any]

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gteq": operator.ge,
    "lt": operator.lt,
    "lteq": operator.le,
}

_MISSING = object()


class Comparison(Struct, frozen=True):
    """A round that knows of a number only how it compares with another one."""

    round: int
    key: Key
    name: str
    other: int
    answer: bool

    def holds(self, state: State) -> bool:
        """Whether the answer is the same in another state."""
        value = state.get(self.key)
        return type(value) is int and COMPARISONS[self.name](value, self.other) is self.answer


class LoopRecord(Struct, eq=False):
    """A loop that was rendered: what it met at its start, then a list entry for each round.

    `begin` is where its text starts, `ends` are where that of its rounds ends, from there
    (characters). `reach` are the last messages that the rounds so far looked at, `written` what
    they wrote to namespaces. `read` has the first round that read an attribute as it was at
    the start.
    """

    source: object
    entry: tuple[Any, ...]
    state: State
    begin: int
    ends: list[int] = field(default_factory=list)
    reach: list[int] = field(default_factory=list)
    written: list[State] = field(default_factory=list)
    read: dict[Key, int] = field(default_factory=dict)
    compared: list[Comparison] = field(default_factory=list)

    def unchanged_rounds(self, later: "LoopRecord", same: int) -> int:
        """How many rounds print the same in a later rendering that shares `same` messages."""
        if self.source != later.source or not alike(self.entry, later.entry):
            return 0
        rounds = bisect_left(self.reach, same)
        changed = {
            key
            for key in self.state.keys() | later.state.keys()
            if not alike(self.state.get(key, _MISSING), later.state.get(key, _MISSING))
        }
        if changed:
            rounds = min([rounds, *(self.read.get(key, rounds) for key in changed)])
            for one in self.compared:
                if one.round >= rounds:
                    break
                if one.key in changed and not one.holds(later.state):
                    return one.round
        return rounds

    def take_rounds(self, earlier: "LoopRecord", rounds: int) -> None:
        """Go on from the first rounds of an earlier record."""
        self.ends, self.reach = earlier.ends[:rounds], earlier.reach[:rounds]
        self.written = earlier.written[:rounds]
        compared = bisect_left(earlier.compared, rounds, key=lambda one: one.round)
        self.compared = earlier.compared[:compared]
        self.read = {key: first for key, first in earlier.read.items() if first < rounds}
