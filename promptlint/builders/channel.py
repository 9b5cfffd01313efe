"""The parent's ends of the pipes to a supervisor and its worker."""

import json
import os
import selectors
import struct
import time
from typing import Any, Literal

from msgspec import Struct, field

OUTPUT_LIMIT = 4000  # characters of the builder's own output that are kept

Message = dict[str, Any]
Origin = Literal["worker", "supervisor"]


class Channel(Struct):
    """Messages from the worker (`answers`) and the supervisor (`events`), and printed output.

    Whatever the builder prints is drained all along, so that it never blocks on a full pipe.
    """

    jobs: int
    answers: int
    events: int
    output: int
    _printed: bytes = b""
    _events: bytearray = field(default_factory=bytearray)
    _answers: bytearray = field(default_factory=bytearray)
    _waiting: list[tuple[Origin, Message]] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def __post_init__(self) -> None:
        for descriptor in (self.answers, self.events, self.output):
            os.set_blocking(descriptor, False)
            self._selector.register(descriptor, selectors.EVENT_READ)

    def send(self, message: Message) -> None:
        """Send a message to the worker. One that has gone is noticed when its answer is awaited."""
        body = json.dumps(message).encode("ascii")
        view = memoryview(struct.pack(">Q", len(body)) + body)
        try:
            while view:
                view = view[os.write(self.jobs, view) :]
        except BrokenPipeError:
            return

    def receive(self, seconds: float) -> tuple[Origin, Message]:
        """The next message. Raises TimeoutError after so many seconds without one."""
        deadline = time.monotonic() + seconds
        while not self._waiting:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._read_all(left)
        self._read_all(0)
        # A worker's last words come before the news of its end.
        self._waiting.sort(key=lambda found: found[0] == "supervisor")
        return self._waiting.pop(0)

    @property
    def printed(self) -> str:
        """The end of what the builder printed."""
        self._read_all(0)
        return self._printed.decode("utf-8", "replace")[-OUTPUT_LIMIT:]

    def close(self) -> None:
        """Close every pipe."""
        self._selector.close()
        for descriptor in (self.jobs, self.answers, self.events, self.output):
            os.close(descriptor)

    def _read_all(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            self._read(key.fd)

    def _read(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, 1 << 20)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(descriptor)
        elif descriptor == self.output:
            self._printed = (self._printed + data)[-4 * OUTPUT_LIMIT :]
        elif descriptor == self.events:
            self._events += data
            self._take_events()
        else:
            self._answers += data
            self._take_answers()

    def _take_events(self) -> None:
        """One JSON line each."""
        *lines, rest = self._events.split(b"\n")
        self._events = rest
        self._waiting.extend(("supervisor", json.loads(line)) for line in lines)

    def _take_answers(self) -> None:
        """JSON with its length in front."""
        while len(self._answers) >= 8:
            end = 8 + struct.unpack(">Q", self._answers[:8])[0]
            if len(self._answers) < end:
                return
            self._waiting.append(("worker", json.loads(self._answers[8:end])))
            del self._answers[:end]
