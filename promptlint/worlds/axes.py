"""The table of axes: what each one changes, its scope, and how long a mover lives."""

from dataclasses import dataclass

from promptlint.layout import Axis, CauseKind, Lifetime, Scope
from promptlint.worlds.world import World

MINUTE = 60.0
HOUR = 3600.0
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Row:
    """One axis in one scope.

    `change` is the state of the world in which the changed call is made. With
    `running` the change happens between two calls of one object, else before a
    new object is made. `needs_process` says that only a new process can show it.
    `kinds` are the kinds of call that can explain what moves.
    """

    axis: Axis
    scope: Scope
    lifetime: Lifetime
    change: World
    kinds: frozenset[CauseKind] = frozenset()
    running: bool = False
    needs_process: bool = False


_CLOCK = frozenset({CauseKind.CLOCK, CauseKind.AGE})
_IDENTITY = frozenset({CauseKind.IDENTIFIER, CauseKind.RANDOM})
_HOST = frozenset({CauseKind.HOST, CauseKind.PROCESS})

WITHIN: tuple[Row, ...] = (
    Row(Axis.REPEAT, Scope.WITHIN, Lifetime.REQUEST, World(), _IDENTITY, running=True),
    Row(Axis.STEP, Scope.WITHIN, Lifetime.REQUEST, World(step=1), running=True),
    Row(Axis.TURN, Scope.WITHIN, Lifetime.TURN, World(turn=1), running=True),
    Row(Axis.SECOND, Scope.WITHIN, Lifetime.TURN, World(clock=1), _CLOCK, running=True),
    Row(Axis.MINUTE, Scope.WITHIN, Lifetime.TURN, World(clock=MINUTE), _CLOCK, running=True),
    Row(Axis.HOUR, Scope.WITHIN, Lifetime.TURN, World(clock=HOUR), _CLOCK, running=True),
    Row(Axis.DAY, Scope.WITHIN, Lifetime.DAY, World(clock=DAY), _CLOCK, running=True),
)

BETWEEN: tuple[Row, ...] = (
    Row(
        Axis.CLOCK_AT_START,
        Scope.BETWEEN,
        Lifetime.SESSION,
        World(clock=HOUR + MINUTE + 1),
        _CLOCK,
    ),
    Row(Axis.DAY, Scope.BETWEEN, Lifetime.DAY, World(clock=DAY), _CLOCK),
    Row(Axis.NEW_SESSION, Scope.BETWEEN, Lifetime.SESSION, World(identifiers=1), _IDENTITY),
    Row(
        Axis.HASH_SEED,
        Scope.BETWEEN,
        Lifetime.SESSION,
        World(hash_seed=1),
        frozenset({CauseKind.SET_ORDER}),
        needs_process=True,
    ),
    Row(
        Axis.LISTING_ORDER,
        Scope.ACROSS,
        Lifetime.SESSION,
        World(listing=1),
        frozenset({CauseKind.LISTING}),
    ),
    Row(Axis.TOOL_ORDER, Scope.ACROSS, Lifetime.SESSION, World(tool_order=1)),
    Row(Axis.USER, Scope.ACROSS, Lifetime.STATIC, World(user=1), _HOST, needs_process=True),
    Row(Axis.MACHINE, Scope.ACROSS, Lifetime.STATIC, World(machine=1), _HOST, needs_process=True),
)

# File edits: the worlds depend on which files there are, so only scope and lifetime stand here.
EDITS: dict[Axis, tuple[Scope, Lifetime]] = {
    Axis.MID_SESSION_EDIT: (Scope.WITHIN, Lifetime.TURN),
    Axis.EDIT_MEMORY: (Scope.BETWEEN, Lifetime.EDIT),
    Axis.EDIT_SKILLS: (Scope.BETWEEN, Lifetime.EDIT),
    Axis.EDIT_PROJECT: (Scope.BETWEEN, Lifetime.EDIT),
    Axis.EDIT_WORKSPACE: (Scope.BETWEEN, Lifetime.EDIT),
}

# The kinds of call that can explain what an edit of a file moves.
_EDIT_KINDS = frozenset({CauseKind.FILE, CauseKind.LISTING, CauseKind.PROCESS})

SUB_DAY_AXES = (Axis.SECOND, Axis.MINUTE, Axis.HOUR)
CLOCK_AXES = (*SUB_DAY_AXES, Axis.DAY, Axis.CLOCK_AT_START)
EDIT_AXES = (Axis.EDIT_MEMORY, Axis.EDIT_SKILLS, Axis.EDIT_PROJECT, Axis.EDIT_WORKSPACE)


def kinds_of(axis: Axis) -> frozenset[CauseKind]:
    """The kinds of call that can explain what moves on this axis."""
    if axis in EDITS:
        return _EDIT_KINDS
    return frozenset[CauseKind]().union(
        *(row.kinds for row in (*WITHIN, *BETWEEN) if row.axis is axis)
    )


def lifetime_of(axis: Axis, scope: Scope) -> Lifetime:
    """How long a span lives that moves on this axis in this scope."""
    if axis in EDITS:
        return EDITS[axis][1]
    row = next((row for row in (*WITHIN, *BETWEEN) if (row.axis, row.scope) == (axis, scope)), None)
    if row is not None:
        return row.lifetime
    return Lifetime.STATIC
