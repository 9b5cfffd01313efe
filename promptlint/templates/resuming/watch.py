"""One rendering that is watched: what its loops take from an earlier one, and what they look at."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from promptlint.templates.resuming.message_view import MessageView, UnwatchedError
from promptlint.templates.resuming.namespaces import WatchedNamespace, attributes, number_of
from promptlint.templates.resuming.record import COMPARISONS, Comparison, Key, LoopRecord

if TYPE_CHECKING:
    from promptlint.templates.resuming.rounds import Rounds


class Earlier(Struct, eq=False):
    """An earlier rendering: its text so far, and its loops by their number in the template.

    `refused` is the error that it ended with, if any.
    """

    messages: Sequence[Any]
    tools: Sequence[Any] | None
    arguments: Mapping[str, Any]
    text: str = ""
    loops: dict[int, LoopRecord] = field(default_factory=dict)
    refused: str | None = None


class Watch:
    """What is known while a template is rendered.

    The first `same` messages are those of the earlier rendering. What the template printed so
    far is the start of the earlier text, up to character `_taken`, and then the pieces.
    """

    def __init__(
        self, messages: Sequence[Any], tools: Sequence[Any] | None, earlier: Earlier, same: int
    ) -> None:
        self.messages = messages
        self.tools = None if tools is None else list(tools)
        self._taken = 0
        self._pieces: list[str] = []
        self.loops: dict[int, LoopRecord] = {}
        self._earlier = earlier
        self._same = same
        self._length = 0
        self._unseen = set(range(0 if earlier.refused else same, len(messages)))
        self._namespaces: list[WatchedNamespace] = []
        self._loop: LoopRecord | None = None
        self._reach = 0
        self._written: Mapping[Key, Any] = {}

    # What the template prints.

    def print(self, text: str) -> None:
        """Take what the template printed next. Raises UnwatchedError where that is no text."""
        if not isinstance(text, str):
            raise UnwatchedError
        self._pieces.append(text)
        self._length += len(text)

    def printed(self) -> str:
        """The whole text. It is given up: namespaces and views keep the watch for a while."""
        text = self._earlier.text[: self._taken]
        text += "".join(self._pieces)  # Python lengthens it where it stands
        self._pieces.clear()
        self._earlier = Earlier((), None, {})
        return text

    def _print_again(self, start: int, end: int) -> None:
        """Take characters of the earlier text. Where all so far stands before them, it is kept."""
        printed = "".join(self._pieces)
        self._length += end - start
        follows = self._taken + len(printed) == start
        if follows and self._earlier.text.startswith(printed, self._taken):
            self._taken = end
            self._pieces.clear()
        else:
            self._pieces.append(self._earlier.text[start:end])

    # What a round looks at.

    @property
    def in_round(self) -> bool:
        """Whether a round of a loop is being rendered."""
        return self._loop is not None

    def note(self, index: int) -> None:
        """Something depends on a message, by its number, or on the END of all."""
        self._reach = max(self._reach, index)

    def see(self, index: int) -> None:
        """A message was handed to the template."""
        self._unseen.discard(index)

    def has_seen_new(self) -> bool:
        """Whether the template was handed all messages that the earlier rendering had not."""
        return not self._unseen

    def register(self, namespace: WatchedNamespace) -> int:
        """The number of a new namespace."""
        self._namespaces.append(namespace)
        return len(self._namespaces) - 1

    def read(self, number: int, name: str) -> None:
        """An attribute of a namespace was read."""
        if self._loop is not None and (number, name) not in self._written:
            self._loop.read.setdefault((number, name), len(self._loop.ends))

    def write(self, number: int, name: str, value: Any) -> None:
        """An attribute of a namespace was written."""
        if self._loop is not None:
            self._written = {**self._written, (number, name): value}

    def compare(
        self, namespace: WatchedNamespace, name: str, operation: str, other: Any
    ) -> bool | None:
        """How an attribute compares, which is all that a round is told; None if it is no number."""
        held = attributes(namespace).get(name)
        if type(held) is not int or type(other) is not int:
            return None
        answer = COMPARISONS[operation](held, other)
        key = number_of(namespace), name
        if self._loop is not None and key not in self._written:
            known = Comparison(len(self._loop.ends), key, operation, other, answer)
            self._loop.compared.append(known)
        return answer

    # The rounds of a loop.

    def positions(self, rounds: "Rounds") -> Iterator[int]:
        """The rounds of a loop that have to be rendered, after those taken from earlier."""
        if self._loop is not None:
            raise UnwatchedError
        loop = self._started(rounds)
        self._loop = self.loops[rounds.number] = loop
        try:
            for position in range(len(loop.ends), rounds.length()):
                self._reach = rounds.message_at(position)
                yield position
                loop.reach.append(max(self._reach, loop.reach[-1] if loop.reach else 0))
                loop.written.append(self._written)
                loop.ends.append(self._length - loop.begin)
        finally:
            self._loop = None

    def _started(self, rounds: "Rounds") -> LoopRecord:
        """The record of a loop with the rounds that are the same as in the earlier rendering."""
        state = {
            (number, name): value
            for number, namespace in enumerate(self._namespaces)
            for name, value in attributes(namespace).items()
        }
        entry = (len(self._namespaces), *rounds.entry)
        loop = LoopRecord(rounds.source, entry, state, self._length)
        self._written = {}
        earlier = self._earlier.loops.get(rounds.number)
        kept = 0 if earlier is None else earlier.unchanged_rounds(loop, self._same)
        if earlier is None or not kept:
            return loop
        loop.take_rounds(earlier, kept)
        self._print_again(earlier.begin, earlier.begin + loop.ends[-1])
        self._written = loop.written[-1]
        for (number, name), value in self._written.items():
            own = value.seen_by(self) if isinstance(value, MessageView) else value
            attributes(self._namespaces[number])[name] = own
        return loop
