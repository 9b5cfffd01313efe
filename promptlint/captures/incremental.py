"""Tokenise a growing prompt in time linear in what is new.

The start that a text shares with an earlier one keeps its tokens. The rest is cut again
from a point well before the shared end, and the new tokens are taken over from where
they have fallen in with the old ones for long enough.
"""

from bisect import bisect_left
from collections import deque
from dataclasses import dataclass

from promptlint.captures.common_prefix import common_prefix
from promptlint.models.model import Encoding, Tokenizer

_MARGIN = 256
"""Characters before the shared end whose tokens may still change."""
_AGREEING = 24
"""Tokens that must be equal before the new ones are joined to the old."""
_REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class _Known:
    text: str
    encoding: Encoding


class IncrementalTokenizer:
    """A tokenizer that remembers the last texts it cut. Its tokens are those of `inner`."""

    def __init__(self, inner: Tokenizer) -> None:
        self._inner = inner
        self._known: deque[_Known] = deque(maxlen=_REMEMBERED)

    def encode(self, text: str) -> Encoding:
        """The tokens of `text`."""
        shared, nearest = max(
            ((common_prefix(text, known.text), known) for known in self._known),
            key=lambda pair: pair[0],
            default=(0, None),
        )
        encoding = self._joined(text, nearest, shared) if nearest else None
        if encoding is None:
            encoding = self._inner.encode(text)
        if nearest and shared > len(nearest.text) - _MARGIN:
            self._known.remove(nearest)
        self._known.append(_Known(text, encoding))
        return encoding

    def _joined(self, text: str, known: _Known, shared: int) -> Encoding | None:
        """Old tokens, then new ones; None where they never fall in with each other."""
        old = known.encoding
        window = _MARGIN
        while window < shared - _MARGIN:
            start = _token_start(old, shared - _MARGIN - window)
            tail = self._inner.encode(text[old.starts[start] :])
            joint = _joint(old, start, tail, shared - _MARGIN)
            if joint is not None:
                kept, dropped = joint
                base = old.starts[start]
                return Encoding(
                    old.ids[:kept] + tail.ids[dropped:],
                    old.starts[:kept] + tuple(base + s for s in tail.starts[dropped:]),
                )
            window *= 4
        return None


def _token_start(encoding: Encoding, char: int) -> int:
    """The index of the first token that starts at this character or after it."""
    return bisect_left(encoding.starts, char)


def _joint(old: Encoding, start: int, tail: Encoding, limit: int) -> tuple[int, int] | None:
    """Where old and new tokens agree: the old ones to keep, the new ones to drop.

    The last tokens before character `limit` must be equal, start for start.
    """
    base = old.starts[start]
    kept = bisect_left(old.starts, limit)
    if kept == len(old.starts):
        return None
    dropped = bisect_left(tail.starts, old.starts[kept] - base)
    first_old, first_new = kept - _AGREEING, dropped - _AGREEING
    if first_old < start or first_new < 0:
        return None
    equal_ids = old.ids[first_old : kept + 1] == tail.ids[first_new : dropped + 1]
    new_starts = tuple(base + s for s in tail.starts[first_new : dropped + 1])
    agree = equal_ids and old.starts[first_old : kept + 1] == new_starts
    return (kept, dropped) if agree else None
