"""The messages as a template meets them: a sequence that tells what is looked at."""

import operator
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from promptlint.templates.resuming.watch import Watch

END = sys.maxsize
"""The number of what is not there yet: a round that looked for it must be repeated."""


class UnwatchedError(Exception):
    """The template does something that cannot be watched."""


class MessageView:
    """The messages from one on, or all of them backwards.

    What it does not do as a list does raises, so that the template is rendered whole.
    """

    def __init__(self, watch: "Watch", start: int = 0, step: int = 1) -> None:
        self._watch = watch
        self._start = start
        self._step = step

    @property
    def source(self) -> tuple[int, int]:
        """Which messages these are, however many."""
        return self._start, self._step

    def seen_by(self, watch: "Watch") -> "MessageView":
        """The same messages in another rendering."""
        return MessageView(watch, self._start, self._step)

    @property
    def is_forward(self) -> bool:
        """Whether a longer conversation only adds messages at the end."""
        return self._step == 1

    def length(self) -> int:
        """How many messages these are; no round is said to depend on it."""
        return max(len(self._watch.messages) - self._start, 0)

    def message_at(self, position: int) -> int:
        """The number of the message at a position among all messages."""
        return self._start + position if self.is_forward else self.length() - 1 - position

    def item(self, position: int) -> Any:
        """The message at a position that a loop has come to."""
        number = self.message_at(position)
        self._watch.see(number)
        return self._watch.messages[number]

    def __len__(self) -> int:
        self._watch.note(END)
        return self.length()

    def __iter__(self) -> Iterator[Any]:
        self._watch.note(END)
        return map(self.item, range(self.length()))

    def __reversed__(self) -> Iterator[Any]:
        self._watch.note(END)
        return map(self.item, reversed(range(self.length())))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            raise UnwatchedError
        if isinstance(key, slice):
            return self._slice(key)
        position = operator.index(key)
        if not (self.is_forward and 0 <= position < self.length()):
            self._watch.note(END)
        if position < 0:
            position += self.length()
        if not 0 <= position < self.length():
            raise IndexError(key)
        self._watch.note(self.message_at(position))
        return self.item(position)

    def _slice(self, key: slice) -> Any:
        if self.is_forward and key.stop is None and key.step in {None, 1}:
            start = key.start or 0
            if start >= 0:
                return MessageView(self._watch, self._start + start)
        if self.source == (0, 1) and (key.start, key.stop, key.step) == (None, None, -1):
            return MessageView(self._watch, 0, -1)
        return list(self)[key]

    def __add__(self, other: list[Any]) -> list[Any]:
        return list(self) + other

    def __radd__(self, other: list[Any]) -> list[Any]:
        return other + list(self)

    def _unwatched(self, *_: object) -> NoReturn:
        raise UnwatchedError

    __eq__ = __ne__ = __hash__ = __repr__ = __contains__ = _unwatched
