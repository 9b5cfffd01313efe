"""How fine a printed time is: strftime formats, ISO precision, attributes, divisions."""

import re

from promptlint.layout import Axis

_DIRECTIVES = {
    **dict.fromkeys("SfTXcsr+N", Axis.SECOND),
    **dict.fromkeys("MR", Axis.MINUTE),
    **dict.fromkeys("HIpklP", Axis.HOUR),
    **dict.fromkeys("YyGgdjmbBhaAuUVWwDFxeC", Axis.DAY),
}
_PARTS = {
    **dict.fromkeys(("second", "microsecond", "tm_sec"), Axis.SECOND),
    **dict.fromkeys(("minute", "tm_min"), Axis.MINUTE),
    **dict.fromkeys(("hour", "tm_hour"), Axis.HOUR),
    **dict.fromkeys(
        [
            "day",
            "month",
            "year",
            "weekday",
            "isoweekday",
            "isocalendar",
            "day_of_week",
            "day_name",
            "month_name",
            "tm_mday",
            "tm_mon",
            "tm_year",
            "tm_wday",
            "tm_yday",
        ],
        Axis.DAY,
    ),
}
_FINEST = (Axis.SECOND, Axis.MINUTE, Axis.HOUR, Axis.DAY)


def finest(*axes: Axis) -> Axis | None:
    """The finest of several clock axes."""
    return next((axis for axis in _FINEST if axis in axes), None)


def of_format(template: str) -> Axis | None:
    """The finest directive of a strftime format; None if no directive moves."""
    directives = re.findall(r"%[-_0^#:]*([A-Za-z+])", template.replace("%%", ""))
    return finest(*(_DIRECTIVES[d] for d in directives if d in _DIRECTIVES))


def of_pattern(template: str) -> Axis | None:
    """The finest field of a `YYYY-MM-DD HH:mm` pattern, as pendulum and arrow write it."""
    bare = re.sub(r"\[[^\]]*\]", "", template)
    found = [
        axis
        for pattern, axis in (
            ("[sSxX]|LTS", Axis.SECOND),
            ("m|LT|LLL", Axis.MINUTE),
            ("[hHkA]", Axis.HOUR),
            ("[YDdMQ]|L", Axis.DAY),
        )
        if re.search(pattern, bare)
    ]
    return finest(*found)


def of_part(name: str) -> Axis | None:
    """The axis of an attribute such as `now.hour`."""
    return _PARTS.get(name)


def of_timespec(timespec: str) -> Axis:
    """The axis of `isoformat(timespec=...)`."""
    return {"hours": Axis.HOUR, "minutes": Axis.MINUTE}.get(timespec, Axis.SECOND)


def of_slice(axis: Axis, form: str, end: int) -> Axis:
    """The axis of the first `end` characters of an ISO time such as 2026-11-29T12:10:10."""
    if form not in ("iso", "datetime") or axis is Axis.DAY:
        return axis
    for length, finer in ((10, Axis.DAY), (13, Axis.HOUR), (16, Axis.MINUTE)):
        if 0 < end <= length:
            return finest(finer) or axis
    return axis


def coarsened(axis: Axis, seconds: float) -> Axis:
    """The axis of a time divided by or rounded to `seconds`."""
    for least, coarser in ((86400, Axis.DAY), (3600, Axis.HOUR), (60, Axis.MINUTE)):
        if seconds >= least:
            return coarser
    return axis


def replaced(axis: Axis, zeroed: set[str]) -> Axis:
    """The axis after `now.replace(minute=0, second=0, ...)`."""
    if "hour" in zeroed and "minute" in zeroed:
        return Axis.DAY
    if "minute" in zeroed:
        return Axis.HOUR
    if "second" in zeroed:
        return Axis.MINUTE
    return axis


def date_only(template: str) -> str | None:
    """A strftime format without what is finer than a day; None if nothing would be left."""
    words: list[str] = []
    finer = False
    for word in reversed(template.replace("T%", " %").split(" ")):
        axis = of_format(word)
        finer = axis not in (None, Axis.DAY) or (axis is None and finer)
        if axis is Axis.DAY or (axis is None and not finer and "%" not in word):
            words.insert(0, word)
    while words and "%" not in words[-1]:
        words.pop()
    cut = " ".join(words).rstrip(" ,;:-(")
    return cut or None
