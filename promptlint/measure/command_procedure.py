"""The procedure for a command: every call is a run of a real program, which cannot be seeded.

What differs between two runs in the base world moves by itself. It is subtracted from what
a change moved, so the base world is met several times: in every session's first run.
"""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import replace

from promptlint.builders.error import BuilderError
from promptlint.captures.recorder.bench import CommandBench, CommandProcess
from promptlint.layout import Axis, Scope
from promptlint.measure.attempts import (
    Abilities,
    Attempt,
    Skip,
    between_attempts,
    together,
    within_attempts,
)
from promptlint.measure.measurement import Comparison, Failure, Measurement
from promptlint.measure.moved import moved, request_units, unknown
from promptlint.measure.shot import Shot
from promptlint.measure.turns import compare_turns
from promptlint.worlds.axes import BETWEEN
from promptlint.worlds.compare import Region
from promptlint.worlds.world import World

_BASE = World()

# What a race between two scans decides is the same in four runs once in eight times.
_MORE_SESSIONS = 2
# Two names keep their order under half of all seeds.
_MORE_HASH_SEEDS = (2, 3, 4, 5)
_CHEAP_RUN_SECONDS = 3.0

# What the runs of the base world show by themselves.
_BY_ITSELF = frozenset({Axis.REPEAT, Axis.STEP, Axis.TURN, Axis.NEW_SESSION})


class _Runs(Struct):
    """The runs of a command: what they gave, and what is known to move by itself.

    `base` is the base call's newest request, with which all others are compared. `seconds`
    is how long one run takes.
    """

    bench: CommandBench
    result: Measurement
    base: Shot
    seconds: float
    by_itself: list[Region] = field(default_factory=list)

    def unknown(self, shot: Shot, known: Iterable[Region] = ()) -> tuple[Region, ...]:
        """What moved in this call and is neither known nor moves by itself."""
        units = request_units(self.base.request)
        return unknown(moved(self.base, shot), (*self.by_itself, *known), units)

    def same_world(self, axis: Axis, scope: Scope, shot: Shot) -> None:
        """Another call in the base world: what differs in it moves by itself."""
        if self.unknown(shot):
            self.by_itself += moved(self.base, shot)
            comparison = Comparison(axis, scope, self.base, _newest(shot), by_itself=True)
            self.result.comparisons.append(comparison)


def measure_command(bench: CommandBench, can: Abilities) -> Measurement:
    """Run the command in all the worlds that are needed to know what moves its prompt.

    Raises BuilderError where it sends nothing in the base world.
    """
    process = bench.start(_BASE)
    runs = _base_world(bench, process)
    result = runs.result
    reasons = bench.not_exercised()
    result.real_clock = (Axis.CLOCK_AT_START, Scope.BETWEEN) in reasons
    result.skip(Skip(axis, scope, why) for (axis, scope), why in reasons.items())
    result.skip([Skip(Axis.STEP, Scope.WITHIN, "the command called no tool")])
    attempts, skips = within_attempts(replace(can, takes_world=True))
    _try_all(runs, _possible(attempts, result), lambda world: _second_run(process, runs, world))
    result.skip(skips)
    attempts, skips = between_attempts(can)
    possible = _possible(attempts, result)
    _try_all(runs, possible, lambda world: _fresh(bench, world))
    if any(attempt.axis is Axis.HASH_SEED for attempt in possible):
        _more_hash_seeds(runs)
    result.skip(skips)
    return result


def _base_world(bench: CommandBench, process: CommandProcess) -> _Runs:
    """One session of two turns and some more sessions, with nothing changed."""
    began = monotonic()
    first, *later = _ask(process, [_BASE] * (1 if bench.settings.following is None else 2))
    seconds = (monotonic() - began) / (1 + len(later))
    result = Measurement(first, later[-1] if later else first)
    compare_turns(result)
    runs = _Runs(bench, result, _newest(first), seconds)
    for shot in later:
        result.compare(Attempt(Axis.TURN, Scope.WITHIN, _BASE), runs.base, runs.base)
        runs.same_world(Axis.TURN, Scope.WITHIN, shot)
    result.compare(Attempt(Axis.NEW_SESSION, Scope.BETWEEN, _BASE), runs.base, runs.base)
    for _ in range(_MORE_SESSIONS):
        (shot,) = _ask(process, [_BASE])
        runs.same_world(Axis.NEW_SESSION, Scope.BETWEEN, shot)
    return runs


def _possible(attempts: Iterable[Attempt], result: Measurement) -> list[Attempt]:
    """The attempts that can be made; another user or machine, which others rarely share, last."""
    possible = [
        attempt
        for attempt in attempts
        if attempt.axis not in _BY_ITSELF and (attempt.axis, attempt.scope) not in result.axes
    ]
    return sorted(possible, key=lambda attempt: attempt.scope is Scope.ACROSS)


def _try_all(
    runs: _Runs, attempts: Sequence[Attempt], run: Callable[[World], Shot | Failure]
) -> None:
    """All changes at once; then one by one, until all that moved is known by its axis."""
    if not attempts:
        return
    result = runs.result
    everything = run(together(attempt.change for attempt in attempts))
    known: list[Region] = []
    for attempt in attempts:
        if isinstance(everything, Shot) and not runs.unknown(everything, known):
            break
        after = everything if len(attempts) == 1 else run(attempt.change)
        found = runs.unknown(after) if isinstance(after, Shot) else ()
        known += found
        if found or isinstance(after, Failure):
            result.compare(attempt, runs.base, after)
    for attempt in attempts:
        # What was tried, alone or together with everything else, and moved nothing is still.
        result.compare(attempt, runs.base, runs.base)


def _more_hash_seeds(runs: _Runs) -> None:
    """A set of two names hides from one seed half of the time, so quick commands get more."""
    result = runs.result
    if result.moved_on(Axis.HASH_SEED):
        return
    if runs.seconds > _CHEAP_RUN_SECONDS:
        result.notes.append("one other hash seed was tried, because the command is slow")
        return
    row = next(row for row in BETWEEN if row.axis is Axis.HASH_SEED)
    attempt = Attempt(row.axis, row.scope, row.change, row.default)
    for seed in _MORE_HASH_SEEDS:
        after = _fresh(runs.bench, replace(row.change, hash_seed=seed))
        if isinstance(after, Shot) and runs.unknown(after):
            result.compare(attempt, runs.base, after)
            return


def _second_run(process: CommandProcess, runs: _Runs, world: World) -> Shot | Failure:
    """The second run of a session in this world; its first is one more run of the base world."""
    try:
        first, second = _ask(process, [_BASE, world])
    except BuilderError as error:
        return Failure(str(error))
    runs.same_world(Axis.NEW_SESSION, Scope.BETWEEN, first)
    return second


def _fresh(bench: CommandBench, world: World) -> Shot | Failure:
    """The first run in copies of their own in this world."""
    try:
        return _ask(bench.start(world), [world])[0]
    except BuilderError as error:
        return Failure(str(error))


def _ask(process: CommandProcess, worlds: Sequence[World]) -> tuple[Shot, ...]:
    calls = process.ask(worlds)
    return tuple(Shot(call.world, call.requests) for call in calls)


def _newest(shot: Shot) -> Shot:
    return replace(shot, requests=(shot.request,))
