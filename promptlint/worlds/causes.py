"""The kind of a cause that no observation explains, by the axis and the look of what moved."""

import re

from msgspec.structs import replace

from promptlint.layout import Axis, Cause, CauseKind
from promptlint.worlds.compare import Region

_NUMBER = re.compile(r"\s*[\d.,%]+\s*")
_HEX = re.compile(r"(?=.*\d)[0-9a-f-]{8,}", re.IGNORECASE)
_COUNTED = frozenset({Axis.REPEAT, Axis.STEP, Axis.TURN})


def with_cause(region: Region, axis: Axis, default: CauseKind) -> Region:
    """The region with a cause: what its text looks like, else the axis's default.

    What another user message moved was chosen by it, whichever file it was read from.
    """
    if region.cause is not None:
        chosen = default is CauseKind.QUERY
        return replace(region, cause=replace(region.cause, kind=default)) if chosen else region
    kind = default
    if axis in _COUNTED and _NUMBER.fullmatch(region.before) and _NUMBER.fullmatch(region.after):
        kind = CauseKind.COUNTER
    elif axis is Axis.REPEAT and _HEX.fullmatch(region.before):
        kind = CauseKind.IDENTIFIER
    return replace(region, cause=Cause(kind))
