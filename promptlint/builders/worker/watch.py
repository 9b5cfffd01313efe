"""Where the builder stands when its time is over."""

from __future__ import annotations

import faulthandler
import os

_process = os.getpid  # as it is before it is replaced
_SHARE = 0.9  # of the time limit, after which the stack is written down


class Watch:
    """Writes the stack of the builder to a file shortly before its time limit."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - open to the end
        self._watched = 0

    def begin(self, limit: float) -> None:
        """A call begins that has so many seconds."""
        self._file.seek(0)
        self._file.truncate()
        self._watched = _process()
        faulthandler.dump_traceback_later(limit * _SHARE, file=self._file)

    def end(self) -> None:
        """The call has ended in time."""
        # A fork made by the builder has no watching thread: it would wait for it without end.
        if _process() == self._watched:
            faulthandler.cancel_dump_traceback_later()
