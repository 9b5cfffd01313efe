"""The procedure: worlds are tried cheapest first, until all that moved is known by its axis."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from promptlint.bodies import BodyError
from promptlint.builders.error import BuilderError
from promptlint.layout import Axis, AxisReport, AxisState, CauseKind, Rebuilt, Scope
from promptlint.measure.attempts import (
    Abilities,
    Attempt,
    Skip,
    between_attempts,
    removals,
    together,
    within_attempts,
)
from promptlint.measure.context_files import ContextFile
from promptlint.measure.shot import Judged, Shot, judged_text, same
from promptlint.request import Request
from promptlint.worlds.axes import kinds_of
from promptlint.worlds.explain import moved_twins
from promptlint.worlds.hunks import Hunk, hunks
from promptlint.worlds.world import World

_BASE = World()

# Two names keep their order under half of all seeds: four more seeds miss them once in 32 times.
_MORE_HASH_SEEDS = (2, 3, 4, 5)
_CHEAP_PROCESS_SECONDS = 3.0

# A shorter new text could appear twice by chance.
_TELLING = 8


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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two calls to compare: what differs moved on `axis` in `scope`.

    `default` is its cause where none was seen. `removed` is the file that was taken
    away: what differs then is its section.
    """

    axis: Axis
    scope: Scope
    before: Shot
    after: Shot
    default: CauseKind = CauseKind.OTHER
    removed: ContextFile | None = None
    judged: Judged = Judged.OLD


@dataclass(frozen=True, slots=True)
class Failure:
    """A changed world in which the builder could not be called, and why."""

    why: str


@dataclass(slots=True)
class Measurement:
    """What was tried: the base call, the comparisons in which something moved, the axes."""

    base: Shot
    again: Shot
    comparisons: list[Comparison] = field(default_factory=list)
    axes: dict[tuple[Axis, Scope], AxisReport] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def skip(self, skips: Iterable[Skip]) -> None:
        """Say of these axes that they were not exercised."""
        for skip in skips:
            state = AxisReport(skip.axis, AxisState.NOT_EXERCISED, skip.why)
            self.axes.setdefault((skip.axis, skip.scope), state)

    def compare(self, attempt: Attempt, before: Shot, after: Shot | Failure) -> None:
        """Note the outcome of an attempt."""
        key = (attempt.axis, attempt.scope)
        if isinstance(after, Failure):
            # A builder may need a file that was taken away: that says nothing about the axis.
            if attempt.removed is None:
                failed = AxisReport(attempt.axis, AxisState.FAILED, after.why)
                self.axes.setdefault(key, failed)
            return
        self.axes.setdefault(key, AxisReport(attempt.axis, AxisState.EXERCISED))
        if not same(before, after, attempt.judged):
            self.comparisons.append(
                Comparison(
                    attempt.axis,
                    attempt.scope,
                    before,
                    after,
                    attempt.default,
                    attempt.removed,
                    attempt.judged,
                )
            )

    def moved_on(self, axis: Axis) -> bool:
        """Whether anything moved on this axis."""
        return any(comparison.axis is axis for comparison in self.comparisons)


def measure(process: Process, bench: Bench, can: Abilities, rebuilt: Rebuilt | None) -> Measurement:
    """Call the builder in all the worlds that are needed to know what moves its text.

    Raises BuilderError or BodyError where the base world itself cannot be built.
    """
    base, again = process.ask([_BASE, _BASE])
    result = Measurement(base, again)
    _turns(result, base)
    attempts, skips = within_attempts(can)
    if rebuilt is Rebuilt.SESSION:
        why = "the agent builds this prompt once per session"
        repeat = Skip(Axis.REPEAT, Scope.WITHIN, why)
        result.skip([repeat, *(Skip(a.axis, a.scope, why) for a in attempts)])
    else:
        result.compare(Attempt(Axis.REPEAT, Scope.WITHIN, _BASE), base, again)
        _within(process, result, attempts)
    result.skip(skips)
    attempts, skips = between_attempts(can)
    _new_objects(process, result, attempts, can)
    _new_processes(bench, process.seconds, result, attempts)
    result.skip(skips)
    return result


def _turns(result: Measurement, base: Shot) -> None:
    """A builder that yields its requests turn by turn shows by itself what a turn changes."""
    newest = base.requests[-1]
    for earlier in base.requests[:-1]:
        step = _user_turns(earlier) == _user_turns(newest)
        axis = Axis.STEP if step else Axis.TURN
        before = replace(base, requests=(earlier,))
        after = replace(base, requests=(newest,))
        result.axes[axis, Scope.WITHIN] = AxisReport(axis, AxisState.EXERCISED)
        judged = Judged.ALL if step else Judged.OLD
        result.comparisons.append(Comparison(axis, Scope.WITHIN, before, after, judged=judged))


def _user_turns(request: Request) -> int:
    return sum(message.role == "user" for message in request.messages)


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
    unexplained = _unexplained(result, everything)
    # The axes that fit what was observed come first, and all of them; others only while needed.
    likely, others = _by_likelihood(attempts, _likely_kinds(result.base, everything, unexplained))
    for attempt in likely if unexplained else ():
        result.compare(attempt, result.base, _fresh(bench, attempt.change))
    for attempt in others:
        if not _unexplained(result, everything):
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


def _likely_kinds(
    base: Shot, everything: Shot | Failure, unexplained: Sequence[Hunk]
) -> frozenset[CauseKind]:
    """The kinds of call whose answers stand on what is unexplained, each in its own world."""
    if isinstance(everything, Failure):
        return frozenset()
    before, after = judged_text(base.request), judged_text(everything.request)
    return frozenset(
        twin.kind
        for twin in moved_twins(base.observations, everything.observations)
        for hunk in unexplained
        if _stands_on(before, twin.before.value, hunk.start, hunk.end)
        and _stands_on(after, twin.after.value, hunk.after_start, hunk.after_end)
    )


def _stands_on(text: str, value: str, start: int, end: int) -> bool:
    value = value.strip()
    at = text.find(value, max(0, start - len(value)))
    return bool(value) and 0 <= at <= end


def _unexplained(result: Measurement, everything: Shot | Failure) -> list[Hunk]:
    """What the world in which everything differs moved, and no single axis so far."""
    if isinstance(everything, Failure):
        return [Hunk(0, 0, 0, 0)]
    base, other = judged_text(result.base.request), judged_text(everything.request)
    known: list[tuple[Hunk, str]] = []
    for comparison in result.comparisons:
        if comparison.before is result.base and comparison.removed is None:
            after = judged_text(comparison.after.request)
            known += [(hunk, _new_text(hunk, after)) for hunk in hunks(base, after)]
    return [
        hunk
        for hunk in hunks(base, other)
        if not _explained(hunk, [one for one, _ in known], base)
        and not any(_same_text(_new_text(hunk, other), text) for _, text in known)
    ]


def _new_text(hunk: Hunk, after: str) -> str:
    return after[hunk.after_start : hunk.after_end].strip()


def _same_text(new: str, known: str) -> bool:
    """Whether a text was seen to appear before, perhaps at a place that other changes shifted."""
    return len(new) >= _TELLING and new in known


def _explained(found: Hunk, known: Iterable[Hunk], text: str) -> bool:
    """Whether known moves meet a move and leave no word of it: `host, 12:10` are two values."""
    meeting = [hunk for hunk in known if hunk.start <= found.end and found.start <= hunk.end]
    return bool(meeting) and not any(
        text[at].isalnum() and not any(hunk.start <= at < hunk.end for hunk in meeting)
        for at in range(found.start, found.end)
    )


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
