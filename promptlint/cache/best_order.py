"""The system text of a conversation with what stays in front of what moves.

Sections move as wholes, the ones that change least often first. Text that no heading or tag
names is moved by its lines: those that every request has stay together.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from promptlint.captures.common_prefix import common_prefix
from promptlint.layout import Source
from promptlint.request import Block, Mark, Request
from promptlint.sections.find import Knowledge, find_sections

_GAP = "\n\n"
"""Behind a piece that was the last one of its block."""

_Key = tuple[str, int]
"""The name of a piece, and how many of that name stand before it."""


class _Piece(Struct, frozen=True):
    """A run of text that moves as a whole. `gap` is the blank behind it in its block.

    `mark` is the breakpoint of its block, if the block ends with it.
    """

    key: _Key
    block: int
    text: str
    gap: str
    mark: Mark


def best_order(requests: Sequence[Request]) -> tuple[Request, ...]:
    """The requests of one conversation, their system texts in the order that shares most.

    They stay as they are where no other order shares more.
    """
    kept = _lines_of_all(requests)
    pieces = [_numbered(_pieces(request, kept)) for request in requests]
    changes = _changes(pieces)
    ordered = tuple(
        replace(request, system=_blocks(request, sorted(own, key=lambda p: changes[p.key])))
        for request, own in zip(requests, pieces, strict=True)
    )
    return ordered if _shared(ordered) > _shared(requests) else tuple(requests)


def _lines_of_all(requests: Sequence[Request]) -> frozenset[str]:
    lines = [frozenset(request.system_text.splitlines()) for request in requests]
    return lines[0].intersection(*lines[1:])


def _pieces(request: Request, kept: frozenset[str]) -> Iterator[tuple[str, _Piece]]:
    """The pieces of a system text in their order, each with its name."""
    for number, block in enumerate(request.system):
        runs = [run for run in _runs(block.text, kept) if run[1].strip()] or [("", block.text)]
        for index, (name, run) in enumerate(runs, start=1):
            text = run.rstrip()
            mark = block.mark if index == len(runs) else None
            yield name, _Piece((name, 0), number, text, run[len(text) :], mark)


def _runs(text: str, kept: frozenset[str]) -> Iterator[tuple[str, str]]:
    for mark in find_sections(text, Knowledge()):
        section = text[mark.start : mark.end]
        if mark.source != Source.UNKNOWN:
            yield f"{mark.source} {mark.label}", section
            continue
        lines = section.splitlines(keepends=True)
        for stays, run in groupby(lines, key=lambda line: line.rstrip("\r\n") in kept):
            yield f"{mark.source} {stays}", "".join(run)


def _numbered(pieces: Iterator[tuple[str, _Piece]]) -> list[_Piece]:
    seen: Counter[str] = Counter()
    numbered = []
    for name, piece in pieces:
        numbered.append(replace(piece, key=(name, seen[name])))
        seen[name] += 1
    return numbered


def _changes(turns: Sequence[Sequence[_Piece]]) -> Counter[_Key]:
    """How many requests have a piece otherwise than the request before them, or lack it."""
    texts = [{piece.key: piece.text for piece in turn} for turn in turns]
    return Counter(
        key
        for before, after in pairwise(texts)
        for key in {*before, *after}
        if before.get(key) != after.get(key)
    )


def _blocks(request: Request, pieces: Sequence[_Piece]) -> tuple[Block, ...]:
    """Pieces as blocks: neighbours from one block stay one, and its breakpoint moves along."""
    blocks = []
    for number, group in groupby(pieces, key=lambda piece: piece.block):
        *before, last = group
        text = "".join(f"{piece.text}{piece.gap or _GAP}" for piece in before)
        mark = next((piece.mark for piece in (*before, last) if piece.mark is not None), None)
        blocks.append(replace(request.system[number], text=text + last.text, mark=mark))
    return tuple(blocks)


def _shared(requests: Sequence[Request]) -> int:
    """The characters of their system texts that requests share with the one before them."""
    return sum(common_prefix(a.system_text, b.system_text) for a, b in pairwise(requests))
