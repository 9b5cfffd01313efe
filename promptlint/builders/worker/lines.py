"""Which lines of the project ran. It costs next to nothing, and needs Python 3.12."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

from .frames import Frames

_TOOL = 4  # a number that no known debugger, profiler or coverage tool takes


class Lines:
    """Notes every line of the project when it runs for the first time."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._seen: dict[str, set[int]] = {}
        self._monitoring: Any = getattr(sys, "monitoring", None)
        if self._monitoring is None:
            return
        events = self._monitoring.events
        self._monitoring.use_tool_id(_TOOL, "promptlint")
        self._monitoring.register_callback(_TOOL, events.PY_START, self._on_start)
        self._monitoring.register_callback(_TOOL, events.LINE, self._on_line)
        self._monitoring.set_events(_TOOL, events.PY_START)

    def executed(self) -> dict[str, list[int]] | None:
        """The lines that ran so far, by file; None where this Python cannot tell."""
        if self._monitoring is None:
            return None
        return {path: sorted(lines) for path, lines in self._seen.items()}

    def _on_start(self, code: CodeType, _offset: int) -> Any:
        if self._frames.kind(code.co_filename) == "project":
            self._monitoring.set_local_events(_TOOL, code, self._monitoring.events.LINE)
        return self._monitoring.DISABLE

    def _on_line(self, code: CodeType, line: int) -> Any:
        self._seen.setdefault(code.co_filename, set()).add(line)
        return self._monitoring.DISABLE
