"""The comparable units of a rendered request: system text, tools, each message, template."""

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from promptlint.layout import Part
from promptlint.sections.mark import Mark
from promptlint.sections.names import source_of_name
from promptlint.templates.leaf import Leaf, Run

UnitKey = tuple[str, int]

SYSTEM: UnitKey = ("system", 0)
TOOLS: UnitKey = ("tools", 0)
TEMPLATE: UnitKey = ("template", 0)
ARGUMENTS: UnitKey = ("arguments", 0)
UNTRACED: UnitKey = ("unknown", 0)


class Unit(Struct, frozen=True):
    """The text of one unit and where its pieces stand in the rendered text (characters)."""

    key: UnitKey
    text: str
    pieces: tuple[tuple[int, int], ...]

    def rendered_at(self, offset: int) -> int:
        """Where the unit's character `offset` stands; its end maps to the end of the last piece."""
        starts: list[int] = []
        total = 0
        for start, end in self.pieces:
            starts.append(total)
            total += end - start
        index = max(bisect_right(starts, offset) - 1, 0)
        return self.pieces[index][0] + offset - starts[index]

    def rendered_end(self, offset: int) -> int:
        """Where a run that ends before the unit's character `offset` ends."""
        return self.rendered_at(offset - 1) + 1 if offset else self.pieces[0][0]

    def offsets(self, start: int, end: int) -> tuple[int, int]:
        """The unit's own offsets of the rendered characters `start` to `end`."""
        offset, found = 0, []
        for piece_start, piece_end in self.pieces:
            low, high = max(start, piece_start), min(end, piece_end)
            if low < high:
                found += [offset + low - piece_start, offset + high - piece_start]
            offset += piece_end - piece_start
        return (found[0], found[-1]) if found else (0, 0)

    def lines(self, start: int, end: int) -> str:
        """The whole lines that hold the unit's characters `start` to `end`."""
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", end)
        return self.text[first : len(self.text) if last < 0 else last]

    def part(self) -> Part:
        """The part of the request that the unit belongs to."""
        return part_of(self.key)


def units(text: str, runs: tuple[Run, ...]) -> dict[UnitKey, Unit]:
    """The units of a rendered text, by key, in the order in which they first appear."""
    pieces: dict[UnitKey, list[tuple[int, int]]] = {}
    for run in runs:
        if run.start == run.end:
            continue
        found = pieces.setdefault(unit_of(run.leaf), [])
        if found and found[-1][1] == run.start:
            found[-1] = (found[-1][0], run.end)
        else:
            found.append((run.start, run.end))
    return {
        key: Unit(key, "".join(text[a:b] for a, b in found), tuple(found))
        for key, found in pieces.items()
    }


def unit_of(leaf: Leaf | None) -> UnitKey:
    """The unit that a run of rendered text belongs to."""
    if leaf is None:
        return TEMPLATE
    match leaf:
        case ("system", "role") | ("messages", int(), "role"):
            return TEMPLATE  # a role's name is the template's word, whoever spelled it
        case ("system", *_):
            return SYSTEM
        case ("tools", *_):
            return TOOLS
        case ("messages", int(index), *_):
            return ("messages", index)
        case ("arguments", *_):
            return ARGUMENTS
        case ("unknown", *_):
            return UNTRACED
        case _:
            return TEMPLATE


def part_of(key: UnitKey) -> Part:
    """The part of the request that a unit belongs to; untraced text counts as the template's."""
    match key[0]:
        case "system":
            return Part.SYSTEM
        case "tools":
            return Part.TOOLS
        case "messages":
            return Part.MESSAGES
        case _:
            return Part.TEMPLATE


def named_blocks(runs: tuple[Run, ...], names: Sequence[str | None]) -> list[Mark]:
    """Marks for the system blocks that the builder named, in the system unit's own text."""
    marks = []
    at = 0
    for run in runs:
        if unit_of(run.leaf) != SYSTEM or run.leaf is None:
            continue
        index = run.leaf[1] if len(run.leaf) > 1 else None
        name = names[index] if isinstance(index, int) and index < len(names) else None
        if name:
            source = source_of_name(name)
            marks.append(Mark(at, at + run.end - run.start, source or name, name))
        at += run.end - run.start
    return marks
