"""What was tried on a builder, and what came of it."""

from collections.abc import Iterable

from msgspec import Struct, field

from promptlint.layout import Axis, AxisReport, AxisState, CauseKind, Scope
from promptlint.measure.attempts import Attempt, Skip
from promptlint.measure.context_files import ContextFile
from promptlint.measure.shot import Judged, Shot, same


class Comparison(Struct, frozen=True):
    """Two calls to compare: what differs moved on `axis` in `scope`.

    `default` is its cause where none was seen. `removed` is the file that was taken
    away: what differs then is its section. `by_itself` says that nothing was changed between
    the calls: what differs is no other axis's, and its text tells whether it is a clock.
    """

    axis: Axis
    scope: Scope
    before: Shot
    after: Shot
    default: CauseKind = CauseKind.OTHER
    removed: ContextFile | None = None
    judged: Judged = Judged.OLD
    by_itself: bool = False


class Failure(Struct, frozen=True):
    """A changed world in which the builder could not be called, and why."""

    why: str


class Measurement(Struct):
    """What was tried: the base call, the comparisons in which something moved, the axes.

    `real_clock` says that the clock could not be changed and went on between all calls,
    `hardly_tried` are axes of which one change proves little.
    """

    base: Shot
    again: Shot
    comparisons: list[Comparison] = field(default_factory=list)
    axes: dict[tuple[Axis, Scope], AxisReport] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    hardly_tried: set[Axis] = field(default_factory=set)
    real_clock: bool = False

    def skip(self, skips: Iterable[Skip]) -> None:
        """Say of these axes that they were not exercised."""
        for skip in skips:
            state = AxisReport(skip.axis, AxisState.NOT_EXERCISED, skip.why)
            self.axes.setdefault((skip.axis, skip.scope), state)

    def compare(self, attempt: Attempt, before: Shot, after: Shot | Failure) -> None:
        """Note the outcome of an attempt."""
        key = (attempt.axis, attempt.scope)
        if isinstance(after, Failure):
            # A builder may need a file that was taken away: that says nothing about the axis.
            if attempt.removed is None:
                failed = AxisReport(attempt.axis, AxisState.FAILED, after.why)
                self.axes.setdefault(key, failed)
            return
        self.axes.setdefault(key, AxisReport(attempt.axis, AxisState.EXERCISED))
        if not same(before, after, attempt.judged):
            self.comparisons.append(
                Comparison(
                    attempt.axis,
                    attempt.scope,
                    before,
                    after,
                    attempt.default,
                    attempt.removed,
                    attempt.judged,
                )
            )

    def moved_on(self, axis: Axis) -> bool:
        """Whether anything moved on this axis."""
        return any(comparison.axis is axis for comparison in self.comparisons)
