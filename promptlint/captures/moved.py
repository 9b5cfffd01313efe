"""What moved in the system text and the tools of captured requests, as layouts.

Two requests of one conversation are two renderings of one prompt: what differs in them
moved, and the rules for layouts judge it like a measured one.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.captures.causes import Cause as Difference
from promptlint.captures.causes import tools_cause
from promptlint.captures.divergence import Sent
from promptlint.captures.guessed import as_guess, guessed_trials
from promptlint.captures.kinds import Kind, kind_of
from promptlint.captures.turns import RenderedTurn
from promptlint.layout import Axis, Cause, CauseKind, Layout, Rebuilt, Scope, Source
from promptlint.location import Location
from promptlint.models.model import Model
from promptlint.request import Request
from promptlint.sections.find import Knowledge, find_sections
from promptlint.sections.mark import Mark
from promptlint.worlds.compare import Region, carried, compare
from promptlint.worlds.moving import Trial, moving_runs
from promptlint.worlds.spans import spans
from promptlint.worlds.tools_position import tools_position
from promptlint.worlds.units import SYSTEM, TOOLS, Unit, UnitKey, units

_HEAD = frozenset({SYSTEM, TOOLS})
_OTHER_TOOLS = frozenset({Difference.TOOLS_ADDED, Difference.TOOLS_REMOVED, Difference.REORDERED})
_JUDGED_IN_THE_SESSION = frozenset({Difference.EQUAL_BUT_DIFFERENT_BYTES, Difference.SYSTEM_MOVED})


class _Moving(Struct):
    """One conversation: the request that stood before its first move, and all that moved since."""

    base: Sent
    place: Location
    parts: dict[UnitKey, Unit]
    trials: list[Trial] = field(default_factory=list)


class MovedHeads:
    """Takes the turns of some captures one after the other, and makes a layout a conversation."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._moving: dict[str, _Moving] = {}
        self._still: dict[str, _Moving] = {}

    def add(self, turn: RenderedTurn) -> None:
        """Note what this turn's system text and tools have moved."""
        name, earlier = turn.turn.conversation, turn.earlier
        broken = turn.turn.divergence
        if name is None:
            return
        if earlier is None:
            sent = Sent(turn.request, turn.rendered)
            self._still[name] = _Moving(sent, turn.turn.captured.place, _parts(sent))
            return
        if broken is None:
            return
        if broken.cause in _JUDGED_IN_THE_SESSION:
            return
        found = list(_trials(earlier, turn))
        if not found:
            return
        self._still.pop(name, None)
        if name not in self._moving:
            place = turn.turn.captured.place
            self._moving[name] = _Moving(earlier, place, _parts(earlier))
        moving = self._moving[name]
        parts = _parts(earlier)
        for trial in found:
            regions = carried(trial.regions, parts, moving.parts)
            moving.trials += (
                _first_told(Trial(trial.axis, trial.scope, (r,)), moving.trials) for r in regions
            )

    def layouts(self) -> Iterator[Layout]:
        """A layout for each conversation: of what moved in it, else of what may in another one."""
        for name, moving in self._moving.items():
            yield self._layout(name, moving)
        for name, still in self._still.items():
            if SYSTEM in still.parts:
                still.trials = list(guessed_trials(still.parts[SYSTEM], still.place))
                yield as_guess(self._layout(name, still))

    def _layout(self, name: str, moving: _Moving) -> Layout:
        request, rendered = moving.base.request, moving.base.rendered
        newest = _newest_user(request)
        newest_key = None if newest is None else ("messages", newest)
        runs = moving_runs(_distinct(moving.trials), rendered.text)
        return Layout(
            prompt=name,
            model=self.model.name,
            spans=spans(rendered, moving.parts, _sections(moving.parts), runs, newest_key),
            tokens=len(rendered.token_ids),
            text=rendered.text,
            exact=rendered.exact,
            estimated=rendered.estimated,
            assumed_order=self.model.template is None,
            tools_position=tools_position(moving.parts, newest_key),
            rebuilt=Rebuilt.REQUEST,
            turns_measured=True,
            location=moving.place,
        )


def _parts(sent: Sent) -> dict[UnitKey, Unit]:
    return units(sent.rendered.text, sent.rendered.runs)


def _sections(parts: dict[UnitKey, Unit]) -> dict[UnitKey, tuple[Mark, ...]]:
    return {SYSTEM: find_sections(parts[SYSTEM].text, Knowledge())} if SYSTEM in parts else {}


def _trials(earlier: Sent, turn: RenderedTurn) -> Iterator[Trial]:
    """What moved between two requests, each region on the axis that its text tells."""
    old, new = _parts(earlier), units(turn.rendered.text, turn.rendered.runs)
    others = frozenset(key for key in (*old, *new) if key not in _HEAD)
    otherwise = _step_or_turn(earlier.request, turn.request)
    place = turn.turn.captured.place
    sections = _sections(old).get(SYSTEM, ())
    renamed = tools_cause(earlier.request.tools, turn.request.tools) in _OTHER_TOOLS
    for region in compare(old, new, others):
        source = _source(region, sections)
        kind = _kind(region, old, new, source, otherwise)
        whole = region.unit == TOOLS and renamed
        shown = _whole_definitions(region, old, new) if whole else region
        cause = Cause(kind.cause or CauseKind.OTHER, location=place)
        yield Trial(kind.axis, Scope.WITHIN, (replace(shown, cause=cause),))


def _kind(
    region: Region,
    old: dict[UnitKey, Unit],
    new: dict[UnitKey, Unit],
    source: str,
    otherwise: Axis,
) -> Kind:
    if region.unit == TOOLS or region.order:
        return Kind(otherwise, None)
    before = _lines(old.get(region.unit), region.unit_start, region.unit_end)
    after = _lines(new.get(region.unit), region.after_start, region.after_end)
    return kind_of(before, after, source, otherwise)


def _whole_definitions(
    region: Region, old: dict[UnitKey, Unit], new: dict[UnitKey, Unit]
) -> Region:
    """The region with the whole lines of the tools: their names show that they are others."""
    return replace(
        region,
        before=_lines(old.get(TOOLS), region.unit_start, region.unit_end),
        after=_lines(new.get(TOOLS), region.after_start, region.after_end),
    )


def _lines(unit: Unit | None, start: int, end: int) -> str:
    return unit.lines(start, end) if unit else ""


def _source(region: Region, sections: Sequence[Mark]) -> str:
    """The section of a region; what is added at the end of a text belongs to the last one."""
    if region.unit != SYSTEM:
        return Source.TOOLS
    at = region.unit_start - (region.unit_start == region.unit_end > 0)
    return next((m.source for m in sections if m.start <= at < m.end), Source.UNKNOWN)


def _first_told(trial: Trial, known: Sequence[Trial]) -> Trial:
    """The trial with the cause that was found where its place first moved in this way."""
    (region,) = trial.regions
    for earlier in known:
        (first,) = earlier.regions
        overlaps = first.start <= region.end and region.start <= first.end
        if first.unit == region.unit and overlaps and _kind_of(first) is _kind_of(region):
            return replace(trial, regions=(replace(region, cause=first.cause),))
    return trial


def _kind_of(region: Region) -> CauseKind | None:
    return region.cause.kind if region.cause else None


def _distinct(trials: Sequence[Trial]) -> list[Trial]:
    """Each place once an axis: a clock that moves in every turn is one mover."""
    found: dict[object, Trial] = {}
    for trial in trials:
        (region,) = trial.regions
        found.setdefault((trial.axis, region.unit, region.start, region.end), trial)
    return list(found.values())


def _step_or_turn(earlier: Request, later: Request) -> Axis:
    """A step if the newest message of the user is still the same."""
    return Axis.STEP if _asked(earlier) == _asked(later) else Axis.TURN


def _asked(request: Request) -> tuple[int, str] | None:
    newest = _newest_user(request)
    return None if newest is None else (newest, request.messages[newest].text)


def _newest_user(request: Request) -> int | None:
    users = [n for n, message in enumerate(request.messages) if message.role == "user"]
    return users[-1] if users else None
