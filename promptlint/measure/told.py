"""The axis of what moved while nothing was changed, told by its text: a clock shows what it is."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from promptlint.captures.kinds import Kind, kind_of
from promptlint.layout import Axis, Cause, CauseKind, Scope, Source
from promptlint.measure.measurement import Comparison
from promptlint.worlds.compare import Region
from promptlint.worlds.moving import Trial
from promptlint.worlds.units import TOOLS, Unit, UnitKey

_CLOCKS = frozenset({CauseKind.CLOCK, CauseKind.AGE})


def told_trials(
    comparison: Comparison,
    regions: Iterable[Region],
    old: Mapping[UnitKey, Unit],
    new: Mapping[UnitKey, Unit],
) -> list[Trial]:
    """A trial for each axis that these regions of one comparison tell by their text."""
    trials: dict[tuple[Axis, Scope], list[Region]] = {}
    for region in regions:
        kind = _kind(region, comparison.axis, old, new)
        told = replace(region, cause=Cause(kind.cause)) if kind.cause else region
        trials.setdefault(_axis_and_scope(kind, comparison), []).append(told)
    return [Trial(axis, scope, tuple(found)) for (axis, scope), found in trials.items()]


def _kind(
    region: Region, axis: Axis, old: Mapping[UnitKey, Unit], new: Mapping[UnitKey, Unit]
) -> Kind:
    if region.unit == TOOLS or region.order or region.unit not in old or region.unit not in new:
        return Kind(axis, None)
    before = old[region.unit].lines(region.unit_start, region.unit_end)
    after = new[region.unit].lines(region.after_start, region.after_end)
    return kind_of(before, after, Source.UNKNOWN, axis)


def _axis_and_scope(kind: Kind, comparison: Comparison) -> tuple[Axis, Scope]:
    if kind.cause not in _CLOCKS:
        return comparison.axis, comparison.scope
    if comparison.scope is Scope.WITHIN:
        return kind.axis, Scope.WITHIN
    return (Axis.DAY if kind.axis is Axis.DAY else Axis.CLOCK_AT_START), Scope.BETWEEN
