"""Directory listings in one order: sorted by name, or the other way round."""

# pathlib is itself watched, so it is not used here.
# ruff: noqa: PTH100, PTH112, PTH115

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from .observe import Recorder
from .replace import Replacements


class Order:
    """The order in which names are handed out. World 0 sorts, world 1 reverses."""

    def __init__(self) -> None:
        self.reverse = False

    def begin(self, world: int) -> None:
        """A call begins in the world with this number."""
        self.reverse = bool(world % 2)

    def sort(self, items: Any, name: Callable[[Any], Any]) -> list[Any]:
        """The items by name."""
        return sorted(items, key=name, reverse=self.reverse)


class Scan:
    """The directory entries as `os.scandir` gives them, in our order."""

    def __init__(self, entries: list[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> Scan:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Hand out nothing more."""
        self._entries = iter(())


def install(recorder: Recorder, replacements: Replacements) -> Order:
    """Order what `os.listdir` and `os.scandir` give, and with them walk, glob and pathlib."""
    order = Order()

    def record(path: Any, names: list[Any]) -> None:
        if isinstance(path, int):
            path = os.readlink(f"/proc/self/fd/{path}") if os.path.isdir("/proc") else str(path)
        where = os.path.abspath(os.fsdecode(path))
        recorder.record("listing", where, "\n".join(os.fsdecode(name) for name in names))

    def listdir(original: Any) -> Callable[..., Any]:
        def function(path: Any = None) -> list[Any]:
            names = order.sort(original(path), lambda name: name)
            record("." if path is None else path, names)
            return names

        return function

    def scandir(original: Any) -> Callable[..., Any]:
        def function(path: Any = None) -> Any:
            with original(path) as scan:
                entries = order.sort(scan, lambda entry: entry.name)
            record("." if path is None else path, [entry.name for entry in entries])
            return Scan(entries)

        return function

    replacements.swap(os, "listdir", listdir)
    replacements.swap(os, "scandir", scandir)
    return order
