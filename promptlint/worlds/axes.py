"""The table of axes: what each one changes, its scope, and how long a mover lives."""

from msgspec import Struct

from promptlint.layout import Axis, CauseKind, Lifetime, Scope
from promptlint.worlds.world import World

MINUTE = 60.0
HOUR = 3600.0
DAY = 86_400.0


class Row(Struct, frozen=True):
    """One axis in one scope.

    `change` is the state of the world in which the changed call is made.
    `needs_process` says that only a new process can show it. `kinds` are the kinds
    of call that can explain what moves, `default` is assumed where none does.
    """

    axis: Axis
    scope: Scope
    lifetime: Lifetime
    change: World
    default: CauseKind = CauseKind.OTHER
    kinds: frozenset[CauseKind] = frozenset()
    needs_process: bool = False


_CLOCK = frozenset({CauseKind.CLOCK, CauseKind.AGE})
_IDENTITY = frozenset({CauseKind.IDENTIFIER, CauseKind.RANDOM})
_HOST = frozenset({CauseKind.HOST, CauseKind.PROCESS})


def _clock(axis: Axis, scope: Scope, lifetime: Lifetime, seconds: float) -> Row:
    return Row(axis, scope, lifetime, World(clock=seconds), CauseKind.CLOCK, _CLOCK)


# Changes between two calls of one object.
WITHIN: tuple[Row, ...] = (
    Row(Axis.REPEAT, Scope.WITHIN, Lifetime.REQUEST, World(), kinds=_IDENTITY),
    Row(Axis.STEP, Scope.WITHIN, Lifetime.REQUEST, World(step=1)),
    # What another message in the same turn moves was chosen by the message.
    Row(Axis.TURN, Scope.WITHIN, Lifetime.TURN, World(query=1), CauseKind.QUERY),
    Row(Axis.TURN, Scope.WITHIN, Lifetime.TURN, World(turn=1)),
    _clock(Axis.SECOND, Scope.WITHIN, Lifetime.TURN, 1),
    _clock(Axis.MINUTE, Scope.WITHIN, Lifetime.TURN, MINUTE),
    _clock(Axis.HOUR, Scope.WITHIN, Lifetime.TURN, HOUR),
    _clock(Axis.DAY, Scope.WITHIN, Lifetime.DAY, DAY),
)

# Changes before a new object, or a new process, makes its first call.
BETWEEN: tuple[Row, ...] = (
    _clock(Axis.CLOCK_AT_START, Scope.BETWEEN, Lifetime.SESSION, HOUR + MINUTE + 1),
    _clock(Axis.DAY, Scope.BETWEEN, Lifetime.DAY, DAY),
    Row(
        Axis.NEW_SESSION,
        Scope.BETWEEN,
        Lifetime.SESSION,
        World(identifiers=1),
        CauseKind.IDENTIFIER,
        _IDENTITY,
    ),
    Row(
        Axis.HASH_SEED,
        Scope.BETWEEN,
        Lifetime.SESSION,
        World(hash_seed=1),
        CauseKind.SET_ORDER,
        needs_process=True,
    ),
    Row(
        Axis.LISTING_ORDER,
        Scope.ACROSS,
        Lifetime.SESSION,
        World(listing=1),
        CauseKind.LISTING,
        frozenset({CauseKind.LISTING}),
    ),
    Row(Axis.TOOL_ORDER, Scope.ACROSS, Lifetime.SESSION, World(tool_order=1)),
    Row(
        Axis.USER,
        Scope.ACROSS,
        Lifetime.STATIC,
        World(user=1),
        CauseKind.HOST,
        _HOST,
        needs_process=True,
    ),
    Row(
        Axis.MACHINE,
        Scope.ACROSS,
        Lifetime.STATIC,
        World(machine=1),
        CauseKind.HOST,
        _HOST,
        needs_process=True,
    ),
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
CLOCK_AXES = (*SUB_DAY_AXES, Axis.CLOCK_AT_START, Axis.DAY)
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
