"""What went wrong, as the user would see it without us."""

from __future__ import annotations

import difflib
import sys
import traceback
from typing import Any

from .frames import OWN_FOLDER

TRACEBACK_LIMIT = 6000  # characters


class RefusedError(Exception):
    """The builder cannot be used. `kind` is one of the parent's failure kinds."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def describe(error: BaseException) -> dict[str, Any]:
    """The failure as a message: kind, one line, and the user's own traceback."""
    if isinstance(error, RefusedError):
        return {"kind": error.kind, "message": str(error), "traceback": ""}
    return {"kind": _kind(error), "message": _line(error), "traceback": _traceback(error)}


def _kind(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return "exited"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, RecursionError):
        return "recursion"
    return "raised"


def _line(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"called sys.exit({error.code!r})"
    if isinstance(error, MemoryError):
        return "ran out of memory"
    if isinstance(error, RecursionError):
        return "called itself without end (RecursionError)"
    lines = traceback.format_exception_only(type(error), error)
    text = next((line for line in reversed(lines) if line[:1].strip()), lines[-1]).strip()
    if isinstance(error, ModuleNotFoundError):
        return f"raised {text} in {sys.executable}"
    return f"raised {text}"


def _traceback(error: BaseException) -> str:
    report = traceback.TracebackException.from_exception(error)
    _drop_own_frames(report)
    text = "".join(report.format())
    if len(text) <= TRACEBACK_LIMIT:
        return text
    half = TRACEBACK_LIMIT // 2
    return text[:half] + "\n  ...\n" + text[-half:]


def _drop_own_frames(report: traceback.TracebackException | None) -> None:
    while report is not None:
        kept = [frame for frame in report.stack if not frame.filename.startswith(OWN_FOLDER)]
        report.stack = traceback.StackSummary.from_list(kept)
        _drop_own_frames(report.__cause__)
        report = report.__context__


def nearest_name(name: str, names: list[str]) -> str:
    """A hint at the name that was perhaps meant."""
    close = difflib.get_close_matches(name, names, 1)
    return f" (did you mean {close[0]}?)" if close else ""
