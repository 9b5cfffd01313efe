"""The kind of a cause that no observation explains, by the axis and the look of what moved."""

import re
from dataclasses import replace

from promptlint.layout import Axis, Cause, CauseKind
from promptlint.worlds.compare import Region

_NUMBER = re.compile(r"\s*[\d.,%]+\s*")
_HEX = re.compile(r"(?=.*\d)[0-9a-f-]{8,}", re.IGNORECASE)

_BY_AXIS = {
    Axis.HASH_SEED: CauseKind.SET_ORDER,
    Axis.LISTING_ORDER: CauseKind.LISTING,
    Axis.TURN: CauseKind.QUERY,
    Axis.USER: CauseKind.HOST,
    Axis.MACHINE: CauseKind.HOST,
    Axis.EDIT_MEMORY: CauseKind.FILE,
    Axis.EDIT_SKILLS: CauseKind.FILE,
    Axis.EDIT_PROJECT: CauseKind.FILE,
    Axis.MID_SESSION_EDIT: CauseKind.FILE,
}
_CLOCKS = frozenset({Axis.SECOND, Axis.MINUTE, Axis.HOUR, Axis.DAY, Axis.CLOCK_AT_START})
_BY_ITSELF = frozenset({Axis.REPEAT, Axis.STEP, Axis.TURN})


def with_cause(region: Region, axis: Axis) -> Region:
    """The region with the cause that its axis and text suggest, where nothing better is known."""
    if region.cause is not None:
        return region
    return replace(region, cause=Cause(_kind(region, axis)))


def _kind(region: Region, axis: Axis) -> CauseKind:
    if axis in _BY_ITSELF and _NUMBER.fullmatch(region.before) and _NUMBER.fullmatch(region.after):
        return CauseKind.COUNTER
    if axis in _CLOCKS:
        return CauseKind.CLOCK
    if axis is Axis.NEW_SESSION or (axis is Axis.REPEAT and _HEX.fullmatch(region.before)):
        return CauseKind.IDENTIFIER
    return _BY_AXIS.get(axis, CauseKind.OTHER)
