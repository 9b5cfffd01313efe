"""Tokenise a growing prompt in time linear in what is new.

The start that a text shares with an earlier one keeps its tokens. The rest is cut again:
from the last special token that stands wholly in what is shared, since these are found
before all others. Where there is none, from a point well before the shared end, and the new
tokens are taken over from where they have fallen in with the old ones for long enough.
"""

from collections import deque

from msgspec import Struct

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Encoding, Tokenizer, TokenizerWithBarriers
from promptlint.models.tokens import Tokens, rank

_MARGIN = 256
"""Characters before the shared end whose tokens may still change."""
_AGREEING = 24
"""Tokens that must be equal before the new ones are joined to the old."""
_LOOKED_BACK = 256
"""Tokens: a special token further back saves less than it costs to cut again from there."""
_REMEMBERED = 8


class _Known(Struct, frozen=True):
    text: str
    encoding: Encoding


class IncrementalTokenizer:
    """A tokenizer that remembers the last texts it cut. Its tokens are those of `inner`."""

    def __init__(self, inner: Tokenizer) -> None:
        self._inner = inner
        self._barriers = inner if isinstance(inner, TokenizerWithBarriers) else None
        self._known: deque[_Known] = deque(maxlen=_REMEMBERED)

    def encode(self, text: str) -> Encoding:
        """The tokens of `text`."""
        shared, nearest = max(
            ((common_prefix(text, known.text), known) for known in self._known),
            key=lambda pair: pair[0],
            default=(0, None),
        )
        encoding = None
        if nearest:
            encoding = self._from_barrier(text, nearest.encoding, shared)
            encoding = encoding or self._joined(text, nearest.encoding, shared)
        if encoding is None:
            encoding = self._inner.encode(text)
        if nearest and shared > len(nearest.text) - _MARGIN:
            self._known.remove(nearest)
        self._known.append(_Known(text, encoding))
        return encoding

    def _from_barrier(self, text: str, old: Encoding, shared: int) -> Encoding | None:
        """Old tokens up to a special one, and the new ones from there on; None without one."""
        if self._barriers is None:
            return None
        characters = self._barriers.barriers
        end = rank(old.starts, shared)
        first = max(end - _LOOKED_BACK, 0)
        for back, token in enumerate(reversed(tuple(old.ids[first:end])), start=1):
            kept, length = end - back, characters.get(token)
            if length is not None and old.starts[kept] + length <= shared:
                start = old.starts[kept]
                return _put_together(old, kept, self._inner.encode(text[start:]), 0, start)
        return None

    def _joined(self, text: str, old: Encoding, shared: int) -> Encoding | None:
        """Old tokens, then new ones; None where they never fall in with each other."""
        window = _MARGIN
        while window < shared - _MARGIN:
            first = rank(old.starts, shared - _MARGIN - window)
            start = old.starts[first]
            tail = self._inner.encode(text[start:])
            joint = _joint(old, first, tail, shared - _MARGIN)
            if joint is not None:
                kept, dropped = joint
                return _put_together(old, kept, tail, dropped, start)
            window *= 4
        return None


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
