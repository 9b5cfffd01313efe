"""A builder's process: started in one world, asked in many."""

import os
import signal
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from promptlint.builders.answer import Answer, Paths
from promptlint.builders.channel import Message
from promptlint.builders.error import BuilderError, FailureKind
from promptlint.builders.scratch import Scratch
from promptlint.builders.settings import BuilderSettings
from promptlint.builders.target import Target, parse_target
from promptlint.builders.worker_process import WorkerGoneError, WorkerProcess
from promptlint.request import Json
from promptlint.worlds.observation import Observation
from promptlint.worlds.world import World

USER_MESSAGES = (
    "Please find out why the test fails, and fix it.",
    "Thanks. Now write a line about it into the changelog.",
    "Good. What else should be looked at?",
)
_BASE_WORLD = World()
_PROCESS_FIELDS = ("hash_seed", "user", "machine")


class BuilderProcess:
    """Imports the user's module in one world, and calls its builder in changed ones.

    A context manager. Nothing of the process is left when it ends: no process, no file.
    Every method raises BuilderError where the builder cannot be run.
    """

    def __init__(self, settings: BuilderSettings, world: World = _BASE_WORLD) -> None:
        self.settings = settings
        self.world = world
        self._target = parse_target(settings.target, settings.base.resolve())
        self._tools = _tools_target(settings)
        self._scratch = Scratch(settings, world)
        self._paths = _paths(self._scratch)
        self._worker: WorkerProcess | None = None
        self._imported: tuple[Observation, ...] = ()
        self._looked_for: tuple[str, ...] = ()
        self._fresh = ""

    def __enter__(self) -> Self:
        _check_folders(self.settings)
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its copies."""
        self._stop()
        if self._scratch.path.exists():
            self._scratch.remove()

    def ask(self, calls: Sequence[World]) -> tuple[Answer, ...]:
        """Call the builder once in each world, in this order, on one object.

        The calls share one fork of the imported process. What it leaves behind in files
        and processes is undone afterwards, so that no ask sees anything of another.
        """
        for call in calls:
            self._require_same_process(call)
        if self._worker is None:
            self._start()
        if self._fresh:
            return self._ask(calls, self._fresh)
        try:
            return self._ask(calls, "")
        except BuilderError as error:
            if error.kind is not FailureKind.HANGS:
                raise
            self._stop()
            self._start()
            return self._ask(calls, "a fork of the imported process did not answer")

    def _ask(self, calls: Sequence[World], fresh: str) -> tuple[Answer, ...]:
        assert self._worker is not None
        self._scratch.restore()
        self._worker.send({"do": "ask", "fork": not fresh})
        answers = []
        before = self.world
        usable = False
        try:
            for index, world in enumerate(calls):
                self._scratch.change(before, world)
                before = world
                self._worker.send({"do": "call", "world": self._call(index, world)})
                message = self._receive(self.settings.timeout, "")
                answers.append(self._answer(message["answer"], fresh))
            usable = not fresh
        except BuilderError as error:
            usable = not fresh and not error.fatal
            raise
        finally:
            self._end_ask(usable)
        return tuple(answers)

    def _end_ask(self, usable: bool) -> None:
        """Let the fork end, or give the whole process up: the next ask then starts another."""
        assert self._worker is not None
        if not usable:
            self._stop()
            return
        self._worker.send({"do": "end"})
        try:
            self._worker.receive(self.settings.timeout)
        except WorkerGoneError:
            self._worker.clean()
        except TimeoutError:
            self._stop()

    def _start(self) -> None:
        if self._scratch.path.exists():
            self._scratch.remove()
        self._scratch.create()
        settings = self.settings
        self._worker = WorkerProcess(
            settings.interpreter,
            self._scratch.folder,
            self._scratch.environment(),
            {
                "writable": [str(self._scratch.path)],
                "network": settings.network,
                "memory": settings.memory,
            },
        )
        self._worker.send(self._job())
        ready = self._receive(settings.import_timeout, " while its module was imported")["ready"]
        self._imported = tuple(map(self._paths.observation, ready["observations"]))
        self._looked_for = tuple(map(self._paths.key, ready["looked_for"]))
        self._fresh = ready["fresh"]
        self._worker.keep()
        self._scratch.keep()

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _receive(self, seconds: float, when: str) -> Message:
        assert self._worker is not None
        try:
            message = self._worker.receive(seconds)
        except TimeoutError:
            raise self._error(FailureKind.HANGS, f"gave no answer in {seconds:g} s{when}") from None
        except WorkerGoneError as gone:
            raise self._error(FailureKind.EXITED, _ending(gone.status) + when) from None
        if "failed" in message:
            failed = message["failed"]
            kind = FailureKind(failed["kind"])
            if when and kind is FailureKind.RAISED:
                kind = FailureKind.IMPORT
            text = self._paths.text(failed["traceback"])
            raise self._error(kind, failed["message"] + when, text, fatal=False)
        return message

    def _error(
        self, kind: FailureKind, cause: str, traceback: str = "", fatal: bool = True
    ) -> BuilderError:
        assert self._worker is not None
        line = " ".join(self._paths.text(f"{self._target.text}: {cause}").split())
        printed = self._paths.text(self._worker.printed)
        return BuilderError(kind, line, traceback, printed, fatal)

    def _require_same_process(self, call: World) -> None:
        for name in _PROCESS_FIELDS:
            if getattr(call, name) != getattr(self.world, name):
                raise ValueError(f"another {name} needs a process of its own")

    def _call(self, index: int, world: World) -> dict[str, Any]:
        return {
            "index": index,
            "clock": world.clock,
            "identifiers": world.identifiers,
            "listing": world.listing,
            "tool_order": world.tool_order,
            "turn": world.turn,
            "step": world.step,
            "user_message": USER_MESSAGES[(world.turn + world.query) % len(USER_MESSAGES)],
        }

    def _job(self) -> dict[str, Any]:
        scratch, settings = self._scratch, self.settings
        base = str(scratch.base)
        shown = scratch.machine
        tools: Json = settings.tools
        if self._tools is not None:
            tools = _named(self._tools, scratch)
        return {
            **_named(self._target, scratch),
            "folders": [base, *_source_folders(scratch)],
            "project": [base, str(settings.base.resolve()), *_outside(self._target, scratch)],
            "roots": [str(folder) for folder in (scratch.folder, scratch.home, scratch.base)],
            "writable": [str(scratch.path)],
            "network": settings.network,
            "base_time": settings.base_time.timestamp(),
            "tools": tools,
            "machine": {
                "node": shown.node,
                "release": shown.release,
                "version": shown.version,
                "folder": str(scratch.alias) if scratch.alias else "",
            },
            "world": {
                **self._call(-1, self.world),
                "user": scratch.user,
                "workspace": str(scratch.folder),
                "home": str(scratch.home),
            },
        }

    def _answer(self, data: dict[str, Any], fresh: str) -> Answer:
        assert self._worker is not None
        called = tuple(map(self._paths.observation, data["observations"]))
        looked_for = tuple(map(self._paths.key, data["looked_for"]))
        return Answer(
            value=self._paths.data(data["value"]),
            tools=self._paths.data(data["tools"]),
            observations=self._imported + called,
            looked_for=tuple(dict.fromkeys(self._looked_for + looked_for)),
            modules=tuple(map(self._paths.module, data["modules"])),
            takes_world=data["takes_world"],
            isolation=(*self._worker.means, "audit hooks"),
            fresh_process=fresh,
            seconds=data["seconds"],
        )


def _tools_target(settings: BuilderSettings) -> Target | None:
    if isinstance(settings.tools, str):
        return parse_target(settings.tools, settings.base.resolve())
    return None


def _named(target: Target, scratch: Scratch) -> dict[str, Any]:
    path = str(scratch.in_world(target.path)) if target.path else None
    return {"module": target.module, "path": path, "attributes": list(target.attributes)}


def _source_folders(scratch: Scratch) -> list[str]:
    return [str(scratch.base / "src")] if (scratch.base / "src").is_dir() else []


def _outside(target: Target, scratch: Scratch) -> list[str]:
    """The folder of a target's file that does not stand below the base."""
    base = scratch.settings.base.resolve()
    if target.path is None or target.path.is_relative_to(base):
        return []
    return [str(target.path.parent), str(scratch.in_world(target.path.parent))]


def _paths(scratch: Scratch) -> Paths:
    roots = {"workspace": str(scratch.workspace)} if scratch.workspace else {}
    base = str(scratch.settings.base.resolve())
    roots |= {"home": str(scratch.home), "base": base}
    return Paths(roots, (str(scratch.base), base), str(scratch.path))


def _check_folders(settings: BuilderSettings) -> None:
    for name, folder in (("workspace", settings.workspace), ("home", settings.home)):
        if folder is not None and not (settings.base / folder).is_dir():
            raise BuilderError(FailureKind.TARGET, f"{name}: no folder {settings.base / folder}")
    if not settings.interpreter.is_file():
        raise BuilderError(FailureKind.INTERPRETER, f"python: no file {settings.interpreter}")
    if settings.scratch.exists():
        raise RuntimeError(f"{settings.scratch} is in use: one process at a time for one settings")


def _ending(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended its process with status {code}"
    return f"was killed by {signal.Signals(-code).name}"
