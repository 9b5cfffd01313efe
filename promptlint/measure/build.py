"""From a measurement to the layout under one model: render, compare, explain, cut into spans."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from promptlint.layout import (
    Axis,
    AxisReport,
    AxisState,
    Cause,
    CauseKind,
    Confidence,
    Layout,
    Rebuilt,
    Scope,
    Source,
)
from promptlint.location import Location
from promptlint.measure.measurement import Comparison, Measurement
from promptlint.measure.moved import unknown
from promptlint.measure.shot import Judged, Shot, newest_user
from promptlint.measure.told import told_trials
from promptlint.models.model import Model
from promptlint.render import Rendered, render
from promptlint.request import Request
from promptlint.sections.files import KnownFile, shares_text
from promptlint.sections.find import Knowledge, find_sections
from promptlint.sections.mark import Mark
from promptlint.sections.names import label_of_file
from promptlint.worlds.axes import WITHIN, kinds_of
from promptlint.worlds.causes import with_cause
from promptlint.worlds.compare import Region, carried, compare
from promptlint.worlds.explain import explain, moved_twins
from promptlint.worlds.file_edits import to_section_end
from promptlint.worlds.moving import Trial, moving_runs
from promptlint.worlds.observation import ObservationKind
from promptlint.worlds.spans import spans
from promptlint.worlds.tools_position import tools_position
from promptlint.worlds.units import SYSTEM, TEMPLATE, Unit, UnitKey, named_blocks, units
from promptlint.worlds.whole_runs import whole_runs

_CONTEXT_ROLES = frozenset({"user", "developer", "system"})
_ROOTS = frozenset({"workspace", "home", "base"})
_CLOCK_ROWS = tuple(row for row in WITHIN if row.change.clock)


@dataclass(slots=True)
class Builder:
    """Renders the shots of one measurement under one model, each of them once.

    `now` is the time of the base world; the template's own clock is tried apart.
    """

    model: Model
    now: datetime
    knowledge: Knowledge
    _rendered: dict[tuple[int, float], tuple[Rendered, dict[UnitKey, Unit]]] = field(
        default_factory=dict
    )

    def render(self, request: Request, clock: float = 0.0) -> tuple[Rendered, dict[UnitKey, Unit]]:
        """The rendering of a request and its units, `clock` seconds after the base time."""
        key = (id(request), clock)
        if key not in self._rendered:
            rendered = render(request, self.model, self.now + timedelta(seconds=clock))
            self._rendered[key] = rendered, units(rendered.text, rendered.runs)
        return self._rendered[key]


def build_layout(
    name: str,
    measurement: Measurement,
    builder: Builder,
    *,
    rebuilt: Rebuilt | None = None,
    location: Location | None = None,
    turns_measured: bool = False,
    notes: Sequence[str] = (),
) -> Layout:
    """The layout of the base request under one model, with everything that moved it."""
    request = measurement.base.request
    rendered, parts = builder.render(request)
    trials, ablated = _trials(measurement, builder, parts)
    newest = newest_user(request)
    newest_key = None if newest is None else ("messages", newest)
    knowledge = _with_files(builder.knowledge, measurement.base)
    sections = _sections(request, rendered, parts, knowledge, ablated)
    trials = [to_section_end(trial, parts, sections) for trial in trials]
    trials += _template_trials(request, builder, parts)
    runs = moving_runs(trials, rendered.text)
    sections = whole_runs(sections, parts, runs)
    return Layout(
        prompt=name,
        model=builder.model.name,
        spans=spans(rendered, parts, sections, runs, newest_key),
        tokens=len(rendered.token_ids),
        text=rendered.text,
        exact=rendered.exact,
        estimated=rendered.estimated,
        assumed_order=builder.model.template is None,
        tools_position=tools_position(parts, newest_key),
        rebuilt=rebuilt,
        turns_measured=turns_measured,
        axes=_axes(measurement.axes, {trial.axis for trial in trials if trial.regions}),
        location=location,
        notes=(*measurement.notes, *rendered.notes, *notes),
    )


def _trials(
    measurement: Measurement, builder: Builder, parts: dict[UnitKey, Unit]
) -> tuple[list[Trial], dict[UnitKey, list[Mark]]]:
    """What each comparison moved in the base rendering; the sections that vanish with a file."""
    trials: list[Trial] = []
    ablated: dict[UnitKey, list[Mark]] = {}
    edited = {c.axis for c in measurement.comparisons if c.removed is None}
    known = _moved_by_itself(measurement, builder, parts)
    for comparison in measurement.comparisons:
        regions = _regions(comparison, measurement.base, builder, parts)
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
                comparison, regions, parts, builder.render(comparison.after.request)[1]
            )
        elif comparison.removed is None or comparison.axis not in edited:
            trials.append(Trial(comparison.axis, comparison.scope, regions))
    return trials, ablated


def _moved_by_itself(
    measurement: Measurement, builder: Builder, parts: dict[UnitKey, Unit]
) -> list[Region]:
    """What moved although nothing was changed: it is no other axis's."""
    return [
        region
        for comparison in measurement.comparisons
        if comparison.by_itself
        for region in _regions(comparison, measurement.base, builder, parts)
    ]


def _regions(
    comparison: Comparison, base: Shot, builder: Builder, parts: dict[UnitKey, Unit]
) -> tuple[Region, ...]:
    before, after = comparison.before, comparison.after
    own = after.request is base.request
    if own:
        # A later turn is the layout's own request: what moved is found from its end.
        before, after = after, before
    _, old = builder.render(before.request)
    _, new = builder.render(after.request)
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


def _template_trials(request: Request, builder: Builder, parts: dict[UnitKey, Unit]) -> list[Trial]:
    """What the template's own clock moves: a template is rendered for every request."""
    if builder.model.template is None or "strftime_now" not in builder.model.template:
        return []
    others = frozenset(key for key in parts if key != TEMPLATE)
    trials = []
    for row in _CLOCK_ROWS:
        _, later = builder.render(request, row.change.clock)
        regions = compare(parts, later, others)
        cause = Cause(CauseKind.TEMPLATE, "strftime_now")
        marked = tuple(replace(region, cause=cause) for region in regions)
        if marked:
            trials.append(Trial(row.axis, row.scope, marked))
    return trials


def _sections(
    request: Request,
    rendered: Rendered,
    parts: dict[UnitKey, Unit],
    knowledge: Knowledge,
    ablated: Mapping[UnitKey, Sequence[Mark]],
) -> dict[UnitKey, tuple[Mark, ...]]:
    """The sections of the system text, and of messages that carry context."""
    sections = {}
    for key, unit in parts.items():
        if key == SYSTEM:
            named = named_blocks(rendered.runs, [block.name for block in request.system])
            sections[key] = find_sections(
                unit.text, knowledge, named=named, ablated=ablated.get(key, ())
            )
        elif key[0] == "messages" and (role := request.messages[key[1]].role) in _CONTEXT_ROLES:
            marks = find_sections(unit.text, knowledge, ablated=ablated.get(key, ()))
            sections[key] = marks if role != "user" else tuple(map(_as_history, marks))
    return sections


def _as_history(mark: Mark) -> Mark:
    """What a user wrote earlier is history, whatever literal the builder keeps it in."""
    unnamed = mark.source in {Source.BASE, Source.UNKNOWN}
    return replace(mark, source=Source.HISTORY, label=Source.HISTORY) if unnamed else mark


def _with_files(knowledge: Knowledge, base: Shot) -> Knowledge:
    read = {
        _shown_path(observation.key): observation.value
        for observation in base.observations
        if observation.kind is ObservationKind.FILE
    }
    files = (KnownFile(*item) for item in read.items())
    return replace(knowledge, files=(*knowledge.files, *files))


def _shown_path(key: str) -> str:
    """A file's path without the root that it stands below; a distribution's name stays."""
    root, _, path = key.partition(":")
    return path if root in _ROOTS else key


def _axes(
    reports: Mapping[tuple[Axis, Scope], AxisReport], moved: Collection[Axis]
) -> tuple[AxisReport, ...]:
    """One report an axis: exercised in one scope is exercised, and so is one that moved."""
    by_axis = {axis: AxisReport(axis, AxisState.EXERCISED) for axis in moved}
    for report in reports.values():
        known = by_axis.get(report.axis)
        if known is None or known.state is not AxisState.EXERCISED:
            by_axis[report.axis] = report
    return tuple(by_axis[axis] for axis in Axis if axis in by_axis)
