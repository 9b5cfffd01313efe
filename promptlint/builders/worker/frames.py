"""Which line of the user's code made a call."""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH100, PTH118, PTH120

from __future__ import annotations

import itertools
import linecache
import os
import sys
import sysconfig
from collections.abc import Sequence
from types import CodeType, FrameType
from typing import Any

Place = dict[str, Any]

OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))
_INSTALLED = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)


class Frames:
    """Tells the project's frames from those of libraries and of the standard library."""

    def __init__(self, project: Sequence[str]) -> None:
        self._project = tuple(os.path.join(folder, "") for folder in project)
        paths = sysconfig.get_paths()
        standard = {paths["stdlib"], *map(os.path.realpath, (paths["stdlib"], paths["platstdlib"]))}
        self._standard = tuple(os.path.join(folder, "") for folder in standard)
        self._kinds: dict[str, str] = {}

    def kind(self, path: str) -> str:
        """`own`, `import`, `standard`, `library` or `project`."""
        found = self._kinds.get(path)
        if found is None:
            found = self._kinds[path] = self._classify(path)
        return found

    def is_users(self, path: str) -> bool:
        """Whether this is a file of the user's project or of a library that it uses."""
        return self.kind(os.path.abspath(path)) in ("project", "library")

    def nearest(self) -> tuple[Place | None, Place | None]:
        """The place in the project that made the current call, and the library line nearer to it.

        Without a frame of the project the first is the innermost library line; without
        either, as in a thread of the standard library, both are None.
        """
        library: FrameType | None = None
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            kind = self.kind(frame.f_code.co_filename)
            if kind == "project":
                return place(frame), place(library) if library else None
            if kind == "library" and library is None:
                library = frame
            frame = frame.f_back
        return (place(library) if library else None), None

    def caller(self, *through: str) -> str:
        """The kind of the frame that called our stand-in, perhaps `through` some modules."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and (
            self.kind(frame.f_code.co_filename) == "own"
            or frame.f_globals.get("__name__") in through
        ):
            frame = frame.f_back
        return self.kind(frame.f_code.co_filename) if frame is not None else "standard"

    def _classify(self, path: str) -> str:
        if path.startswith(OWN_FOLDER) or path == _START:
            return "own"
        if path.startswith("<frozen importlib"):
            return "import"
        if path.startswith("<"):
            return "standard"
        if is_installed(path):
            return "library"
        if path.startswith(self._standard):
            return "standard"
        return "project" if path.startswith(self._project) else "library"


_START = os.path.join(os.path.dirname(OWN_FOLDER), "start.py")


def is_installed(path: str) -> bool:
    """Whether a file belongs to an installed package."""
    return any(part in path for part in _INSTALLED)


def place(frame: FrameType) -> Place:
    """A frame's file, line and, on Python 3.11 and later, columns. All count from 1."""
    found: Place = {"path": frame.f_code.co_filename, "line": frame.f_lineno}
    positions = _positions(frame.f_code, frame.f_lasti)
    if positions is not None and None not in positions:
        path = frame.f_code.co_filename
        line, end_line, start, end = positions
        column, end_column = _characters(path, line, start), _characters(path, end_line, end)
        found.update(line=line, end_line=end_line, column=column + 1, end_column=end_column + 1)
    return found


def _positions(code: CodeType, instruction: int) -> Any:
    if instruction < 0 or not hasattr(code, "co_positions"):
        return None
    return next(itertools.islice(code.co_positions(), instruction // 2, None), None)


def _characters(path: str, line: int, size: int) -> int:
    """How many characters the first bytes of a line are: Python counts columns in bytes."""
    text = linecache.getline(path, line)
    return len(text.encode()[:size].decode("utf-8", "replace")) if text else size
