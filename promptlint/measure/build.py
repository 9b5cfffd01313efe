"""From a measurement to the layout under one model: render, compare, explain, cut into spans."""

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from promptlint.layout import (
    Axis,
    AxisReport,
    AxisState,
    Layout,
    Rebuilt,
    Scope,
    Source,
)
from promptlint.location import Location
from promptlint.measure.measurement import Measurement
from promptlint.measure.renderings import Renderings
from promptlint.measure.shot import Shot, newest_user
from promptlint.measure.trials import moved_trials, template_trials
from promptlint.render import Rendered
from promptlint.request import SYSTEM_ROLES, Request
from promptlint.sections.files import KnownFile
from promptlint.sections.find import Knowledge, find_sections
from promptlint.sections.mark import Mark
from promptlint.worlds.adapter import with_library_lines
from promptlint.worlds.file_edits import to_section_end
from promptlint.worlds.moving import moving_runs
from promptlint.worlds.observation import ObservationKind
from promptlint.worlds.spans import spans
from promptlint.worlds.tools_position import tools_position
from promptlint.worlds.units import SYSTEM, Unit, UnitKey, named_blocks
from promptlint.worlds.whole_runs import whole_runs

_CONTEXT_ROLES = SYSTEM_ROLES | {"user"}
_ROOTS = frozenset({"workspace", "home", "base"})


def build_layout(
    name: str,
    measurement: Measurement,
    renderings: Renderings,
    *,
    rebuilt: Rebuilt | None = None,
    location: Location | None = None,
    turns_measured: bool = False,
    notes: Sequence[str] = (),
) -> Layout:
    """The layout of the base request under one model, with everything that moved it."""
    request = measurement.base.request
    rendered, parts = renderings.render(request, count_tokens=True)
    trials, ablated = moved_trials(measurement, renderings, parts)
    newest = newest_user(request)
    newest_key = None if newest is None else ("messages", newest)
    knowledge = _with_files(renderings.knowledge, measurement.base)
    sections = _sections(request, rendered, parts, knowledge, ablated)
    trials = [to_section_end(trial, parts, sections) for trial in trials]
    trials += template_trials(request, renderings, parts)
    runs = moving_runs(trials, rendered.text)
    sections = whole_runs(sections, parts, runs)
    return Layout(
        prompt=name,
        model=renderings.model.name,
        spans=with_library_lines(spans(rendered, parts, sections, runs, newest_key)),
        tokens=len(rendered.token_ids),
        text=rendered.text,
        exact=rendered.exact,
        estimated=rendered.estimated,
        assumed_order=renderings.model.template is None,
        tools_position=tools_position(parts, newest_key),
        rebuilt=rebuilt,
        turns_measured=turns_measured,
        axes=_axes(measurement.axes, {trial.axis for trial in trials if trial.regions}),
        location=location,
        notes=(*measurement.notes, *rendered.notes, *notes),
    )


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
