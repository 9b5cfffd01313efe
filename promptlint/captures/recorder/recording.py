"""What was recorded, as it happens: the requests, and everything else that clients did."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from threading import Lock
from typing import Any, TextIO

from msgspec import Struct, field

from promptlint.bodies import BodyFormat
from promptlint.captures.recorder.credentials import without_credentials


class Recorded(Struct, frozen=True):
    """One request for an answer. `body` holds no keys, `time` is in seconds since 1970.

    `session` is the id of its conversation where the recorder knows it.
    """

    body: Mapping[str, Any]
    format: BodyFormat
    time: float
    session: str | None = None

    def line(self) -> str:
        """The request as a line of a recording. Its usage is null: no model has read it."""
        entry = {
            "format": self.format.value,
            "time": self.time,
            "session": self.session,
            "usage": None,
            "request": self.body,
        }
        # ASCII: a lone surrogate in a text has no UTF-8.
        return json.dumps(entry) + "\n"


class Recording(Struct):
    """The requests in the order in which they came, of all clients.

    `output` is written line by line, so that an agent that is killed leaves what it sent.
    `lookups` counts the other requests by method and path, `problems` are the requests that
    could not be read, one line each. `session` is given to the requests to come.
    """

    output: TextIO | None = None
    requests: list[Recorded] = field(default_factory=list)
    lookups: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    repeated: int = 0
    session: str | None = None
    _lock: Lock = field(default_factory=Lock)
    _sent: set[bytes] = field(default_factory=set)

    def add(self, body: Mapping[str, Any], form: BodyFormat, time: float) -> None:
        """Write down one request; one whose body was already sent is counted as `repeated`."""
        kept = without_credentials(dict(body))
        assert isinstance(kept, dict)
        with self._lock:
            recorded = Recorded(kept, form, time, self.session)
            self.repeated += self._was_sent(kept)
            self.requests.append(recorded)
            if self.output is not None:
                self.output.write(recorded.line())
                self.output.flush()

    def _was_sent(self, body: Mapping[str, Any]) -> bool:
        digest = hashlib.sha256(json.dumps(body).encode()).digest()
        known = digest in self._sent
        self._sent.add(digest)
        return known

    def look_up(self, method: str, path: str) -> None:
        """Count a request that asks for no answer of the model."""
        with self._lock:
            self.lookups[f"{method} {path}"] += 1

    def problem(self, line: str) -> None:
        """Note a request that could not be read."""
        with self._lock:
            self.problems.append(line)
