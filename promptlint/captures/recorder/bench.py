"""A command as a prompt's builder: recorded in worlds, in copies of its workspace and home."""

import json
import math
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import Self

from promptlint.bodies import request_from_body
from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.scratch import Scratch
from promptlint.builders.settings import BuilderSettings
from promptlint.captures.conversations import conversations
from promptlint.captures.read import CapturedRequest
from promptlint.captures.recorder.command_axes import not_exercised
from promptlint.captures.recorder.command_clock import CommandClock
from promptlint.captures.recorder.command_settings import CommandCall, CommandSettings
from promptlint.captures.recorder.confined import Confined, run_confined
from promptlint.captures.recorder.environment import recorder_environment
from promptlint.captures.recorder.faketime import clock_variables
from promptlint.captures.recorder.recording import Recorded, Recording
from promptlint.captures.recorder.server import ADDRESS, RecorderServer
from promptlint.layout import Axis, Scope
from promptlint.location import Location
from promptlint.request import Request
from promptlint.worlds.world import World

_PROCESS_FIELDS = ("hash_seed", "user", "machine")
_PAUSE = 30.0
"""Seconds between the beginnings of two runs of a session, or a multiple where one takes longer.

Agents put messages in the order of their times: a later run must not begin before the end of
the one before. And a minute's clock should show the same minute in both.
"""


class CommandBench:
    """Records a command in one world after the other. A context manager.

    One server serves all worlds and the copies of all worlds stand in one place, since both
    show in prompts: starting a process ends the one before. Raises BuilderError.
    """

    def __init__(self, builder: BuilderSettings, settings: CommandSettings) -> None:
        self.builder = builder
        self.settings = settings
        self.recording = Recording()
        self.clock = CommandClock(settings.faketime)
        self.means: tuple[str, ...] = ()
        self._server = RecorderServer(self.recording, settings.script, on_request=self._meet)
        self._process: CommandProcess | None = None

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()
        self._server.__exit__(kind, error, traceback)

    @property
    def url(self) -> str:
        """Where the recorder is."""
        return self._server.url

    def start(self, world: World) -> "CommandProcess":
        """The copies of this world, in which the command can be run."""
        self._end()
        self._process = CommandProcess(self, world)
        return self._process

    def not_exercised(self) -> dict[tuple[Axis, Scope], str]:
        """The axes that cannot be changed for this command, and why; known after a first run."""
        settings = self.settings
        name = Path(settings.command[0]).name
        return not_exercised(
            clock=self.clock.why_not,
            session=None if settings.following else f"{name} is not known to resume a session",
            steps=None if settings.calls_tools else "no scripted reply calls a tool",
            hash_seed=None if settings.is_python else "the hash seed is an axis of Python programs",
        )

    def notes(self) -> tuple[str, ...]:
        """What the worlds of a command are not, in words for the report."""
        return (
            "a command that asks the kernel for the host's name gets the real one",
            "a command has the network: only its writes are confined"
            if self.means
            else "this platform offers no confinement: the command could write anywhere",
        )

    def _end(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def _meet(self, client_port: int) -> None:
        self.clock.meet(client_port, (ADDRESS, self._server.port))


class CommandProcess:
    """The copies of one world, in which the command is run; `import_seconds` is what they took.

    Of the process only its world lives on: every call is a new run of the command.
    """

    def __init__(self, bench: CommandBench, world: World) -> None:
        self._bench = bench
        self._world = world
        self._scratch = Scratch(bench.builder, world)
        began = time.monotonic()
        try:
            self._scratch.create()
            self._scratch.keep()
        except BaseException:
            self.close()
            raise
        self.import_seconds = time.monotonic() - began

    def close(self) -> None:
        """Remove the copies."""
        if self._scratch.path.exists():
            self._scratch.remove()

    def ask(self, calls: Sequence[World]) -> tuple[CommandCall, ...]:
        """Run the command once in each world; from the second on it goes on with its session.

        What the calls of an earlier ask have written is undone first. Raises BuilderError.
        """
        settings = self._bench.settings
        following = settings.following
        if len(calls) > 1 and following is None:
            raise ValueError(f"{settings.command[0]} cannot go on with its session")
        before = self._world
        start = len(self._bench.recording.requests)
        asked: list[CommandCall] = []
        passed = 0.0
        self._scratch.restore()
        for index, world in enumerate(calls):
            self._require_same_process(world)
            self._scratch.change(before, world)
            before = world
            first = len(self._bench.recording.requests)
            began = time.monotonic()
            command = settings.command if index == 0 else following or ()
            ended = self._run(command, world, passed)
            passed += _PAUSE * math.ceil((time.monotonic() - began) / _PAUSE)
            requests = self._requests(start, first, ended)
            moment = self._bench.builder.base_time + timedelta(seconds=world.clock)
            self._bench.clock.read(_texts(requests), moment)
            asked.append(CommandCall(world, requests))
        return tuple(asked)

    def _run(self, command: Sequence[str], world: World, passed: float) -> Confined:
        """Run the command, `passed` seconds into its session.

        Where it sends nothing under the changed clock it is run without: `time.sleep` of
        Python 3.11 raises OSError under libfaketime 0.9.10.
        """
        ended = self._run_once(command, world.clock + passed)
        known = self._bench.clock
        if known.library is not None and not known.met:
            known.give_up()
            self._scratch.restore()
            self._scratch.change(self._world, world)
            ended = self._run_once(command, world.clock + passed)
        self._bench.means = ended.means
        return ended

    def _run_once(self, command: Sequence[str], clock: float) -> Confined:
        bench, scratch = self._bench, self._scratch
        return run_confined(
            [self._located(word) for word in command],
            recorder_environment(bench.url, scratch.environment()),
            variables=self._clock(clock),
            folder=scratch.folder,
            writable=scratch.path,
            time_limit=bench.builder.timeout,
        )

    def _clock(self, clock: float) -> dict[str, str]:
        """The variables that set the clock `clock` seconds after the base time."""
        library = self._bench.clock.library
        if library is None:
            return {}
        ahead = self._bench.builder.base_time.timestamp() + clock - time.time()
        return clock_variables(library, ahead)

    def _located(self, word: str) -> str:
        path = self._bench.builder.base.resolve() / word
        return str(self._scratch.in_world(path)) if "/" in word and path.is_file() else word

    def _requests(self, start: int, first: int, ended: Confined) -> tuple[Request, ...]:
        """The main conversation's requests of the newest run, which begins at `first`."""
        if ended.status is None:
            limit = f"{self._bench.builder.timeout:g} s"
            raise self._error(FailureKind.HANGS, f"was still running after {limit}", ended)
        session = self._bench.recording.requests[start:]
        captured = [_captured(number, one) for number, one in enumerate(session, start)]
        found = conversations(captured).conversations
        main = max(found, key=lambda one: len(one.turns), default=None)
        turns = [] if main is None else [turn for turn in main.turns if _number(turn) >= first]
        if not turns:
            cause = f"sent the recorder no request (status {ended.status})"
            raise self._error(FailureKind.NONE, cause, ended)
        return tuple(turn.request for turn in turns)

    def _error(self, kind: FailureKind, cause: str, ended: Confined) -> BuilderError:
        words = " ".join(self._bench.settings.command)
        return BuilderError(kind, f"{words}: {cause}", output=ended.printed)

    def _require_same_process(self, call: World) -> None:
        for name in _PROCESS_FIELDS:
            if getattr(call, name) != getattr(self._world, name):
                raise ValueError(f"another {name} needs copies of its own")


def _captured(number: int, recorded: Recorded) -> CapturedRequest:
    place = Location("recorder", number)
    return CapturedRequest(
        request_from_body(recorded.body), recorded.body, place, time=recorded.time
    )


def _number(captured: CapturedRequest) -> int:
    assert captured.place.line is not None
    return captured.place.line


def _texts(requests: Sequence[Request]) -> list[str]:
    """Every text of these requests, and their tools as JSON."""
    found = [request.system_text for request in requests]
    found += [message.text for request in requests for message in request.messages]
    return found + [json.dumps(dict(t.definition)) for r in requests for t in r.tools]
