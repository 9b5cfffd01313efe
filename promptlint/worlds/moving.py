"""The moving runs of a prompt: the regions of every trial laid over each other."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Axis, Cause, Lifetime, Scope
from promptlint.worlds.axes import lifetime_of
from promptlint.worlds.compare import Region
from promptlint.worlds.units import UnitKey

# Two regions of one trial from one call belong together when no more than this stands between them.
_NEAR = 40


class Trial(Struct, frozen=True):
    """What moved when one axis was changed in one scope."""

    axis: Axis
    scope: Scope
    regions: tuple[Region, ...]

    @property
    def lifetime(self) -> Lifetime:
        """How long what moved here lives."""
        return lifetime_of(self.axis, self.scope)


class MovingRun(Struct, frozen=True):
    """A run of the base text that moves for one cause, with the region of each trial that moved it.

    `start` and `end` are characters of the whole rendered text.
    """

    unit: UnitKey
    start: int
    end: int
    moved_by: tuple[tuple[Trial, Region], ...]
    cause: Cause | None
    order: bool

    @property
    def lifetime(self) -> Lifetime:
        """The shortest lifetime of the trials that moved it."""
        return min(trial.lifetime for trial, _ in self.moved_by)


def moving_runs(trials: Sequence[Trial], text: str) -> tuple[MovingRun, ...]:
    """The moving runs in rendered order. They do not overlap; an insertion is an empty run."""
    moved = [(trial, region) for trial in trials for region in _gathered(trial.regions, text)]
    cuts = sorted({at for _, region in moved for at in (region.start, region.end)})
    atoms: dict[tuple[int, int], list[tuple[Trial, Region]]] = {}
    for start, end in pairwise(cuts):
        covering = [pair for pair in moved if _covers(pair[1], start, end)]
        if covering:
            atoms[start, end] = covering
    for trial, region in moved:
        if region.start == region.end:
            atoms.setdefault(_home(region, atoms), []).append((trial, region))
    runs = sorted(
        (_run(start, end, moved_by) for (start, end), moved_by in atoms.items()),
        key=lambda run: (run.start, run.end),
    )
    return tuple(_merged(runs, text))


def _covers(region: Region, start: int, end: int) -> bool:
    return region.start < region.end and region.start <= start and end <= region.end


def _home(
    insertion: Region, atoms: Mapping[tuple[int, int], Sequence[tuple[Trial, Region]]]
) -> tuple[int, int]:
    """Where an insertion belongs: text beside it that moves for another reason, else itself."""
    at = insertion.start
    beside = [
        (start, end)
        for (start, end), moved_by in atoms.items()
        if at in {start, end} and moved_by[0][1].unit == insertion.unit
    ]
    # The text behind it is where the renderings part.
    return max(beside, default=(at, at))


def _gathered(regions: Iterable[Region], text: str) -> list[Region]:
    """Join the neighbouring regions of one line that have one cause."""
    found: list[Region] = []
    for region in sorted(regions, key=lambda region: (region.start, region.end)):
        last = found[-1] if found else None
        if last and _same_call(last, region) and _one_line(text, last.end, region.start):
            found[-1] = replace(
                last,
                end=max(last.end, region.end),
                unit_end=max(last.unit_end, region.unit_end),
                after_end=max(last.after_end, region.after_end),
                before=f"{last.before}{text[last.end : region.start]}{region.before}",
                after=f"{last.after}{text[last.end : region.start]}{region.after}",
            )
        elif last and region == last:
            continue
        else:
            found.append(region)
    return found


def _same_call(one: Region, other: Region) -> bool:
    """Whether one call handed out both, or no call was seen and the cause is of one kind."""
    if one.unit != other.unit or other.start < one.end or one.cause is None or other.cause is None:
        return False
    return one.cause.location == other.cause.location and (
        one.cause.location is not None or one.cause.kind is other.cause.kind
    )


def _one_line(text: str, start: int, end: int) -> bool:
    return end - start <= _NEAR and "\n" not in text[start:end]


def _run(start: int, end: int, moved_by: Sequence[tuple[Trial, Region]]) -> MovingRun:
    _, region = min(moved_by, key=lambda pair: _primary(*pair))
    cause = region.cause or next((r.cause for _, r in moved_by if r.cause), None)
    order = all(region.order for _, region in moved_by)
    return MovingRun(region.unit, start, end, tuple(moved_by), cause, order)


def _primary(trial: Trial, region: Region) -> tuple[Lifetime, int]:
    return trial.lifetime, region.end - region.start


def _merged(runs: list[MovingRun], text: str) -> list[MovingRun]:
    """Join runs of one cause that touch, or that only punctuation keeps apart."""
    merged: list[MovingRun] = []
    for run in runs:
        last = merged[-1] if merged else None
        if last and _one_value(last, run, text):
            merged[-1] = MovingRun(
                last.unit,
                last.start,
                run.end,
                _union(last.moved_by, run.moved_by),
                last.cause or run.cause,
                last.order and run.order,
            )
        else:
            merged.append(run)
    return merged


def _one_value(last: MovingRun, run: MovingRun, text: str) -> bool:
    if last.unit != run.unit or last.start == last.end or run.start == run.end:
        return False
    gap = text[last.end : run.start]
    if gap and (len(gap) > 2 or "\n" in gap or any(c.isalnum() for c in gap)):
        return False
    return last.cause == run.cause


def _union(
    one: tuple[tuple[Trial, Region], ...], other: tuple[tuple[Trial, Region], ...]
) -> tuple[tuple[Trial, Region], ...]:
    return one + tuple(pair for pair in other if pair not in one)
