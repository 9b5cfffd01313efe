"""The attempts of a run: every change that is tried on this builder, and why others are not."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind, Scope
from promptlint.measure.context_files import (
    EDIT_AXES,
    ContextFile,
    edit_world,
    mid_session_world,
)
from promptlint.measure.shot import Judged
from promptlint.worlds.axes import BETWEEN, EDITS, MINUTE, WITHIN, Row
from promptlint.worlds.world import Edit, EditKind, World

_NO_FOLDER = "no workspace or home is configured"
_NO_WORKSPACE = "no workspace is configured"

# A change of the workspace that every listing and every `git status` shows.
_NEW_FILE = Edit("workspace", "promptlint_new_file.txt", EditKind.CREATE, text="new\n")
_CHANGED_WORKSPACE = World(git=1, edits=(_NEW_FILE,))


class Attempt(Struct, frozen=True):
    """One change to try. `default` is the cause where none is seen, `removed` a file taken away."""

    axis: Axis
    scope: Scope
    change: World
    default: CauseKind = CauseKind.OTHER
    needs_process: bool = False
    removed: ContextFile | None = None
    judged: Judged = Judged.OLD


class Skip(Struct, frozen=True):
    """An axis that cannot be tried, and why."""

    axis: Axis
    scope: Scope
    why: str


class Abilities(Struct, frozen=True):
    """What this builder and its configuration allow us to change."""

    takes_world: bool
    takes_tools: bool
    copies_workspace: bool
    copies_home: bool
    files: tuple[ContextFile, ...] = ()


def within_attempts(can: Abilities) -> tuple[list[Attempt], list[Skip]]:
    """Changes between two calls of one object."""
    attempts, skips = [], []
    for row in WITHIN:
        if row.axis in {Axis.TURN, Axis.STEP} and not can.takes_world:
            skips.append(Skip(row.axis, row.scope, "the builder takes no world"))
        elif row.axis is Axis.STEP:
            attempts += _steps(row)
        elif row.axis is not Axis.REPEAT:
            attempts.append(_attempt(row))
    edit = mid_session_world(can.files)
    scope = EDITS[Axis.MID_SESSION_EDIT][0]
    if edit is None:
        skips.append(Skip(Axis.MID_SESSION_EDIT, scope, _no_file("memory or skills", can)))
    else:
        attempts.append(Attempt(Axis.MID_SESSION_EDIT, scope, edit, CauseKind.FILE))
    if can.copies_workspace:
        # An agent changes its workspace with every file that it writes.
        attempts.append(Attempt(Axis.MID_SESSION_EDIT, scope, _CHANGED_WORKSPACE))
    return attempts, skips


def between_turns_attempts() -> tuple[list[Attempt], list[Skip]]:
    """Changes between the turns that one call yields: another call would be another session."""
    attempts = [
        _attempt(replace(row, change=replace(row.change, between_turns=True)))
        for row in WITHIN
        if row.change.clock
    ]
    why = "the builder yields its turns: a second call would be another session"
    skips = [Skip(row.axis, row.scope, why) for row in WITHIN if not row.change.clock]
    return attempts, [*skips, Skip(Axis.MID_SESSION_EDIT, EDITS[Axis.MID_SESSION_EDIT][0], why)]


def between_attempts(can: Abilities) -> tuple[list[Attempt], list[Skip]]:
    """Changes before a new object, or a new process, makes its first call."""
    attempts, skips = [], []
    for row in BETWEEN:
        if row.axis is Axis.TOOL_ORDER and not can.takes_tools:
            skips.append(Skip(row.axis, row.scope, "no tools are handed over"))
        else:
            attempts.append(_attempt(row))
    for source, axis in EDIT_AXES.items():
        scope = EDITS[axis][0]
        change = edit_world(can.files, source)
        if change is None:
            skips.append(Skip(axis, scope, _no_file(source.value, can)))
        else:
            attempts.append(Attempt(axis, scope, change, CauseKind.FILE))
    skips.append(Skip(Axis.MODEL, Scope.ACROSS, "reported only: name several models"))
    scope = EDITS[Axis.EDIT_WORKSPACE][0]
    if can.copies_workspace:
        attempts.append(Attempt(Axis.EDIT_WORKSPACE, scope, _CHANGED_WORKSPACE))
    else:
        skips.append(
            Skip(Axis.EDIT_WORKSPACE, scope, _NO_WORKSPACE if can.copies_home else _NO_FOLDER)
        )
    return attempts, skips


def removals(can: Abilities) -> list[Attempt]:
    """Every context file taken away, one at a time: what vanishes is its section."""
    return [
        Attempt(EDIT_AXES[file.source], Scope.BETWEEN, World(edits=(file.removal(),)), removed=file)
        for file in can.files
        if file.exists
    ]


def together(changes: Iterable[World]) -> World:
    """One world with all these changes: clocks add up, edits are gathered, the rest is set."""
    combined = World()
    for change in changes:
        values = {
            name: getattr(change, name)
            for name in World.__struct_fields__
            if getattr(change, name) != getattr(World(), name)
        }
        values["clock"] = combined.clock + change.clock
        values["edits"] = combined.edits + tuple(e for e in change.edits if e not in combined.edits)
        combined = replace(combined, **values)
    return combined


def _steps(row: Row) -> list[Attempt]:
    """A step changes nothing that was sent; a clock in the user's message must not go on in it."""
    later = replace(row.change, clock=MINUTE)
    return [
        replace(_attempt(row), judged=Judged.ALL),
        Attempt(row.axis, row.scope, later, CauseKind.CLOCK, judged=Judged.NEWEST_USER),
    ]


def _attempt(row: Row) -> Attempt:
    return Attempt(row.axis, row.scope, row.change, row.default, row.needs_process)


def _no_file(what: str, can: Abilities) -> str:
    if can.copies_workspace or can.copies_home:
        return f"no {what} file was found"
    return _NO_FOLDER
