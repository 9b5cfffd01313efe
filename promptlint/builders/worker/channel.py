"""Messages between the worker and its parent: JSON with its length in front.

The length matters: a grandchild may keep the pipe open, so nobody waits for its end.
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
from typing import Any

HIGH = 200  # above the numbers that a daemonising builder closes

Message = dict[str, Any]


class Channel:
    """Both ends of the conversation with the parent."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = _move_up(incoming)
        self._outgoing = _move_up(outgoing)

    def receive(self) -> Message:
        """The parent's next message. Raises EOFError when the parent has gone."""
        (length,) = struct.unpack(">Q", self._read(8))
        message: Message = json.loads(self._read(length))
        return message

    def send(self, message: Message) -> None:
        """Send one message. Lone surrogates survive as JSON escapes."""
        body = json.dumps(message).encode("ascii")
        view = memoryview(struct.pack(">Q", len(body)) + body)
        while view:
            view = view[os.write(self._outgoing, view) :]

    def _read(self, length: int) -> bytes:
        parts = []
        while length:
            part = os.read(self._incoming, min(length, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            length -= len(part)
        return b"".join(parts)


def _move_up(descriptor: int) -> int:
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)
    os.close(descriptor)
    return moved
