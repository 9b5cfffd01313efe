"""What most of the captured text was sent with: small requests stand before and between it."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from promptlint.captures.growing_map import GrowingMap
from promptlint.captures.read import CapturedRequest
from promptlint.request import Message

Kind = TypeVar("Kind")


def most_sent(
    captured: Iterable[CapturedRequest], kind_of: Callable[[CapturedRequest], Kind]
) -> Kind | None:
    """The kind of request that sends the most characters; of equal ones the first.

    None where nothing was captured.
    """
    lengths = GrowingMap(_length)
    sent: Counter[Kind] = Counter()
    for item in captured:
        system = sum(len(block.text) for block in item.request.system)
        sent[kind_of(item)] += system + sum(lengths(item.request.messages))
    return max(sent, key=lambda kind: sent[kind], default=None)


def _length(message: Message) -> int:
    return sum(len(block.text) for block in message.blocks)
