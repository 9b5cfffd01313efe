"""Dates: methods are swapped inside the C types, so `datetime` stays the very same type.

Subclasses of datetime break orjson, ormsgpack and pydantic; swapped methods do not.
"""

from __future__ import annotations

import ctypes
import datetime as dt
import gc
from collections.abc import Callable
from typing import Any

from .clock import Clock
from .observe import Recorder


def install(clock: Clock, recorder: Recorder) -> None:
    """Put the clock in the place of `now`, `utcnow` and `today`, and watch what is formatted."""
    moment, day, hours = dt.datetime, dt.date, dt.time
    # Taken from the dict: a subclass (pendulum) may override it and call `now` in turn.
    from_timestamp = moment.__dict__["fromtimestamp"]
    day_from_timestamp = day.__dict__["fromtimestamp"]
    utc = dt.timezone.utc  # noqa: UP017 - Python 3.9

    def read(key: str, value: Any) -> Any:
        with recorder.pause():
            text = value.isoformat()
        recorder.record("clock", key, text)
        return value

    def now(cls: Any, tz: Any = None) -> Any:
        """Return new datetime object representing current time local to tz."""
        return read("datetime.now", from_timestamp.__get__(None, cls)(clock.seconds(), tz))

    def utcnow(cls: Any) -> Any:
        """Return a new datetime representing UTC day and time."""
        value = from_timestamp.__get__(None, cls)(clock.seconds(), utc)
        return read("datetime.utcnow", value.replace(tzinfo=None))

    def today(cls: Any) -> Any:
        """Current date or datetime."""
        if issubclass(cls, moment):
            return read("datetime.today", from_timestamp.__get__(None, cls)(clock.seconds()))
        return read("date.today", day_from_timestamp.__get__(None, cls)(clock.seconds()))

    _swap_in_type(moment, "now", classmethod(now))
    _swap_in_type(moment, "utcnow", classmethod(utcnow))
    _swap_in_type(day, "today", classmethod(today))
    for owner in (moment, day, hours):
        for name in ("strftime", "isoformat", "ctime"):
            if name in owner.__dict__:
                _swap_in_type(owner, name, _formatter(owner.__dict__[name], name, recorder))
    _check(clock, recorder)


def _check(clock: Clock, recorder: Recorder) -> None:
    with recorder.pause():
        now = dt.datetime.now(dt.timezone.utc)  # noqa: UP017 - Python 3.9
    if abs(now.timestamp() - clock.seconds()) > 1 or type(now) is not dt.datetime:
        raise RuntimeError("this Python's datetime cannot be given another clock")


def _formatter(original: Any, name: str, recorder: Recorder) -> Callable[..., Any]:
    def function(self: Any, *args: Any, **kwargs: Any) -> Any:
        with recorder.pause():
            value = original(self, *args, **kwargs)
        given = [*args, *kwargs.values()]
        key = str(given[0]) if name == "strftime" and given else name
        recorder.record("clock", key, value)
        return value

    function.__module__ = "datetime"
    function.__name__ = name
    function.__qualname__ = original.__qualname__
    function.__doc__ = original.__doc__
    return function


def _swap_in_type(owner: Any, name: str, value: Any) -> None:
    (namespace,) = gc.get_referents(owner.__dict__)[:1]
    namespace[name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))
