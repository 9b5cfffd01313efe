"""What a measurement has tried: only of that can it be said that it stayed still."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from promptlint.layout import Axis, AxisState, Scope
from promptlint.location import Location
from promptlint.measure.measurement import Measurement


@dataclass(frozen=True, slots=True)
class Exercised:
    """The lines of the project that ran in the base world, by file, and the axes that were tried.

    No lines: it is not known which ran.
    """

    lines: Mapping[str, frozenset[int]] = field(default_factory=dict)
    axes: frozenset[tuple[Axis, Scope]] = frozenset()

    def ran(self, places: Iterable[Location]) -> bool:
        """Whether something of each of these places ran."""
        return all(
            not self.lines.get(place.path, frozenset()).isdisjoint(_lines(place))
            for place in places
        )


def exercised(measurement: Measurement, lines: Mapping[str, frozenset[int]] | None) -> Exercised:
    """What was tried, and tried often enough to show whatever moves on it."""
    tried = (
        key
        for key, report in measurement.axes.items()
        if report.state is AxisState.EXERCISED and report.axis not in measurement.hardly_tried
    )
    return Exercised(lines or {}, frozenset(tried))


def _lines(place: Location) -> range:
    first = place.line or 0
    return range(first, max(first, place.end_line or first) + 1)
