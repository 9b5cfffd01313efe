"""Piece lists: the provenance of a text, piece by piece."""

from collections.abc import Sequence
from typing import NamedTuple

from promptlint.templates.leaf import Leaf, Run


class Piece(NamedTuple):
    """`length` characters in a row from one leaf, starting there at `offset`."""

    length: int
    leaf: Leaf | None
    offset: int | None


Pieces = Sequence[Piece]


def cut(pieces: Pieces, start: int, end: int) -> list[Piece]:
    """The pieces of the characters from `start` to before `end`."""
    result = []
    position = 0
    for length, leaf, offset in pieces:
        if position >= end:
            break
        first, last = max(start - position, 0), min(end - position, length)
        if first < last:
            result.append(Piece(last - first, leaf, None if offset is None else offset + first))
        position += length
    return result


def as_runs(pieces: Pieces) -> tuple[Run, ...]:
    """The pieces as runs that tile the text; neighbours that continue each other are one run."""
    runs: list[Run] = []
    start = run_start = 0
    run_leaf: Leaf | None = None
    run_offset: int | None = None
    for length, leaf, offset in pieces:
        follows = None if run_offset is None else run_offset + start - run_start
        if start > run_start and (leaf != run_leaf or offset != follows):
            runs.append(Run(run_start, start, run_leaf, run_offset))
            run_start = start
        if start == run_start:
            run_leaf, run_offset = leaf, offset
        start += length
    if start > run_start:
        runs.append(Run(run_start, start, run_leaf, run_offset))
    return tuple(runs)
