"""Tokenise a growing prompt in time linear in what is new.

The start that a text shares with an earlier one keeps its tokens. The rest is cut again:
from the last special token that stands wholly in what is shared, since these are found
before all others. Where there is none, from a point well before the shared end, and the new
tokens are taken over from where they have fallen in with the old ones for long enough.
"""

from collections import deque

from msgspec import Struct

from promptlint.captures.barriers import Barriers
from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Encoding, Tokenizer, TokenizerWithBarriers
from promptlint.models.tokens import Tokens, rank

_MARGIN = 256
"""Characters before the shared end whose tokens may still change."""
_AGREEING = 24
"""Tokens that must be equal before the new ones are joined to the old."""
_REMEMBERED = 8
_NOTHING = Encoding((), ())


class Cut(Struct, eq=False):
    """A text that goes on from another one, with which it shares its first characters.

    `start` is where it is cut again, None where its tokens have to fall in with the old ones.
    `after` is let go once its tokens are known.
    """

    text: str
    after: "Cut | None"
    shared: int
    start: int | None
    encoding: Encoding = _NOTHING

    @property
    def tail(self) -> str:
        """What is known before to need new tokens."""
        return "" if self.start is None else self.text[self.start :]


class IncrementalTokens:
    """Remembers the last texts and their tokens, which are those that `tokenizer` gives.

    Texts are cut first, and put together with the tokens of their tails later, in their order.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self._barriers = Barriers(
            tokenizer.barriers if isinstance(tokenizer, TokenizerWithBarriers) else ()
        )
        self._known: deque[Cut] = deque(maxlen=_REMEMBERED)

    def cut(self, text: str) -> Cut:
        """Where a text has to be cut again."""
        shared, nearest = max(
            ((common_prefix(text, known.text), known) for known in self._known),
            key=lambda pair: pair[0],
            default=(0, None),
        )
        start = self._barriers.last(text, shared)
        if start is None and shared <= 2 * _MARGIN:
            start = 0
        cut = Cut(text, nearest, shared, start)
        if nearest and shared > len(nearest.text) - _MARGIN:
            self._known.remove(nearest)
        self._known.append(cut)
        return cut

    def whole(self, cut: Cut, tail: Encoding) -> Encoding:
        """The tokens of a text, given those of its tail."""
        old, cut.after = cut.after, None
        if cut.start is None:
            joined = old and self._joined(cut.text, old.encoding, cut.shared)
            cut.encoding = joined or self.tokenizer.encode(cut.text)
        else:
            cut.encoding = _from_barrier(old, cut.start, tail)
        return cut.encoding

    def _joined(self, text: str, old: Encoding, shared: int) -> Encoding | None:
        """Old tokens, then new ones; None where they never fall in with each other."""
        window = _MARGIN
        while window < shared - _MARGIN:
            first = rank(old.starts, shared - _MARGIN - window)
            if first == len(old.starts):
                return None
            start = old.starts[first]
            tail = self.tokenizer.encode(text[start:])
            joint = _joint(old, first, tail, shared - _MARGIN)
            if joint is not None:
                kept, dropped = joint
                return _put_together(old, kept, tail, dropped, start)
            window *= 4
        return None


def _from_barrier(old: Cut | None, start: int, tail: Encoding) -> Encoding:
    """The old tokens before the barrier at character `start`, and those of the text from there on.

    A tokenizer that trims its offsets lets white space in front of a barrier start there as well.
    """
    if old is None or not start:
        return tail
    kept = rank(old.encoding.starts, start)
    kept += tuple(old.encoding.ids[kept:]).index(tail.ids[0])
    return _put_together(old.encoding, kept, tail, 0, start)


def _put_together(old: Encoding, kept: int, tail: Encoding, dropped: int, start: int) -> Encoding:
    """The first old tokens, and those of the text from character `start` on but for the first."""
    return Encoding(
        Tokens.of(old.ids)[:kept] + tail.ids[dropped:],
        Tokens.of(old.starts)[:kept] + tuple([start + s for s in tail.starts[dropped:]]),
    )


def _joint(old: Encoding, start: int, tail: Encoding, limit: int) -> tuple[int, int] | None:
    """Where old and new tokens agree: the old ones to keep, the new ones to drop.

    The last tokens before character `limit` must be equal, start for start.
    """
    base = old.starts[start]
    kept = rank(old.starts, limit)
    if kept == len(old.starts):
        return None
    dropped = rank(tail.starts, old.starts[kept] - base)
    first_old, first_new = kept - _AGREEING, dropped - _AGREEING
    if first_old < start or first_new < 0:
        return None
    equal_ids = old.ids[first_old : kept + 1] == tail.ids[first_new : dropped + 1]
    new_starts = tuple(base + s for s in tail.starts[first_new : dropped + 1])
    agree = equal_ids and old.starts[first_old : kept + 1] == new_starts
    return (kept, dropped) if agree else None
