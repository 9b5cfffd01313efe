"""The procedure: worlds are tried cheapest first, until all that moved is known by its axis."""

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from promptlint.bodies import BodyError
from promptlint.builders.error import BuilderError
from promptlint.layout import Axis, CauseKind, Rebuilt, Scope
from promptlint.measure.attempts import (
    Abilities,
    Attempt,
    Skip,
    between_attempts,
    between_turns_attempts,
    removals,
    together,
    within_attempts,
)
from promptlint.measure.measurement import Failure, Measurement
from promptlint.measure.shot import Judged, Shot, same
from promptlint.measure.turns import compare_turns
from promptlint.measure.unexplained import likely_kinds, unexplained
from promptlint.worlds.axes import kinds_of
from promptlint.worlds.world import World

_BASE = World()

# Two names keep their order under half of all seeds: four more seeds miss them once in 32 times.
_MORE_HASH_SEEDS = (2, 3, 4, 5)
_CHEAP_PROCESS_SECONDS = 3.0


class Process(Protocol):
    """A process in which the builder's module was imported in one world."""

    @property
    def seconds(self) -> float:
        """How long the import and the first call took (seconds)."""

    def ask(self, calls: Sequence[World]) -> tuple[Shot, ...]:
        """Make these calls in order on one new object, in one child of the process."""


class Bench(Protocol):
    """Starts processes in worlds, and ends them."""

    def start(self, world: World) -> Process:
        """A new process in this world."""


def measure(process: Process, bench: Bench, can: Abilities, rebuilt: Rebuilt | None) -> Measurement:
    """Call the builder in all the worlds that are needed to know what moves its text.

    Raises BuilderError or BodyError where the base world itself cannot be built.
    """
    base, again = process.ask([_BASE, _BASE])
    result = Measurement(base, again)
    compare_turns(result)
    yields_turns = len(base.requests) > 1
    attempts, skips = between_turns_attempts() if yields_turns else within_attempts(can)
    if rebuilt is Rebuilt.SESSION:
        why = "the agent builds this prompt once per session"
        repeat = Skip(Axis.REPEAT, Scope.WITHIN, why)
        result.skip([repeat, *(Skip(a.axis, a.scope, why) for a in attempts)])
    elif yields_turns:
        for attempt in attempts:
            result.compare(attempt, base, _outcome(process, [attempt.change]))
    else:
        result.compare(Attempt(Axis.REPEAT, Scope.WITHIN, _BASE), base, again)
        _within(process, result, attempts)
    result.skip(skips)
    attempts, skips = between_attempts(can)
    _new_objects(process, result, attempts, can)
    _new_processes(bench, process.seconds, result, attempts)
    result.skip(skips)
    return result


def _within(process: Process, result: Measurement, attempts: Sequence[Attempt]) -> None:
    """Second calls on one object: all changed at once, and one by one only if that moved."""
    combined = _outcome(process, [_BASE, together(attempt.change for attempt in attempts)])
    still = isinstance(combined, Shot) and same(result.again, combined)
    for attempt in attempts:
        # What a new turn's user message hides must be tried by itself.
        alone = not still or attempt.judged is not Judged.OLD
        after = _outcome(process, [_BASE, attempt.change]) if alone else combined
        result.compare(attempt, result.again, after)


def _new_objects(
    process: Process, result: Measurement, attempts: Sequence[Attempt], can: Abilities
) -> None:
    """First calls of new objects in the running process: what is read when a call is made."""
    callable_now = [attempt for attempt in attempts if not attempt.needs_process]
    combined = _outcome(process, [together(attempt.change for attempt in callable_now)])
    still = isinstance(combined, Shot) and same(result.base, combined)
    for attempt in callable_now:
        after = combined if still else _outcome(process, [attempt.change])
        result.compare(attempt, result.base, after)
    for attempt in removals(can):
        result.compare(attempt, result.base, _outcome(process, [attempt.change]))


def _new_processes(
    bench: Bench, process_seconds: float, result: Measurement, attempts: Sequence[Attempt]
) -> None:
    """One new process in which everything differs; one an axis only if that is unexplained."""
    everything = _fresh(bench, together(attempt.change for attempt in attempts))
    moved = unexplained(result, everything)
    # The axes that fit what was observed come first, and all of them; others only while needed.
    likely, others = _by_likelihood(attempts, likely_kinds(result.base, everything, moved))
    for attempt in likely if moved else ():
        result.compare(attempt, result.base, _fresh(bench, attempt.change))
    for attempt in others:
        if not unexplained(result, everything):
            break
        result.compare(attempt, result.base, _fresh(bench, attempt.change))
    for attempt in attempts:
        # What was tried together with everything else and moved nothing is still.
        result.compare(attempt, result.base, result.base)
        if attempt.axis is Axis.HASH_SEED and not result.moved_on(Axis.HASH_SEED):
            _more_hash_seeds(bench, process_seconds, result, attempt)


def _more_hash_seeds(
    bench: Bench, process_seconds: float, result: Measurement, attempt: Attempt
) -> None:
    """A set of two names hides from one seed half of the time, so cheap builders get more seeds."""
    if process_seconds > _CHEAP_PROCESS_SECONDS:
        result.notes.append("one other hash seed was tried, because a new process is slow")
        result.hardly_tried.add(attempt.axis)
        return
    for seed in _MORE_HASH_SEEDS:
        change = replace(attempt.change, hash_seed=seed)
        result.compare(attempt, result.base, _fresh(bench, change))
        if result.moved_on(Axis.HASH_SEED):
            return


def _by_likelihood(
    attempts: Sequence[Attempt], kinds: frozenset[CauseKind]
) -> tuple[list[Attempt], list[Attempt]]:
    """The axes that these kinds of call fit, and the others: another user or machine last."""
    likely = [attempt for attempt in attempts if kinds_of(attempt.axis) & kinds]
    others = [attempt for attempt in attempts if attempt not in likely]
    return likely, sorted(others, key=lambda attempt: attempt.scope is Scope.ACROSS)


def _fresh(bench: Bench, world: World) -> Shot | Failure:
    """The first call in a new process in this world."""
    try:
        return bench.start(world).ask([world])[0]
    except (BuilderError, BodyError) as error:
        return Failure(str(error))


def _outcome(process: Process, calls: Sequence[World]) -> Shot | Failure:
    """The last of these calls, or why the builder could not make it in a changed world."""
    try:
        return process.ask(calls)[-1]
    except (BuilderError, BodyError) as error:
        return Failure(str(error))
