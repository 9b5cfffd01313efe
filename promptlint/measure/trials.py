"""What each comparison moved in the rendering of the base request."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from promptlint.layout import (
    Cause,
    CauseKind,
    Confidence,
    Scope,
)
from promptlint.location import Location
from promptlint.measure.measurement import Comparison, Measurement
from promptlint.measure.moved import unknown
from promptlint.measure.renderings import Renderings
from promptlint.measure.shot import Judged, Shot, newest_user
from promptlint.measure.told import told_trials
from promptlint.request import Request
from promptlint.sections.files import shares_text
from promptlint.sections.mark import Mark
from promptlint.sections.names import label_of_file
from promptlint.worlds.axes import WITHIN, kinds_of
from promptlint.worlds.causes import with_cause
from promptlint.worlds.compare import Region, carried, compare
from promptlint.worlds.explain import explain, moved_twins
from promptlint.worlds.moving import Trial
from promptlint.worlds.observation import ObservationKind
from promptlint.worlds.units import TEMPLATE, Unit, UnitKey

_CLOCK_ROWS = tuple(row for row in WITHIN if row.change.clock)


def moved_trials(
    measurement: Measurement, renderings: Renderings, parts: dict[UnitKey, Unit]
) -> tuple[list[Trial], dict[UnitKey, list[Mark]]]:
    """What each comparison moved in the base rendering; the sections that vanish with a file."""
    trials: list[Trial] = []
    ablated: dict[UnitKey, list[Mark]] = {}
    edited = {c.axis for c in measurement.comparisons if c.removed is None}
    known = _moved_by_itself(measurement, renderings, parts)
    for comparison in measurement.comparisons:
        regions = _regions(comparison, measurement.base, renderings, parts)
        of_base = comparison.before.request is measurement.base.request
        if known and of_base and not comparison.by_itself:
            regions = unknown(regions, known, parts)
        if comparison.removed is not None:
            for key, mark in _ablations(comparison, regions, _content(comparison)):
                ablated.setdefault(key, []).append(mark)
            # That a file stands in a listing no more is the workspace's story.
            regions = tuple(region for region in regions if not _lists_files(region))
        if comparison.by_itself or (measurement.real_clock and of_base):
            trials += told_trials(
                comparison, regions, parts, renderings.render(comparison.after.request)[1]
            )
        elif comparison.removed is None or comparison.axis not in edited:
            trials.append(Trial(comparison.axis, comparison.scope, regions))
    return trials, ablated


def _moved_by_itself(
    measurement: Measurement, renderings: Renderings, parts: dict[UnitKey, Unit]
) -> list[Region]:
    """What moved although nothing was changed: it is no other axis's."""
    return [
        region
        for comparison in measurement.comparisons
        if comparison.by_itself
        for region in _regions(comparison, measurement.base, renderings, parts)
    ]


def _regions(
    comparison: Comparison, base: Shot, renderings: Renderings, parts: dict[UnitKey, Unit]
) -> tuple[Region, ...]:
    before, after = comparison.before, comparison.after
    own = after.request is base.request
    if own:
        # A later turn is the layout's own request: what moved is found from its end.
        before, after = after, before
    _, old = renderings.render(before.request)
    _, new = renderings.render(after.request)
    skip = frozenset(
        {TEMPLATE}
        | _not_judged(comparison, old)
        | ({key for key in old if key not in new} if own else set())
        | (_history(old) if _another_session(comparison, own=own) else set())
    )
    twins = moved_twins(before.observations, after.observations)
    regions = explain(compare(old, new, skip), twins, kinds_of(comparison.axis), old, new)
    regions = tuple(with_cause(region, comparison.axis, comparison.default) for region in regions)
    if own:
        regions = tuple(replace(r, before=r.after, after=r.before) for r in regions)
    return regions if old is parts else carried(regions, old, parts)


def _not_judged(comparison: Comparison, old: Mapping[UnitKey, Unit]) -> frozenset[UnitKey]:
    newest = _newest(comparison.before.request) | _newest(comparison.after.request)
    match comparison.judged:
        case Judged.OLD:
            return newest
        case Judged.ALL:
            return frozenset()
        case Judged.NEWEST_USER:
            return frozenset(old) - newest


def _another_session(comparison: Comparison, *, own: bool) -> bool:
    """Whether a second call made a session of its own, whose history is no history of this one."""
    several = len(comparison.before.requests) > 1
    return several and not own and comparison.scope is Scope.WITHIN


def _history(parts: Mapping[UnitKey, Unit]) -> set[UnitKey]:
    return {key for key in parts if key[0] == "messages"}


def _lists_files(region: Region) -> bool:
    return region.cause is not None and region.cause.kind in {CauseKind.LISTING, CauseKind.PROCESS}


def _newest(request: Request) -> frozenset[UnitKey]:
    newest = newest_user(request)
    return frozenset() if newest is None else frozenset({("messages", newest)})


def _content(comparison: Comparison) -> str:
    """What the builder read from the file that was taken away, or nothing where it was not seen."""
    assert comparison.removed is not None
    key = f"{comparison.removed.root}:{comparison.removed.path}"
    return next(
        (
            observation.value
            for observation in comparison.before.observations
            if observation.kind is ObservationKind.FILE and observation.key == key
        ),
        "",
    )


def _ablations(
    comparison: Comparison, regions: Sequence[Region], content: str
) -> list[tuple[UnitKey, Mark]]:
    """The file's sections. What vanished elsewhere (a line of `git status`) is not its text."""
    file = comparison.removed
    assert file is not None
    return [
        (
            region.unit,
            Mark(
                region.unit_start,
                region.unit_end,
                file.source,
                label_of_file(file.path),
                Confidence.HIGH,
                Location(file.path, 1),
            ),
        )
        for region in regions
        if region.before.strip() and shares_text(region.before, content)
    ]


def template_trials(
    request: Request, renderings: Renderings, parts: dict[UnitKey, Unit]
) -> list[Trial]:
    """What the template's own clock moves: a template is rendered for every request."""
    if renderings.model.template is None or "strftime_now" not in renderings.model.template:
        return []
    others = frozenset(key for key in parts if key != TEMPLATE)
    trials = []
    for row in _CLOCK_ROWS:
        _, later = renderings.render(request, row.change.clock)
        regions = compare(parts, later, others)
        cause = Cause(CauseKind.TEMPLATE, "strftime_now")
        marked = tuple(replace(region, cause=cause) for region in regions)
        if marked:
            trials.append(Trial(row.axis, row.scope, marked))
    return trials
