"""The clock, and the functions of `time` that read it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from .observe import Recorder
from .replace import Replacements, Wrap

FREE_READS = 1000  # reads of one call before the clock begins to tick
TICK = 10_000_000  # nanoseconds for each read after those: a busy loop must come to its end
_REALTIME = getattr(time, "CLOCK_REALTIME", 0)
_SECOND = 1_000_000_000
_HIDDEN_CALLERS = ("logging",)  # every log record reads the clock


class Clock:
    """A clock that stands still during a call, but for sleeping and for busy loops."""

    def __init__(self, base: float) -> None:
        self._base = round(base * 1_000_000) * 1000
        self._offset = 0
        self._drift = 0
        self._import_drift: int | None = None
        self._reads = 0

    def begin(self, seconds: float) -> None:
        """A call begins `seconds` after the base time, and as long after it as the import slept."""
        if self._import_drift is None:
            self._import_drift = self._drift
        self._drift = self._import_drift
        self._offset = round(seconds * _SECOND)
        self._reads = 0

    def shift(self, seconds: float) -> None:
        """The import begins `seconds` after the base time."""
        self._offset = round(seconds * _SECOND)

    def sleep(self, seconds: float) -> None:
        """The main thread has slept; what others sleep is not known to the builder."""
        if threading.current_thread() is threading.main_thread():
            self._drift += round(seconds * _SECOND)

    def nanoseconds(self) -> int:
        """Now, in nanoseconds since 1970."""
        if _caller() not in _HIDDEN_CALLERS:
            self._reads += 1
            if self._reads > FREE_READS:
                self._drift += TICK
        return self._base + self._offset + self._drift

    def seconds(self) -> float:
        """Now, in seconds since 1970."""
        return self.nanoseconds() / _SECOND


def _caller() -> str:
    """The module that reads the clock."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return str(frame.f_globals.get("__name__"))


def install(clock: Clock, recorder: Recorder, replacements: Replacements) -> None:
    """Put the clock in the place of every real-time function of `time`."""
    functions = _Functions(clock, recorder)
    for name, read in (("time", clock.seconds), ("time_ns", clock.nanoseconds)):
        replacements.swap(time, name, functions.reading(read))
    for name, read in (("clock_gettime", clock.seconds), ("clock_gettime_ns", clock.nanoseconds)):
        replacements.swap(time, name, functions.reading_one(read))
    for name in ("localtime", "gmtime", "ctime"):
        replacements.swap(time, name, functions.of_seconds)
    for name in ("strftime", "asctime"):
        replacements.swap(time, name, functions.formatting)
    replacements.swap(time, "sleep", functions.sleeping)


class _Functions:
    """Makes the stand-ins: each method takes what it replaces."""

    def __init__(self, clock: Clock, recorder: Recorder) -> None:
        self._clock = clock
        self._recorder = recorder
        self._strftime = time.strftime
        self._localtime = time.localtime

    def reading(self, read: Callable[[], Any]) -> Wrap:
        def wrap(original: Any) -> Callable[..., Any]:
            def function() -> Any:
                return self._recorded(original, read())

            return function

        return wrap

    def reading_one(self, read: Callable[[], Any]) -> Wrap:
        """One clock of several: the others are left alone."""

        def wrap(original: Any) -> Callable[..., Any]:
            def function(which: int) -> Any:
                if which != _REALTIME:
                    return original(which)
                return self._recorded(original, read())

            return function

        return wrap

    def of_seconds(self, original: Any) -> Callable[..., Any]:
        def function(seconds: Any = None) -> Any:
            value = original(self._clock.seconds() if seconds is None else seconds)
            text = value if isinstance(value, str) else self._strftime("%Y-%m-%d %H:%M:%S", value)
            self._recorder.record("clock", "time." + original.__name__, text)
            return value

        return function

    def formatting(self, original: Any) -> Callable[..., Any]:
        """`strftime(pattern, tuple)` and `asctime(tuple)`: without a tuple it is now."""
        patterns = 1 if original.__name__ == "strftime" else 0

        def function(*given: Any) -> str:
            if len(given) == patterns:
                given = (*given, self._localtime(self._clock.seconds()))
            value: str = original(*given)
            self._recorder.record("clock", str(given[0]) if patterns else "time.asctime", value)
            return value

        return function

    def sleeping(self, original: Any) -> Callable[..., Any]:
        def function(seconds: float) -> None:
            original(seconds)
            self._clock.sleep(float(seconds))

        return function

    def _recorded(self, original: Any, value: Any) -> Any:
        self._recorder.record("clock", "time." + original.__name__, repr(value))
        return value
