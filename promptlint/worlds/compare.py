"""Two renderings compared: the regions of the first that differ in the second."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Cause
from promptlint.worlds.hunks import Hunk, hunks, same_words
from promptlint.worlds.units import SYSTEM, TOOLS, Unit, UnitKey

_ORDER_UNITS = (SYSTEM, TOOLS)


class Region(Struct, frozen=True):
    """A run of the base text that reads otherwise in another world.

    `start` and `end` are characters of the whole base rendering, `unit_start` and
    `unit_end` of the unit's own text, `after_start` and `after_end` of the unit's
    text in the other world. An insertion is empty in the base. `order` says that
    the same words stand there in another order.
    """

    unit: UnitKey
    start: int
    end: int
    unit_start: int
    unit_end: int
    after_start: int
    after_end: int
    before: str
    after: str
    order: bool = False
    cause: Cause | None = None


def compare(
    base: Mapping[UnitKey, Unit],
    other: Mapping[UnitKey, Unit],
    skip: frozenset[UnitKey] = frozenset(),
) -> tuple[Region, ...]:
    """The moved regions of `base`, in rendered order. Units in `skip` never count as moving.

    A unit that only the other world has is an append and moves nothing, unless it
    is the system text or the tools.
    """
    found: list[Region] = []
    for key, unit in base.items():
        if key not in skip:
            twin = other[key].text if key in other else ""
            found += _regions(unit, twin)
    for key in _ORDER_UNITS:
        if key in other and key not in base:
            text = other[key].text
            found.append(Region(key, 0, 0, 0, 0, 0, len(text), "", text))
    return tuple(sorted(found, key=lambda region: (region.start, region.end)))


def _regions(unit: Unit, twin: str) -> Iterator[Region]:
    differing = hunks(unit.text, twin)
    if len(differing) > 1:
        hull = Hunk(
            differing[0].start,
            differing[-1].end,
            differing[0].after_start,
            differing[-1].after_end,
        )
        if same_words(unit.text[hull.start : hull.end], twin[hull.after_start : hull.after_end]):
            yield region(unit, twin, hull, order=True)
            return
    for hunk in differing:
        yield region(unit, twin, hunk)


def region(unit: Unit, twin: str, hunk: Hunk, *, order: bool = False) -> Region:
    """The region that a hunk of the unit's text makes in the rendered text."""
    start = unit.rendered_at(hunk.start)
    end = unit.rendered_end(hunk.end) if hunk.end > hunk.start else start
    return Region(
        unit.key,
        start,
        end,
        hunk.start,
        hunk.end,
        hunk.after_start,
        hunk.after_end,
        unit.text[hunk.start : hunk.end],
        twin[hunk.after_start : hunk.after_end],
        order=order,
    )


def carried(
    regions: Iterable[Region], source: Mapping[UnitKey, Unit], target: Mapping[UnitKey, Unit]
) -> tuple[Region, ...]:
    """Regions of one rendering, found again in another rendering of the same prompt.

    A unit that neither rendering has can only have been inserted: it stays where it is.
    """
    return tuple(
        _carried(region, source[region.unit], target[region.unit])
        if region.unit in source
        else region
        for region in regions
        if region.unit in target or region.unit not in source
    )


def _carried(found: Region, source: Unit, target: Unit) -> Region:
    if source == target:
        return found
    shifts = hunks(source.text, target.text)
    start = _shifted(found.unit_start, shifts, at_end=False)
    end = max(start, _shifted(found.unit_end, shifts, at_end=True))
    return replace(
        found,
        unit_start=start,
        unit_end=end,
        start=target.rendered_at(start),
        end=target.rendered_end(end) if end > start else target.rendered_at(start),
    )


def _shifted(at: int, shifts: tuple[Hunk, ...], *, at_end: bool) -> int:
    shift = 0
    for hunk in shifts:
        if at < hunk.start or (at_end and at == hunk.start):
            break
        if at < hunk.end or (at_end and at == hunk.end):
            return hunk.after_end if at_end else hunk.after_start
        shift = hunk.after_end - hunk.end
    return at + shift
