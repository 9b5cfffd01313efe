"""Random numbers, unique ids, temporary names and process ids, from seeded streams.

A stream runs on between two calls and starts afresh in every process, so an id made
for each call lives for one request and a stored one for a session.
"""

from __future__ import annotations

import os
import random
import secrets
import tempfile
import uuid
from _random import Random as Generator
from collections.abc import Callable
from typing import Any

from .observe import Recorder
from .replace import Replacements

_RANDOM_FUNCTIONS = (
    *("betavariate", "choice", "choices", "expovariate", "gauss", "getrandbits", "normalvariate"),
    *("randbytes", "randint", "random", "randrange", "sample", "triangular", "uniform"),
)
_SECRET_FUNCTIONS = ("choice", "randbelow", "randbits", "token_bytes", "token_hex", "token_urlsafe")
_UUID_FUNCTIONS = ("uuid1", "uuid4", "uuid6", "uuid7", "uuid8")
_FIRST_PID = 20_000


class Streams:
    """Named streams of bytes that look random."""

    def __init__(self, seed: int) -> None:
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """All streams begin again, in the world with this number."""
        self.world = seed
        self._streams: dict[str, Generator] = {}

    def read(self, name: str, count: int) -> bytes:
        """The next bytes of one stream."""
        stream = self._streams.get(name)
        if stream is None:
            number = int.from_bytes(f"{self.world}/{name}".encode(), "big")
            stream = self._streams[name] = Generator(number)
        return stream.getrandbits(count * 8).to_bytes(count, "big") if count else b""

    def number(self, name: str) -> int:
        """The next 64-bit number of one stream."""
        return int.from_bytes(self.read(name, 8), "big")


class Identifiers:
    """All sources of identity of one process."""

    def __init__(self, streams: Streams) -> None:
        self.streams = streams
        self._state = random.getstate()

    def before_fork(self) -> None:
        """Keep the random state: the module reseeds itself in a forked child."""
        self._state = random.getstate()

    def after_fork(self) -> None:
        """The child goes on where its parent stood."""
        random.setstate(self._state)

    def begin(self, seed: int) -> None:
        """A call begins in the world with this number."""
        if seed != self.streams.world:
            self.streams.seed(seed)
            random.seed()

    @property
    def session(self) -> str:
        """The session id that the builder's `world` argument carries."""
        stream = Streams(self.streams.world)
        return str(uuid.UUID(bytes=stream.read("session", 16), version=4))


def install(streams: Streams, recorder: Recorder, replacements: Replacements) -> Identifiers:
    """Put the streams in the place of every source of chance."""
    _replace_bytes(streams, recorder, replacements)
    _replace_random(streams, recorder, replacements)
    _replace_uuids(streams, recorder, replacements)
    _replace_pid(streams, recorder, replacements)
    random.seed()
    return Identifiers(streams)


def _replace_bytes(streams: Streams, recorder: Recorder, replacements: Replacements) -> None:
    def urandom(_original: Any, size: int) -> bytes:
        return streams.read("urandom", size)

    def getrandom(_original: Any, size: int, flags: int = 0) -> bytes:  # noqa: ARG001
        return streams.read("urandom", size)

    replacements.swap(os, "urandom", recorder.recording("identifier", "os.urandom", urandom))
    replacements.swap(os, "getrandom", recorder.recording("identifier", "os.getrandom", getrandom))
    random._urandom = lambda size: streams.read("secrets", size)  # type: ignore[attr-defined]
    for name in _SECRET_FUNCTIONS:
        replacements.swap(secrets, name, recorder.recording("identifier", "secrets." + name))


def _replace_random(streams: Streams, recorder: Recorder, replacements: Replacements) -> None:
    original_seed = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        original_seed(self, streams.number("random") if a is None else a, version)

    random.Random.seed = seed  # type: ignore[method-assign]
    for name in _RANDOM_FUNCTIONS:
        replacements.swap(random, name, recorder.recording("random", "random." + name))
    replacements.swap(random, "seed", lambda _original: random._inst.seed)

    def shuffle(original: Any) -> Callable[..., Any]:
        def function(items: Any, *rest: Any) -> None:
            with recorder.pause():
                original(items, *rest)
            recorder.record("random", "random.shuffle", "\n".join(map(str, items[:100])))

        return function

    replacements.swap(random, "shuffle", shuffle)
    names: Any = tempfile._RandomNameSequence  # type: ignore[attr-defined]
    original_next = names.__next__

    def next_name(self: Any) -> str:
        with recorder.pause():
            name: str = original_next(self)
        recorder.record("identifier", "tempfile", name)
        return name

    names.__next__ = next_name


def _replace_uuids(streams: Streams, recorder: Recorder, replacements: Replacements) -> None:
    uuid._generate_time_safe = None  # type: ignore[attr-defined]
    uuid._UuidCreate = None  # type: ignore[attr-defined]
    uuid._node = 0x0242AC110002  # type: ignore[attr-defined]

    def uuid4(_original: Any) -> uuid.UUID:
        return uuid.UUID(bytes=streams.read("uuid", 16), version=4)

    for name in _UUID_FUNCTIONS:
        read = uuid4 if name == "uuid4" else None
        replacements.swap(uuid, name, recorder.recording("identifier", "uuid." + name, read))


def _replace_pid(streams: Streams, recorder: Recorder, replacements: Replacements) -> None:
    """Only the project's own code sees other process ids; signals to them arrive all the same."""
    real: dict[int, int] = {}

    def shown(read: Callable[[], int], place: int) -> int:
        pid = read()
        if recorder.frames.caller() != "project":
            return pid
        number = _FIRST_PID + 97 * (streams.world % 400) + place
        real[number] = pid
        recorder.record("identifier", "os." + read.__name__, str(number))
        return number

    def pid_reader(place: int) -> Callable[[Any], Callable[..., Any]]:
        return lambda original: lambda: shown(original, place)

    def translated(original: Any) -> Callable[..., Any]:
        def function(pid: int, *rest: Any) -> Any:
            return original(real.get(pid, pid), *rest)

        return function

    forked = [1]

    def count_fork() -> None:
        forked[0] += 1

    os.register_at_fork(after_in_child=count_fork)
    replacements.swap(os, "getpid", lambda original: lambda: shown(original, 2 * forked[0]))
    replacements.swap(os, "getppid", pid_reader(1))
    for name in ("kill", "getpgid", "getsid", "waitpid"):
        replacements.swap(os, name, translated)
