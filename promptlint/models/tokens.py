"""Rows of numbers that share what they have in common: a growing prompt's tokens."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import TypeAlias, overload

from promptlint.same_objects import same_objects


class Tokens(Sequence[int]):
    """Token ids, or the characters at which tokens start; equal to the tuple of them.

    They are kept in chunks that never change. A row that goes on from another one holds
    its chunks, so it takes memory for what is new, and what both share need not be compared.
    """

    __slots__ = ("_chunks", "_ends")

    def __init__(self, chunks: tuple[tuple[int, ...], ...], ends: tuple[int, ...]) -> None:
        """`ends` are the numbers of items up to the end of each chunk; no chunk is empty."""
        self._chunks = chunks
        self._ends = ends

    @classmethod
    def of(cls, row: "Row") -> "Tokens":
        """The row itself if it shares already, else in one chunk."""
        if isinstance(row, Tokens):
            return row
        return cls((row,), (len(row),)) if row else NO_TOKENS

    def shared(self, other: "Tokens") -> int:
        """How many items at the start are known to be equal, since the chunks are the same."""
        return self._start(same_objects(self._chunks, other._chunks))

    def beside(
        self, other: "Tokens", start: int
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """What stands in both rows from an item on, in pieces of equal length."""
        end = min(len(self), len(other))
        while start < end:
            one, two = self._chunk_from(start), other._chunk_from(start)
            length = min(len(one), len(two))
            yield one[:length], two[:length]
            start += length

    def rank(self, value: int) -> int:
        """How many items are smaller, where they never decrease."""
        number = bisect_left(self._chunks, value, key=itemgetter(-1))
        if number == len(self._chunks):
            return len(self)
        return self._start(number) + bisect_left(self._chunks[number], value)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> "Tokens": ...
    def __getitem__(self, index: int | slice) -> "int | Tokens":
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return self._between(start, stop) if step == 1 else Tokens.of(tuple(self)[index])
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        number = bisect_right(self._ends, place)
        return self._chunks[number][place - self._start(number)]

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._chunks)

    def __add__(self, other: "Row") -> "Tokens":
        length = len(self)
        added = Tokens.of(other)
        ends = (length + end for end in added._ends)
        return Tokens(self._chunks + added._chunks, (*self._ends, *ends))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | Tokens):
            return NotImplemented
        return len(self) == len(other) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _start(self, number: int) -> int:
        """Where a chunk starts."""
        return self._ends[number - 1] if number else 0

    def _chunk_from(self, place: int) -> tuple[int, ...]:
        """The rest of a chunk from an item on."""
        number = bisect_right(self._ends, place)
        return self._chunks[number][place - self._start(number) :]

    def _between(self, start: int, stop: int) -> "Tokens":
        if start >= stop:
            return NO_TOKENS
        first, last = bisect_right(self._ends, start), bisect_left(self._ends, stop)
        chunks = list(self._chunks[first : last + 1])
        # The end is cut first: the chunk may be the one whose start is cut as well.
        chunks[-1] = chunks[-1][: stop - self._start(last)]
        chunks[0] = chunks[0][start - self._start(first) :]
        ends = self._ends[first:last]
        if start:
            ends = tuple([end - start for end in ends])
        return Tokens(tuple(chunks), (*ends, stop - start))


NO_TOKENS = Tokens((), ())

Row: TypeAlias = tuple[int, ...] | Tokens
"""Numbers in a row, whether they share or not."""


def rank(row: Row, value: int) -> int:
    """How many items of a row are smaller, where they never decrease."""
    return row.rank(value) if isinstance(row, Tokens) else bisect_left(row, value)
