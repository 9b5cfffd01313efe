"""The parent's ends of the pipes to a supervisor and its worker."""

import json
import os
import selectors
import struct
import time
from dataclasses import dataclass, field
from typing import Any, Literal

OUTPUT_LIMIT = 4000  # characters of the builder's own output that are kept

Message = dict[str, Any]
Origin = Literal["worker", "supervisor"]


@dataclass(slots=True)
class Channel:
    """Messages from the worker (`answers`) and the supervisor (`events`), and printed output.

    Whatever the builder prints is drained all along, so that it never blocks on a full pipe.
    """

    jobs: int
    answers: int
    events: int
    output: int
    _printed: bytes = b""
    _buffers: dict[int, bytes] = field(default_factory=dict)
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
        else:
            self._take(descriptor, data)

    def _take(self, descriptor: int, data: bytes) -> None:
        buffer = self._buffers.get(descriptor, b"") + data
        if descriptor == self.events:
            *lines, buffer = buffer.split(b"\n")
            self._waiting.extend(("supervisor", json.loads(line)) for line in lines)
        else:
            while len(buffer) >= 8:
                end = 8 + struct.unpack(">Q", buffer[:8])[0]
                if len(buffer) < end:
                    break
                self._waiting.append(("worker", json.loads(buffer[8:end])))
                buffer = buffer[end:]
        self._buffers[descriptor] = buffer
