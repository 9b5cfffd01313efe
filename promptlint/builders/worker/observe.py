"""What the builder was handed by the world: a bounded list of observations."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from .frames import Frames
from .replace import Function, Wrap

VALUE_LIMIT = 1 << 16  # characters of one value
TOTAL_LIMIT = 1 << 23  # characters of all values of one call
COUNT_LIMIT = 4000  # observations of one call


class Recorder:
    """Writes down what the stand-ins hand out, with the line that asked for it."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self.looked_for: dict[str, None] = {}
        self._phase = "import"
        self._call = 0
        self._observations: list[dict[str, Any]] = []
        self._seen: set[tuple[Any, ...]] = set()
        self._size = 0
        self._sequence = 0
        self._thread = threading.local()

    def begin(self, call: int) -> None:
        """A call begins: earlier observations are forgotten."""
        self._phase = "call"
        self._call = call
        self._observations = []
        self._seen.clear()
        self._size = 0
        self.looked_for.clear()

    def observations(self) -> list[dict[str, Any]]:
        """What was handed out since the beginning of this call, or of the import."""
        return list(self._observations)

    @property
    def paused(self) -> bool:
        """Whether this thread is busy with work of our own."""
        return getattr(self._thread, "paused", False)

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """Nothing that this thread does here is the builder's doing."""
        before = self.paused
        self._thread.paused = True
        try:
            yield
        finally:
            self._thread.paused = before

    def recording(self, kind: str, key: str, read: Function | None = None) -> Wrap:
        """Make a stand-in that writes down what it hands out.

        `read` takes the original and its arguments; without it the original is called.
        """

        def wrap(original: Any) -> Function:
            def function(*args: Any, **kwargs: Any) -> Any:
                with self.pause():
                    value = read(original, *args, **kwargs) if read else original(*args, **kwargs)
                self.record(kind, key, _text(value))
                return value

            return function

        return wrap

    def record(self, kind: str, key: str, value: str) -> None:
        """Write down one value. The same value at the same place counts once."""
        if self.paused or len(self._observations) >= COUNT_LIMIT:
            return
        with self.pause():
            value = value[:VALUE_LIMIT]
            location, library = self.frames.nearest()
            identity = (kind, key, value, *(location or {}).values())
            if identity in self._seen or self._size + len(value) > TOTAL_LIMIT:
                return
            self._seen.add(identity)
            self._size += len(value)
            self._sequence += 1
            self._observations.append(
                {
                    "kind": kind,
                    "key": key,
                    "value": value,
                    "location": location,
                    "library_location": library,
                    "phase": self._phase,
                    "call": self._call,
                    "sequence": self._sequence,
                }
            )


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    # A named tuple (`uname`) is one thing, a list of choices several.
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return str(value)
