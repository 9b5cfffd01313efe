"""Files that the builder reads, and files that it looks for in vain."""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH113, PTH100, PTH118, PTH123

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from .frames import is_installed
from .observe import VALUE_LIMIT, Recorder
from .replace import Replacements

_CODE = (".py", ".pyc", ".so", ".pth")
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class FileReads:
    """Records the contents of files below the project, the workspace and the home."""

    def __init__(self, recorder: Recorder, roots: Sequence[str]) -> None:
        self._recorder = recorder
        self._roots = tuple(os.path.join(root, "") for root in roots)

    def on_open(self, path: Any, _mode: Any, flags: Any) -> None:
        """The audit event `open`: every way to open a file comes along here."""
        if self._recorder.paused or not isinstance(path, (str, bytes)):
            return
        if isinstance(flags, int) and flags & _WRITES:
            return
        with self._recorder.pause():
            found = self._relevant(path)
            content = _content(found) if found else None
        if found and content is not None:
            self._recorder.record("file", found, content)
        elif found and not os.path.lexists(found):
            self._recorder.looked_for[found] = None

    def on_missing(self, path: Any) -> None:
        """A file was looked for that does not exist."""
        with self._recorder.pause():
            found = self._relevant(path)
        if found:
            self._recorder.looked_for[found] = None

    def _relevant(self, path: Any) -> str | None:
        name = os.path.abspath(os.fsdecode(path))
        if not name.startswith(self._roots) or name.endswith(_CODE):
            return None
        if is_installed(name):
            return None  # a package's own data
        return None if self._recorder.frames.caller() == "import" else name


def _content(path: str) -> str | None:
    if not os.path.isfile(path):
        return None  # to read a pipe would take something away from the builder
    try:
        with open(path, "rb") as file:
            data = file.read(VALUE_LIMIT)
    except OSError:
        return None  # the builder's own attempt reports it
    return None if b"\0" in data else data.decode("utf-8", "replace")


def install(reads: FileReads, recorder: Recorder, replacements: Replacements) -> None:
    """Notice the paths for which `stat` and `open` find nothing."""

    def stat(original: Any) -> Callable[..., Any]:
        def function(path: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return original(path, *args, **kwargs)
            except FileNotFoundError:
                if not recorder.paused and not isinstance(path, int):
                    reads.on_missing(path)
                raise

        return function

    replacements.swap(os, "stat", stat)
