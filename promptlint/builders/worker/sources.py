"""All the sources that are watched and changed, installed once and set before each call."""

from __future__ import annotations

from typing import Any

from . import audit, clock, dates, files, guard, host, identifiers, listings, processes
from .frames import Frames
from .lines import Lines
from .observe import Recorder
from .replace import Replacements


class Sources:
    """The stand-ins of one process."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.recorder = Recorder(Frames(job["project"]))
        replacements = Replacements()
        world = job["world"]
        self._clock = clock.Clock(job["base_time"])
        self._clock.shift(world["clock"])
        reads = files.FileReads(self.recorder, job["roots"])
        files.install(reads, self.recorder, replacements)
        self._order = listings.install(self.recorder, replacements)
        self._order.begin(world["listing"])
        processes.install(self.recorder)
        host.install(job["machine"], world["user"], self.recorder, replacements)
        streams = identifiers.Streams(world["identifiers"])
        self.identifiers = identifiers.install(streams, self.recorder, replacements)
        clock.install(self._clock, self.recorder, replacements)
        dates.install(self._clock, self.recorder)
        replacements.finish()
        self.lines = Lines(self.recorder.frames, trace=job["trace"])
        audit.install(
            guard.Guard(job["writable"], job["network"], job["own_loopback"]).handlers(),
            {"open": reads.on_open},
        )

    def go_on(self, clock: float) -> None:
        """The clock goes on by this many seconds in the middle of a call."""
        self._clock.begin(clock)

    def begin(self, world: dict[str, Any]) -> None:
        """A call begins in this world."""
        self._clock.begin(world["clock"])
        self.identifiers.begin(world["identifiers"])
        self._order.begin(world["listing"])
        self.recorder.begin(world["index"])
