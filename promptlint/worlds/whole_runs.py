"""A moving run is of one section, though some of its words may be literals of the source."""

from collections.abc import Iterable, Mapping, Sequence

from promptlint.layout import Source
from promptlint.sections.mark import Mark
from promptlint.sections.tile import tile
from promptlint.worlds.moving import MovingRun
from promptlint.worlds.units import Unit, UnitKey

_UNNAMED = frozenset({Source.BASE, Source.UNKNOWN})


def whole_runs(
    sections: Mapping[UnitKey, tuple[Mark, ...]],
    units: Mapping[UnitKey, Unit],
    runs: Iterable[MovingRun],
) -> dict[UnitKey, tuple[Mark, ...]]:
    """The sections, with each moving run inside unnamed text in one mark."""
    whole: dict[UnitKey, list[Mark]] = {}
    for run in runs:
        if run.unit in sections and run.start < run.end:
            start, end = units[run.unit].offsets(run.start, run.end)
            mark = _one_mark(sections[run.unit], start, end)
            if mark is not None:
                whole.setdefault(run.unit, []).append(mark)
    return {
        key: tile(units[key].text, [marks, whole[key]]) if key in whole else marks
        for key, marks in sections.items()
    }


def _one_mark(marks: Sequence[Mark], start: int, end: int) -> Mark | None:
    inside = [mark for mark in marks if mark.start < end and start < mark.end]
    if len(inside) < 2 or any(mark.source not in _UNNAMED for mark in inside):
        return None
    # The sentence that a value stands in is the base prompt's if any of it is.
    base = next((mark for mark in inside if mark.source == Source.BASE), inside[0])
    return Mark(start, end, base.source, base.label, base.confidence, base.origin)
