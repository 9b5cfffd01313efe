"""Which call handed out the text that moved: observations matched in both worlds."""

import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Cause, CauseKind
from promptlint.worlds.compare import Region, region
from promptlint.worlds.hunks import Hunk
from promptlint.worlds.observation import Observation, ObservationKind, Phase
from promptlint.worlds.units import Unit, UnitKey

_KINDS = {
    ObservationKind.CLOCK: CauseKind.CLOCK,
    ObservationKind.FILE: CauseKind.FILE,
    ObservationKind.LISTING: CauseKind.LISTING,
    ObservationKind.IDENTIFIER: CauseKind.IDENTIFIER,
    ObservationKind.RANDOM: CauseKind.RANDOM,
    ObservationKind.PROCESS: CauseKind.PROCESS,
    ObservationKind.HOST: CauseKind.HOST,
    ObservationKind.ENVIRONMENT: CauseKind.HOST,
}

# Values of these kinds stand in the prompt as they were handed out, so the whole value moved.
_WHOLE_VALUES = frozenset({CauseKind.CLOCK, CauseKind.IDENTIFIER, CauseKind.RANDOM, CauseKind.HOST})
_LONGEST_WHOLE_VALUE = 200

# A piece of a longer observation (a branch name in git's output) must be longer than a coincidence.
_SHORTEST_PIECE = 3

_AGE = re.compile(
    r"\d+\s*(?:s|sec|second|m|min|minute|h|hour|d|day|week|month|year)s?\b"
    r"|\bago\b|\belapsed\b|\buptime\b|\bold\b",
    re.IGNORECASE,
)


class Twins(Struct, frozen=True):
    """One call that answered differently in two worlds."""

    before: Observation
    after: Observation

    @property
    def kind(self) -> CauseKind:
        """The kind of call."""
        return _KINDS[self.before.kind]


def moved_twins(before: Iterable[Observation], after: Iterable[Observation]) -> tuple[Twins, ...]:
    """The calls that answered differently: same kind, place and key, in order.

    A call that only one world made answered nothing in the other.
    """
    old, new = _by_site(before), _by_site(after)
    return tuple(
        Twins(one or replace(other, value=""), other or replace(one, value=""))
        for site in dict.fromkeys([*old, *new])
        for one, other in zip_longest(old.get(site, ()), new.get(site, ()))
        if one is None or other is None or one.value != other.value
    )


def _by_site(observations: Iterable[Observation]) -> dict[object, list[Observation]]:
    sites: dict[object, list[Observation]] = {}
    for observation in observations:
        sites.setdefault(_site(observation), []).append(observation)
    return sites


def explain(
    regions: Iterable[Region],
    twins: tuple[Twins, ...],
    fitting: frozenset[CauseKind],
    base: Mapping[UnitKey, Unit],
    other: Mapping[UnitKey, Unit],
) -> tuple[Region, ...]:
    """The regions with their causes; a region grows to the whole value that moved."""
    ranked = sorted(twins, key=lambda twin: _rank(twin, fitting))
    return tuple(_explained(found, ranked, fitting, base, other) for found in regions)


def _explained(
    found: Region,
    ranked: list[Twins],
    fitting: frozenset[CauseKind],
    base: Mapping[UnitKey, Unit],
    other: Mapping[UnitKey, Unit],
) -> Region:
    unit = base.get(found.unit)
    twin_text = other[found.unit].text if found.unit in other else ""
    if unit is None:
        return found
    for twin in ranked:
        whole = _whole_value(found, twin, unit.text, twin_text)
        if whole is not None:
            grown = region(unit, twin_text, whole, order=found.order)
            keep = twin.kind in _WHOLE_VALUES and whole.end - whole.start <= _LONGEST_WHOLE_VALUE
            return replace(grown if keep else found, cause=_cause(twin, grown))
    for twin in ranked:
        if _is_piece(found.before, twin.before.value) and _is_piece(found.after, twin.after.value):
            return replace(found, cause=_cause(twin, found))
    only = _only_site([twin for twin in ranked if twin.kind in fitting])
    return found if only is None else replace(found, cause=_cause(only, found))


def _site(observation: Observation) -> object:
    place = observation.location or observation.library_location
    return observation.kind, observation.key, place


def _rank(twin: Twins, fitting: frozenset[CauseKind]) -> tuple[bool, bool, int]:
    at_import = twin.before.phase is Phase.IMPORT
    return twin.kind not in fitting, at_import, -len(twin.before.value)


def _whole_value(found: Region, twin: Twins, before: str, after: str) -> Hunk | None:
    """Where both values stand on the region, each in its own world, on at least half of it."""
    at = _occurrence(before, twin.before.value, found.unit_start, found.unit_end)
    to = _occurrence(after, twin.after.value, found.after_start, found.after_end)
    if at is None or to is None:
        return None
    covered = min(at[1], found.unit_end) - max(at[0], found.unit_start)
    if 2 * covered < found.unit_end - found.unit_start:
        return None
    return Hunk(
        min(at[0], found.unit_start),
        max(at[1], found.unit_end),
        min(to[0], found.after_start),
        max(to[1], found.after_end),
    )


def _occurrence(text: str, value: str, start: int, end: int) -> tuple[int, int] | None:
    value = value.strip()
    if not value:
        return None
    at = text.find(value, max(0, start - len(value)))
    if at < 0 or at > end:
        return None
    return at, at + len(value)


def _is_piece(piece: str, value: str) -> bool:
    piece = piece.strip()
    return not piece or (len(piece) >= _SHORTEST_PIECE and piece in value)


def _only_site(twins: list[Twins]) -> Twins | None:
    places = {twin.before.location or twin.before.library_location for twin in twins}
    return twins[0] if len(places) == 1 else None


def _cause(twin: Twins, found: Region) -> Cause:
    kind = twin.kind
    if (
        kind is CauseKind.CLOCK
        and _AGE.search(found.before)
        and twin.before.value not in found.before
    ):
        kind = CauseKind.AGE
    place = twin.before.location or twin.before.library_location
    library = twin.before.library_location
    trail = (library,) if library and library != place else ()
    return Cause(kind, twin.before.key, place, trail)
