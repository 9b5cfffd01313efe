"""The requests of one call compared with each other: what a step or a turn changes by itself."""

from msgspec.structs import replace

from promptlint.layout import Axis, AxisReport, AxisState, Scope
from promptlint.measure.measurement import Comparison, Measurement
from promptlint.measure.shot import Judged
from promptlint.request import Request


def compare_turns(result: Measurement) -> None:
    """Compare the earlier requests of the base call with its newest one."""
    base = result.base
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
