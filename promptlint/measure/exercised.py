"""What a measurement has tried: only of that can it be said that it stayed still."""

from collections.abc import Mapping

from msgspec import Struct, field

from promptlint.builders.answer import Answer
from promptlint.layout import Axis, AxisState, Scope
from promptlint.location import Location
from promptlint.measure.measurement import Measurement

Lines = Mapping[str, frozenset[int]]


class Exercised(Struct, frozen=True):
    """The lines of the project that ran in the base world, by file, and the axes that were tried.

    `import_lines` are those that the import ran. No lines: it is not known which ran.
    """

    lines: Lines = field(default_factory=dict)
    import_lines: Lines = field(default_factory=dict)
    axes: frozenset[tuple[Axis, Scope]] = frozenset()

    def ran(self, place: Location) -> bool:
        """Whether something of this place ran."""
        return not self._of(self.lines, place).isdisjoint(_lines(place))

    def called(self, place: Location) -> bool:
        """Whether something of this place ran first when the builder was called."""
        ran = self._of(self.lines, place) - self._of(self.import_lines, place)
        return not ran.isdisjoint(_lines(place))

    def _of(self, lines: Lines, place: Location) -> frozenset[int]:
        return lines.get(place.path, frozenset())


def exercised(measurement: Measurement, answer: Answer | None) -> Exercised:
    """What was tried, and tried often enough to show whatever moves on it."""
    tried = frozenset(
        key
        for key, report in measurement.axes.items()
        if report.state is AxisState.EXERCISED and report.axis not in measurement.hardly_tried
    )
    if answer is None:
        return Exercised(axes=tried)
    return Exercised(answer.executed or {}, answer.import_lines or {}, tried)


def _lines(place: Location) -> range:
    first = place.line or 0
    return range(first, max(first, place.end_line or first) + 1)
