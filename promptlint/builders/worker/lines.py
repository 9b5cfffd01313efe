"""Which lines of the project ran.

From Python 3.12 on it costs next to nothing. Before that a trace function slows every call,
so it is set only in a process that is started to answer this question.
"""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import Any

from .frames import Frames

_TOOL = 4  # a number that no known debugger, profiler or coverage tool takes


class Lines:
    """Notes every line of the project that runs."""

    def __init__(self, frames: Frames, *, trace: bool) -> None:
        self._frames = frames
        self._seen: dict[str, set[int]] = {}
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._known = trace or self._monitoring is not None
        if self._monitoring is not None:
            events = self._monitoring.events
            self._monitoring.use_tool_id(_TOOL, "promptlint")
            self._monitoring.register_callback(_TOOL, events.PY_START, self._on_start)
            self._monitoring.register_callback(_TOOL, events.LINE, self._on_line)
            self._monitoring.set_events(_TOOL, events.PY_START)
        elif trace:
            threading.settrace(self._on_call)
            sys.settrace(self._on_call)

    def executed(self) -> dict[str, list[int]] | None:
        """The lines that ran so far, by file; None where that is not known."""
        if not self._known:
            return None
        return {path: sorted(lines) for path, lines in self._seen.items()}

    def _on_start(self, code: CodeType, _offset: int) -> Any:
        if self._frames.kind(code.co_filename) == "project":
            self._monitoring.set_local_events(_TOOL, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _on_line(self, code: CodeType, line: int) -> Any:
        self._seen.setdefault(code.co_filename, set()).add(line)
        return self._monitoring.DISABLE

    def _on_call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        if self._frames.kind(frame.f_code.co_filename) != "project":
            return None
        seen = self._seen.setdefault(frame.f_code.co_filename, set())

        def on_event(frame: FrameType, event: str, _argument: Any) -> Any:
            if event == "line":
                seen.add(frame.f_lineno)
            return on_event

        return on_event
