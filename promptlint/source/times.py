"""Methods and attributes of times."""

from msgspec.structs import replace

from promptlint.layout import Axis, CauseKind
from promptlint.source import clock
from promptlint.source.arguments import Arguments
from promptlint.source.pieces import Unresolved, transform
from promptlint.source.texts import at_axis
from promptlint.source.values import Constant, Text, Value, literal

FORMS = frozenset({"datetime", "date", "epoch", "timedelta", "iso"})
_TO_STRING = {
    "to_date_string": Axis.DAY,
    "to_formatted_date_string": Axis.DAY,
    "to_datetime_string": Axis.SECOND,
    "to_iso8601_string": Axis.SECOND,
    "to_day_datetime_string": Axis.MINUTE,
    "date": Axis.DAY,
    "toordinal": Axis.DAY,
    "isocalendar": Axis.DAY,
    "weekday": Axis.DAY,
    "isoweekday": Axis.DAY,
}
_ZONES = frozenset({"tzname", "utcoffset", "dst", "tzinfo", "tm_zone", "tm_gmtoff"})
_RESHAPED = {"timestamp": "epoch", "total_seconds": "timedelta"}
_AGES = frozenset({"humanize", "diff_for_humans"})
_FLOORS = {"day": Axis.DAY, "hour": Axis.HOUR, "minute": Axis.MINUTE}


def method(receiver: Text, name: str, arguments: Arguments) -> Text | None:
    """A call of a method of a time; None if it is no method of times."""
    first = literal(arguments.positional[0]) if arguments.positional else None
    if (found := _plain(receiver, name)) is not None:
        return found
    match name:
        case "strftime":
            if first is None:
                return Text(receiver.pieces)
            return at_axis(receiver, clock.of_format(first), first)
        case "format" if first is not None:
            return at_axis(receiver, clock.of_pattern(first), first)
        case "isoformat":
            return _iso(receiver, arguments)
        case "floor" | "start_of" | "round" if first in _FLOORS:
            return at_axis(receiver, _FLOORS[first], f"{name}({first!r})", receiver.form)
        case "replace":
            return replace_fields(receiver, arguments)
        case _:
            return None


def _plain(receiver: Text, name: str) -> Text | None:
    """The methods whose result does not depend on their arguments."""
    if name in _ZONES:
        return Text((Unresolved("time zone"),))
    if name in _RESHAPED:
        return Text(receiver.pieces, _RESHAPED[name])
    if name in _TO_STRING:
        form = "date" if _TO_STRING[name] is Axis.DAY else "str"
        return at_axis(receiver, _TO_STRING[name], f"{name}()", form)
    if name in _AGES:
        return Text(transform(receiver.pieces, lambda p: replace(p, kind=CauseKind.AGE)))
    return None


def _iso(receiver: Text, arguments: Arguments) -> Text:
    timespec = arguments.get(1, "timespec")
    axis = clock.of_timespec((literal(timespec) if timespec else None) or "auto")
    return at_axis(receiver, axis, "isoformat()", "iso")


def replace_fields(receiver: Text, arguments: Arguments) -> Text:
    """`now.replace(second=0, microsecond=0)`."""
    zeroed = {
        name
        for name, value in arguments.keywords.items()
        if isinstance(value, Constant) and value.value == 0
    }

    def coarser(axis: Axis) -> Axis:
        return clock.replaced(axis, zeroed) if axis is Axis.SECOND else axis

    pieces = transform(receiver.pieces, lambda p: replace(p, axis=coarser(p.axis)))
    return Text(pieces, receiver.form)


def attribute(receiver: Text, name: str) -> Value | None:
    """`now.hour`, `delta.days`; None if it is no attribute of times."""
    if receiver.form == "timedelta" and name in ("days", "seconds"):
        if name == "seconds":
            return receiver
        pieces = transform(receiver.pieces, lambda p: replace(p, axis=Axis.DAY))
        return Text(pieces, "days")
    if name in _ZONES:
        return Text((Unresolved("time zone"),))
    axis = clock.of_part(name)
    if axis is None or name in _TO_STRING:
        return None
    return at_axis(receiver, axis, f".{name}", "number")
