"""An edit of a file moves its section from the first changed character to the section's end."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from promptlint.layout import Axis, Source
from promptlint.sections.mark import Mark
from promptlint.worlds.compare import Region
from promptlint.worlds.moving import Trial
from promptlint.worlds.units import Unit, UnitKey

_FILE_AXES = frozenset(
    {Axis.MID_SESSION_EDIT, Axis.EDIT_MEMORY, Axis.EDIT_SKILLS, Axis.EDIT_PROJECT}
)
_FILE_SOURCES = frozenset({Source.MEMORY, Source.SKILLS, Source.PROJECT})


def to_section_end(
    trial: Trial, parts: Mapping[UnitKey, Unit], sections: Mapping[UnitKey, Sequence[Mark]]
) -> Trial:
    """The trial with its regions grown, where a file was edited.

    Our edit touches two lines of the file; the next one may touch any other, so what
    stands behind the first changed character of a file's section is not stable.
    """
    if trial.axis not in _FILE_AXES:
        return trial
    regions = tuple(
        _grown(region, parts[region.unit], sections.get(region.unit, ()))
        if region.unit in parts
        else region
        for region in trial.regions
    )
    return replace(trial, regions=regions)


def _grown(region: Region, unit: Unit, marks: Sequence[Mark]) -> Region:
    section = next((m for m in marks if m.start <= region.unit_start <= m.end), None)
    if section is None or section.source not in _FILE_SOURCES or section.end <= region.unit_end:
        return region
    return replace(region, unit_end=section.end, end=unit.rendered_end(section.end))
