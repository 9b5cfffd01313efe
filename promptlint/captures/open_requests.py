"""Which requests are not gone on from yet: each one that was sent gets its own answer.

Who asks a question twice gets two answers, and each of the two runs goes on with its own. A
client that rewrites an answer has asked once, and goes on with those that came behind it.
"""

from collections import Counter
from collections.abc import Sequence

from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.same_message import as_bytes
from promptlint.request import Message


class OpenRequests:
    """Takes the requests of some conversations in time order. Their messages alone count."""

    def __init__(self) -> None:
        self._bytes = GrowingMap(as_bytes)
        self._open: Counter[tuple[str, int]] = Counter()

    def answered_by(self, conversation: str, messages: Sequence[Message]) -> int | None:
        """How many messages an open request had from which this one goes on with one answer.

        That request is open no more, and this one is. None where no open request is answered.
        """
        sent = self._bytes(messages)
        self._open[conversation, hash(sent)] += 1
        asked = _before_the_answer(messages)
        question = (conversation, hash(sent[:asked]))
        if not asked or not self._open[question]:
            return None
        self._open[question] -= 1
        return asked


def _before_the_answer(messages: Sequence[Message]) -> int:
    """How many messages stand before the last answer of the model; 0 where it has not spoken."""
    asked = len(messages)
    while asked and messages[asked - 1].role != "assistant":
        asked -= 1
    while asked and messages[asked - 1].role == "assistant":
        asked -= 1
    return asked
