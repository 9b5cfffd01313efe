"""What cannot be changed around a command, and why: those axes are not exercised."""

from promptlint.layout import Axis, Scope

_WITHIN_CLOCKS = (Axis.SECOND, Axis.MINUTE, Axis.HOUR, Axis.DAY)
_BETWEEN_CLOCKS = (Axis.CLOCK_AT_START, Axis.DAY)
_IN_A_SESSION = (Axis.TURN, *_WITHIN_CLOCKS, Axis.MID_SESSION_EDIT)


def not_exercised(
    *, clock: str | None, session: str | None, steps: str | None, hash_seed: str | None
) -> dict[tuple[Axis, Scope], str]:
    """The axes that a command's worlds do not move, each with its reason.

    The arguments say why the clock, a later turn, a tool call or the hash seed cannot be had
    for this command; None where it can.
    """
    reasons = {
        (Axis.REPEAT, Scope.WITHIN): "every run of a command is another turn or another session",
        (Axis.LISTING_ORDER, Scope.ACROSS): "listings cannot be reordered for a command",
        (Axis.TOOL_ORDER, Scope.ACROSS): "a command brings its own tools",
    }
    if steps is not None:
        reasons[Axis.STEP, Scope.WITHIN] = steps
    if hash_seed is not None:
        reasons[Axis.HASH_SEED, Scope.BETWEEN] = hash_seed
    if clock is not None:
        reasons |= {(axis, Scope.WITHIN): clock for axis in _WITHIN_CLOCKS}
        reasons |= {(axis, Scope.BETWEEN): clock for axis in _BETWEEN_CLOCKS}
    if session is not None:
        reasons |= {(axis, Scope.WITHIN): session for axis in _IN_A_SESSION}
    return reasons
